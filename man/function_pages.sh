#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# function_pages.sh DIR: a page function::NAME.3stap in DIR for each function, from describe.sh's lines on standard input.
set -eu
rm -rf "$1"
mkdir -p "$1"
awk -F '\t' -v dir="$1" "$(cat "${0%/*}/roff.awk")"'
{
	sentence = roff(toupper(substr($5, 1, 1)) substr($5, 2))
	if (!($2 in subject)) {
		order[++n] = $2
		subject[$2] = $1
		short[$2] = sentence
		sub(/[.:;] .*|\.$/, "", short[$2])
	}
	synopsis[$2] = synopsis[$2] (synopsis[$2] == "" ? "" : ".br\n") ".BR " roff($2) " \"" roff($3) "\"\n"
	if (sentence != "")
		text[$2] = text[$2] (text[$2] == "" ? "" : ".PP\n") sentence "\n" ($4 == "guru" ? "Needs guru mode.\n" : "")
}
END {
	for (i = 1; i <= n; i++) {
		name = order[i]
		page = dir "/function::" name ".3stap"
		printf ".TH FUNCTION::%s 3stap \"\" Spile \"Spile manual\"\n", roff(toupper(name)) > page
		printf ".SH NAME\nfunction::%s \\- %s\n", roff(name), short[name] > page
		printf ".SH SYNOPSIS\n%s", synopsis[name] > page
		printf ".SH DESCRIPTION\n%s", text[name] > page
		printf ".SH \"SEE ALSO\"\n.BR stapfuncs (3stap),\n.BR stap (1)\n" > page
		close(page)
	}
}'
