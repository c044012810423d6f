#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# describe.sh FILE...: the functions that scripts may call, one a line for the generators of manual pages:
#
#   subject TAB name TAB signature TAB guru or nothing TAB description
#
# A .def FILE holds rows of builtins (runtime/uapi/builtins.def says how). In a .stp FILE the first comment after the licence is
# the subject, and the comment right before a function is its description. Names that begin with an underscore are left out.
set -eu
awk '
function describe(subject, name, signature, guru, text)
{
	if (name !~ /^_/)
		print subject "\t" name "\t" signature "\t" guru "\t" text
}
# "LONG addr, STRING text" as scripts spell it
function parameters(list,   n, i, word, part, text)
{
	n = split(list, part, /, */)
	for (i = 1; i <= n; i++) {
		split(part[i], word, " ")
		text = text (i > 1 ? ", " : "") word[2] ":" tolower(word[1])
	}
	return text
}
function row(line,   column, text, params)
{
	text = line
	sub(/^[^"]*"/, "", text)
	sub(/"\)$/, "", text)
	gsub(/"[ \t]*"/, "", text)
	gsub(/\\"/, "\"", text)
	gsub(/\\\\/, "\\", text)
	params = line
	sub(/^BUILTIN\([^(]*\(/, "", params)
	sub(/\).*/, "", params)
	sub(/^BUILTIN\(/, "", line)
	split(line, column, /, */)
	describe(subject, column[1], (column[3] == "VOID" ? "" : ":" tolower(column[3])) " (" parameters(params) ")",
		 line ~ /, GURU,/ ? "guru" : "", text)
}
FNR == 1 { subject = ""; comment = ""; licence = 1; pending = ""; rows = FILENAME ~ /\.def$/ }
rows && /^BUILTIN_SUBJECT/ { subject = $0; gsub(/^[^"]*"|"[^"]*$/, "", subject) }
rows && /^BUILTIN\(/ { pending = $0; next }
rows && pending != "" {
	sub(/^[ \t]+/, "")
	pending = pending " " $0
	if (/"\)$/) {
		row(pending)
		pending = ""
	}
}
rows { next }
/^# SPDX/ { next }
/^#/ {
	sub(/^# ?/, "")
	comment = comment (comment == "" ? "" : " ") $0
	next
}
FNR > 1 && /^$/ {
	if (licence && comment != "") {
		subject = comment
		sub(/\..*/, "", subject)
		licence = 0
	}
	comment = ""
	next
}
/^function [A-Za-z_]/ {
	signature = $0
	sub(/^function /, "", signature)
	sub(/[ \t]*[{%].*$/, "", signature)
	name = signature
	sub(/[: (].*/, "", name)
	sub(/ *\(/, " (", signature)
	describe(subject, name, substr(signature, length(name) + 1), "", comment)
}
{ comment = "" }
' "$@"
