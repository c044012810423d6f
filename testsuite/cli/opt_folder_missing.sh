# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
mkdir empty && : > file
see() {
	echo "$*:"
	"$STAP" "$@" -p1 -e 'probe begin { println(1) }' > out; echo "status $?, $(grep -c begin out) probe"
}
exec 2>&1
see -I empty
see -I missing
see -I file -I empty -I missing/below
see -w -I missing
see -W -I missing
