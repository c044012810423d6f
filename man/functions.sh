#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# functions.sh PREAMBLE: stapfuncs(3stap), the list of all functions by subject, from describe.sh's lines on standard input.
set -eu
cat "$1"
awk -F '\t' "$(cat "${0%/*}/roff.awk")"'
!($1 in text) { order[++n] = $1 }
{
	text[$1] = text[$1] ".TP\n.BR " roff($2) " \"" roff($3) "\"\n"
	text[$1] = text[$1] roff($5 == "" && $2 == last ? "The same." : toupper(substr($5, 1, 1)) substr($5, 2)) "\n"
	if ($4 == "guru")
		text[$1] = text[$1] "Needs guru mode.\n"
	last = $2
}
END {
	for (i = 1; i <= n; i++)
		printf ".SH \"%s\"\n%s", roff(toupper(order[i])), text[order[i]]
}'
cat <<'END'
.SH "SEE ALSO"
.BR stap (1),
.BR stapprobes (3stap)
END
