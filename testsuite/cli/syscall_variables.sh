#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Holds the aliases of system calls, of all tiers and their returns, against syscall_variables.tbl as aliases.sh does.
table=$(mktemp)
trap 'rm -f "$table"' EXIT
sed '/^#/d; /^$/d' syscall_variables.tbl | awk '{
	lacked = sub(/ \|$/, "") ? " |" : ""
	n = split($0, part, / \/ /)
	name = $1
	sub(/:$/, "", name)
	sub(/^[^:]*:/, "", part[1])
	split("syscall nd_syscall dw_syscall tp_syscall", tier, " ")
	for (i = 1; i <= 4; i++) {
		print tier[i] "." name ": name:string argstr:string" part[1] lacked
		print tier[i] "." name ".return: name:string retval retstr:string " (n > 1 ? part[2] : "") lacked
	}
}' > "$table"
[ "$(wc -l < "$table")" = "$((8 * $(grep -c '^[^#]' syscall_variables.tbl)))" ] || echo "$(wc -l < "$table") aliases"
./aliases.sh "$table" "$@"
