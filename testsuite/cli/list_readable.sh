#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: list_readable.sh STAP PROGRAM: what -L lists is read there, point by point
STAP=$1 program=$2
list() { "$STAP" -L "process(\"$program\").$1" 2>&1 | grep -v '^indexing'; }
read_all() {
	list "$1" | awk '{ printf "probe %s {", $1
		for (i = 2; i <= NF; i++)
			if (sub(/:.*/, "", $i) + index($i, "$") == 2) printf " println(%s == 0)", $i
		print " }" }' > "$script"
	"$STAP" -w -p2 "$script" > /dev/null && [ -s "$script" ] && echo "$1: all is read"
}
script=$(mktemp --suffix=.stp)
trap 'rm -f "$script"' EXIT
read_all 'statement("*@*spent.c:*")'
read_all 'function("*@*spent.c")'
read_all 'function("spend").label("*")'
list 'function("spend").label("rich")' | sed 's/.*label/label/'
"$STAP" -p2 -e "probe process(\"$program\").function(\"spend\").label(\"rich\") { println(\$money) }" 2>&1 |
	sed -n 's/: identifier.*//; s/^ *hint/hint/; /cannot read\|^hint/p'
