#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# functions.sh PREAMBLE FILE...: the manual page of the library's functions, from the comments before them.
#
# The first comment of a FILE after its licence is the subject; the comment right before a function is its description;
# names that begin with an underscore are left out.
set -eu
preamble=$1
shift
cat "$preamble"
awk '
function roff(s)
{
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	gsub(/\047/, "\\(aq", s)
	gsub(/\^/, "\\(ha", s)
	gsub(/~/, "\\(ti", s)
	return s
}
function sentence(s)
{
	return toupper(substr(s, 1, 1)) substr(s, 2)
}
FNR == 1 { subject = ""; described = 0; comment = ""; licence = 1 }
/^# SPDX/ { next }
/^#/ {
	sub(/^# ?/, "")
	comment = comment (comment == "" ? "" : "\n") $0
	next
}
FNR > 1 && /^$/ {
	if (licence && comment != "") {
		subject = comment
		licence = 0
	}
	comment = ""
	next
}
/^function [A-Za-z]/ {
	signature = $0
	sub(/^function /, "", signature)
	sub(/[ \t]*[{%].*$/, "", signature)
	sub(/ *\(/, " (", signature)
	name = signature
	sub(/[: (].*/, "", name)
	if (!described) {
		n = split(subject, title, "\n")
		sub(/\.$/, "", title[1])
		print ".SH \"" roff(toupper(title[1])) "\""
		described = 1
	}
	rest = substr(signature, length(name) + 1)
	pending = comment
	print ".TP\n.BR " roff(name) " \"" roff(rest) "\""
	guru = $0
	if (guru !~ /%\{/ && (getline guru) <= 0)
		guru = ""
	if (pending == "" && name == last)
		print "The same."
	else
		print roff(sentence(pending))
	last = name
	if (guru ~ /\/\* guru \*\//)
		print "Needs guru mode."
}
{ comment = "" }
' "$@"
cat <<'END'
.SH "SEE ALSO"
.BR stap (1),
.BR stapprobes (3stap)
END
