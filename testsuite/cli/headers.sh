# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by diag_headers_elsewhere: the releases that stap names against those with a build tree in /lib/modules.
named=$("$STAP" -p4 -r 1.2.3-nonexistent ./diag_headers_elsewhere.stp 2>&1 |
	sed -n 's/^Hint: install .*1\.2\.3-nonexistent.*-r DIRECTORY//p' |
	sed 's/^; there are headers here for//; s/,* -r /\n/g' | sed '/^$/d' | sort)
here=$(for makefile in /lib/modules/*/build/Makefile; do
	[ ! -e "$makefile" ] || basename "${makefile%/build/Makefile}"
done | sort)
[ "$named" = "$here" ] || { echo "named: $named"; echo "here: $here"; exit 1; }
