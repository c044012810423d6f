#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: debug_parts_missing.sh STAP SOURCE
STAP=$1 source=$2
dir=$(mktemp -d) && dir=$(realpath "$dir") && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
unset SYSTEMTAP_DEBUGINFO_PATH # what is beside a program is found without it
see() {
	echo "$1:"
	"$STAP" $3 -L "process(\"./$2\").function(\"outer\")" 2>&1 | sed "/^indexing/d; s,$dir,DIR,g"
}
# not one that an index is kept of
hex=$(echo "$dir" | cksum | awk '{ printf "02%030x%08x", $2, $1 }')
cp "$source/../programs/frames.c" .
gcc -gdwarf-5 -gsplit-dwarf -O1 -c frames.c -o frames.o && gcc frames.o -Wl,--build-id="0x$hex" -o split
mv frames.dwo away.dwo
see "without the split unit" split
see "again" split
see "no warnings" split -w
sleep 0.1
mv away.dwo frames.dwo && touch frames.dwo
see "with it" split
# as dwz writes it: a name, and the build-id of that file
hex=$(echo "$dir" | cksum | awk '{ printf "03%030x%08x", $2, $1 }')
gcc -gdwarf-5 -O1 frames.c -Wl,--build-id="0x$hex" -o shared
printf 'shared.dwz\00012345678901234567890' > link && objcopy --add-section .gnu_debugaltlink=link shared
see "without the alternate file" shared
# a name that a terminal would obey
hex=$(echo "$dir" | cksum | awk '{ printf "04%030x%08x", $2, $1 }')
gcc -gdwarf-5 -O1 frames.c -Wl,--build-id="0x$hex" -o painted
printf 'red\033[31m.dwz\00012345678901234567890' > link && objcopy --add-section .gnu_debugaltlink=link painted
see "with an escape sequence in its name" painted
