# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes a file of the library of one with pairs of aliases: awk -f calls.awk FAMILY.calls
#
# Text of the library, where a probe may also be written as
#
#   call NAME = MODULE:FUNCTION(PARAMETER...), ...
#           VARIABLE = VALUE
#
# which becomes the alias NAME at the function's entry and NAME.return behind its end, with the same variables, those of the
# entry, and `name`. A point may have the mark ! or ? behind it. $PARAMETER is the parameter that BTF describes; where a module has
# none (before kernel 5.11, 36e68442d1af), it is known by the place that it has among those in parentheses, which are only listed where that shall be so, by
# any name; those with :int are signed and of 32 bits. What leads on from a parameter ($PARAMETER->member) needs BTF or DWARF.
#
#   group NAME = PREFIX SUFFIX
#
# is the alias NAME of all calls so far whose names are PREFIX and one word more; of their ends when SUFFIX is .return.

function fail(why)
{
	printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

# A parameter that may have no description, at the entry and at the return.
function parameter(name, returns,   value)
{
	value = is_int[name] ? "int_arg(" place[name] ")" : "pointer_arg(" place[name] ")"
	return "@choose_defined($" name ", " (returns ? "@entry(" value ")" : value) ")"
}

function expand(line, returns,   out, word, rest)
{
	out = ""
	while (match(line, /\$[a-z_][a-z_0-9]*/)) {
		word = substr(line, RSTART + 1, RLENGTH - 1)
		rest = substr(line, RSTART + RLENGTH)
		out = out substr(line, 1, RSTART - 1)
		out = out (word in place && rest !~ /^->/ ? parameter(word, returns) : "$" word)
		line = rest
	}
	return out line
}

# The points as they are listed, by the library's names
function read_points(text,   n, i, j, parts, names, count, point, mark)
{
	split("", place)
	split("", is_int)
	points = returns = ""
	gsub(/\),[ ]*/, ")\n", text)
	gsub(/\)[ ]*!,[ ]*/, ")!\n", text)
	gsub(/\)[ ]*\?,[ ]*/, ")?\n", text)
	n = split(text, parts, "\n")
	for (i = 1; i <= n; i++) {
		if (!match(parts[i], /^[a-z0-9_]+:[a-z0-9_]+\([^)]*\)[ ]*[!?]?$/))
			fail("not a point: " parts[i])
		mark = parts[i]
		sub(/.*\)[ ]*/, "", mark)
		count = split(substr(parts[i], index(parts[i], "(") + 1), names, /[, )]+/)
		for (j = 1; j <= count; j++) {
			if (names[j] !~ /^[a-z]/)
				continue
			word = names[j]
			sub(/:int$/, "", word)
			if (!(word in place))
				place[word] = j
			if (word != names[j])
				is_int[word] = 1
		}
		sub(/\(.*/, "", parts[i])
		split(parts[i], names, ":")
		point = (names[1] == "kernel" ? "kernel" : "module(\"" names[1] "\")") ".function(\"" names[2] "\")"
		points = points (i > 1 ? ",\n\t" : "") point (mark == "" ? "" : " " mark)
		returns = returns (i > 1 ? ",\n\t" : "") point ".return" (mark == "" ? "" : " " mark)
	}
}

function begin_call(text)
{
	name = text
	sub(/ = .*/, "", name)
	sub(/^[^=]* = /, "", text)
	read_points(text)
	calls[++n_calls] = name
	at_entry = at_return = ""
	in_call = 1
}

function end_call()
{
	if (!in_call)
		return
	printf "probe %s = %s\n{\n\tname = \"%s\"\n%s}\n\n", name, points, name, at_entry
	printf "# And is done.\n%sprobe %s.return = %s\n{\n\tname = \"%s\"\n%s}\n", values, name, returns, name, at_return
	in_call = 0
}

function group(text,   words, i, list, short)
{
	split(text, words, / = | /)
	list = ""
	for (i = 1; i <= n_calls; i++) {
		short = calls[i]
		if (index(short, words[2] ".") == 1 && substr(short, length(words[2]) + 2) !~ /\./)
			list = list (list == "" ? "" : ",\n\t") short words[3] " ?"
	}
	if (list == "")
		fail("no call is in " words[2])
	printf "probe %s = %s\n{\n}\n", words[1], list
}

/^call / {
	begin_call(substr($0, 6))
	next
}
/^group / {
	group(substr($0, 7))
	next
}
in_call && /^\t/ {
	at_entry = at_entry expand($0, 0) "\n"
	at_return = at_return expand($0, 1) "\n"
	next
}
{
	end_call()
	if ($0 !~ /^#   /)
		values = ""
	else
		values = values $0 "\n"
	print
}
END {
	if (!failed)
		end_call()
}
