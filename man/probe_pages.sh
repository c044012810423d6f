#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# probe_pages.sh DIR FILE...: in DIR a page probe::NAME.3stap for each alias that scripts may use in the library's FILEs, from the comment
# right before it, and a page tapset::NAME.3stap for each FILE that has an alias or a function, with what it holds.
#
# The first comment of a file is about the whole. In an alias's comment the indented lines are its variables. One without a comment is
# described by the comment before, and one that begins with "And" or "The same" goes on where that ended. Names that begin with an
# underscore are left out.
set -eu
dir=$1
shift
rm -rf "$dir"
mkdir -p "$dir"
awk -v dir="$dir" "$(cat "${0%/*}/roff.awk")"'
function capital(s) { return toupper(substr(s, 1, 1)) substr(s, 2) }
# the first sentence, for lists
function brief(s)
{
	sub(/[.:;] .*|[.:;]$/, "", s)
	return s
}
function header(page, kind, name, what)
{
	printf ".TH %s::%s 3stap \"\" Spile \"Spile manual\"\n", toupper(kind), roff(toupper(name)) > page
	printf ".SH NAME\n%s::%s \\- %s\n", kind, roff(name), roff(brief(what)) > page
}
function listed(name, what)
{
	members[file] = members[file] ".TP\n.B " roff(name) "\n" roff(capital(brief(what))) "." "\n"
}
# takes the comment before an alias
function describe()
{
	if (text == "")
		short = brief(text = subject)
	if (comment == "")
		return
	if (comment ~ /^(And|The same|By|Over) /) {
		text = begun " " comment
		short = brief(begun) ", " tolower(substr(comment, 1, 1)) brief(substr(comment, 2))
	} else {
		text = begun = comment
		short = brief(comment)
	}
	variables = values
}
function alias(name,   page)
{
	page = dir "/probe::" name ".3stap"
	header(page, "probe", name, short)
	printf ".SH SYNOPSIS\n.B probe %s\n", roff(name) > page
	printf ".SH DESCRIPTION\n%s\n", roff(capital(text)) > page
	if (variables != "")
		printf ".SH VALUES\n%s\n", roff(variables) > page
	printf ".SH \"SEE ALSO\"\n.BR tapset::%s (3stap),\n.BR stapprobes (3stap),\n.BR stap (1)\n", file > page
	close(page)
	listed(name, short)
}
function end_file(   page)
{
	if (members[file] == "")
		return
	page = dir "/tapset::" file ".3stap"
	header(page, "tapset", file, subject)
	printf ".SH DESCRIPTION\n%s\n", roff(subject) > page
	printf "%s", members[file] > page
	printf ".SH \"SEE ALSO\"\n.BR stapprobes (3stap),\n.BR stapfuncs (3stap),\n.BR stap (1)\n" > page
	close(page)
}
FNR == 1 {
	if (NR > 1)
		end_file()
	file = FILENAME
	sub(/.*\//, "", file)
	sub(/\.stp$/, "", file)
	subject = comment = values = text = begun = short = variables = ""
	whole = 1
}
/^# SPDX/ { next }
/^#  / {
	sub(/^# +/, "")
	values = values (values == "" ? "" : " ") $0
	next
}
/^#/ {
	sub(/^# ?/, "")
	comment = comment (comment == "" ? "" : " ") $0
	next
}
/^$/ {
	if (whole && comment != "") {
		subject = comment (values == "" ? "" : " " values)
		whole = 0
	}
	comment = values = ""
	next
}
/^probe [a-z_]/ && /[^=!<>]=([^=]|$)/ {
	describe()
	if ($2 !~ /^_/)
		alias($2)
}
/^function [a-z]/ {
	name = $2
	sub(/[:( ].*/, "", name)
	listed(name "()", comment)
}
{ comment = values = "" }
END { end_file() }
' "$@"
