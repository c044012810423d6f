#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# probe_pages.sh DIR BUILTINS FILE...: in DIR a page probe::NAME.3stap for each alias that scripts may use in the library's FILEs, from
# the comment right before it, and a page tapset::NAME.3stap for each FILE that has an alias or a function, with what it holds.
#
# The first comment of a file is about the whole. In an alias's comment the indented lines are about its variables, and "as of NAME" means
# what the comment of that alias says. One without a comment is described by the comment before, and one that begins with "And" or
# "The same" goes on where that ended. Names that begin with an underscore are left out.
#
# The variables themselves are what the alias's body stores to, and those of the aliases that it is made of; a variable is a string when what
# is stored is a literal, a concatenation, another such variable or the result of a function that gives one: of BUILTINS (builtins.def)
# or of the library. So the files are read several times.
set -eu
dir=$1
builtins=$2
shift 2
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
# ---- variables ----
function is_string(name, value,   at)
{
	if ((at = index(value, " ? ")) && value !~ /^[a-z_0-9]+\([^)]*\?/) {
		value = substr(value, at + 3)
		return is_string(name, value)
	}
	if (sub(/^[a-z_]+=="[^"]*"\?/, "", value))
		return is_string(name, value)
	if (value ~ /^@choose_defined\([^,]*, */) {
		sub(/^@choose_defined\([^,]*, */, "", value)
		return is_string(name, value)
	}
	sub(/^@entry\(/, "", value)
	sub(/^\(+/, "", value)
	if (value ~ /^"/ || value ~ /^\$\$/ || value ~ /^\$value( |$)/)
		return 1
	match(value, /^[A-Za-z_0-9]+/)
	if (substr(value, RLENGTH + 1, 1) == "(")
		return substr(value, 1, RLENGTH) in strings || value ~ /^sprintf?\(/
	return (name, substr(value, 1, RLENGTH)) in is_text && substr(value, RLENGTH + 1) !~ /^ *[-+*\/&|<>=!?%]/
}
# the line stores to a variable of the alias
function store(name, line,   variable, value)
{
	sub(/^\t+(if \(.*\) |else )?/, "", line)
	variable = value = line
	sub(/ =.*/, "", variable)
	sub(/^[^=]*= /, "", value)
	if (is_string(name, value) || (value ~ /^@[a-z]+$/ && name in given_text))
		is_text[name, variable] = 1
	if (!((name, variable) in stored)) {
		stored[name, variable] = 1
		stores[name] = stores[name] " " variable
	}
}
# "name:string size:long", each once, those of what the alias is made of first
function variables_of(name,   n, i, word, list)
{
	if (name in shown)
		return ""
	shown[name] = 1
	n = split(bases[name], word, /[ ,!?\t]+/)
	for (i = 1; i <= n; i++)
		if (word[i] in bases)
			list = list variables_of(word[i])
	n = split(stores[name], word, " ")
	for (i = 1; i <= n; i++)
		if (!(word[i] in shown_variable) && word[i] !~ /^__/) {
			shown_variable[word[i]] = 1
			list = list " " word[i] ":" ((name, word[i]) in is_text ? "string" : "long")
		}
	return list
}
# what the comments say that TEXT refers to, each once
function referred(text,   name, list)
{
	while (match(text, /as of [a-z_0-9.]+/)) {
		name = substr(text, RSTART + 6, RLENGTH - 6)
		sub(/\.$/, "", name)
		text = substr(text, RSTART + RLENGTH)
		if (!(name in said) || name in shown_text)
			continue
		shown_text[name] = 1
		list = list ".PP\nOf " roff(name) ": " roff(said[name]) "\n" referred(said[name])
	}
	return list
}
function values_section(name,   list, rest)
{
	split("", shown)
	split("", shown_variable)
	split("", shown_text)
	list = variables_of(name)
	if (list == "" && variables == "")
		return ""
	list = list == "" ? "" : ".B" roff(list) "\n"
	rest = subject
	if (!sub(/^[^.]*\. */, "", rest))
		rest = ""
	return ".SH VALUES\n" list (variables == "" ? "" : ".PP\n" roff(variables) "\n" referred(variables)) \
		(rest == "" || text == subject ? "" : ".PP\n" roff(rest) "\n")
}
# a macro in the body of an alias, which is like another alias that it is made of
function use(name, line,   macro)
{
	match(line, /@[A-Za-z_0-9]+/)
	macro = substr(line, RSTART, RLENGTH)
	bases[name] = bases[name] " " macro
	if (substr(line, RSTART + RLENGTH, 2) == "(\"")
		given_text[macro] = 1
}
# the first reading
function learn(   name)
{
	if (/^BUILTIN\(/) {
		name = $0
		sub(/^BUILTIN\(/, "", name)
		sub(/,.*/, "", name)
		if (/^BUILTIN\([^,]*,[^,]*, STRING/)
			strings[name] = 1
	} else if (/^function [A-Za-z_0-9]+:string/) {
		name = $2
		sub(/:.*/, "", name)
		strings[name] = 1
	}
}
function alias(name,   page)
{
	page = dir "/probe::" name ".3stap"
	header(page, "probe", name, short)
	printf ".SH SYNOPSIS\n.B probe %s\n", roff(name) > page
	printf ".SH DESCRIPTION\n%s\n", roff(capital(text)) > page
	printf "%s", values_section(name) > page
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
reading == 1 && /^(BUILTIN\(|function )/ { learn() }
reading == 1 { next }
reading == 2 && /^probe [a-z_]/ && /[^=!<>]=([^=]|$)/ {
	inside = $2
	made_of = 1
	bases[inside] = ""
}
reading == 2 && /^@define / {
	inside = "@" $2
	sub(/\(.*/, "", inside)
	made_of = 0
	bases[inside] = ""
	if (/%\)$/)
		inside = ""
	next
}
reading == 2 && /^#  / {
	sub(/^# +/, "")
	words = words (words == "" ? "" : " ") $0
	next
}
reading == 2 && inside != "" {
	if (/^\{/)
		made_of = 0
	if (made_of) {
		sub(/^probe [^=]*=/, "")
		bases[inside] = bases[inside] " " $0
		if (words != "")
			said[inside] = words
		words = ""
	} else if (/^(}|%\))/) {
		inside = ""
	} else if (/^\t@[A-Za-z_0-9]+(\(|$)/) {
		use(inside, $0)
	} else if (/^\t+(if \(.*\) |else )?[a-z_0-9]+ = /) {
		store(inside, $0)
	}
}
reading == 2 && /^$/ { words = "" }
reading == 2 { next }
FNR == 1 {
	if (n_files++)
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
' reading=1 "$builtins" "$@" reading=2 "$@" "$@" reading=3 "$@"
