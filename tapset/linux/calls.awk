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
# entry, and `name`; the first has argstr, those of its variables that are about the call itself, the other retstr, the result, in
# hexadecimal with a line "returns a pointer", "" and retvalue 0 with "returns nothing". Where there is a size, units says of what: "pages" of those in an
# address space, but for writes of some bytes of one, else "bytes". A point may have the mark ! or ? behind it. $PARAMETER is the parameter that BTF describes; where a module has
# none (before kernel 5.11, 36e68442d1af), it is known by the place that it has among those in parentheses, which are only listed where that shall be so, by
# any name; those with :int are signed and of 32 bits. What leads on from a parameter ($PARAMETER->member) needs BTF or DWARF.
#
# Values that several calls have of the same thing are written once, with THIS for the thing:
#
#   values SET
#           VARIABLE = VALUE of THIS
#
# of which a call takes some by a line "SET(THING): VARIABLE NEW=VARIABLE ...", the second under another name.
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

# What a call is given, said in the order of its variables, each value once: not who makes it of what, nor what the kernel knows of that.
function arguments(   i, format, list, word, said)
{
	format = list = ""
	split("", said)
	for (i = 1; i <= n_values; i++) {
		word = " " value_names[i] " "
		if (values_of[i] in said || index(" " about " ", word))
			continue
		said[values_of[i]] = 1
		format = format (format == "" ? "" : ", ") \
			(values_of[i] ~ /^&/ || index(" " pointers " ", word) ? "%p" : index(" " texts " ", word) ? "%s" : "%d")
		list = list ", " value_names[i]
	}
	return "\targstr = " (list == "" ? "\"\"" : "sprintf(\"" format "\"" list ")") "\n"
}

# The result, which a function that is described and has no $return does not have. Where nothing is described it is in the register, whose
# low half counts unless it is a pointer.
function result(   i, described, form, raw)
{
	if (is_void)
		return "\tretstr = \"\"\n\tretvalue = 0\n"
	form = is_pointer ? 2 : 1
	raw = "return_str(" form ", " (is_pointer ? "returnval()" : "returnval() << 32 >> 32") ")"
	for (i = 1; i <= n_parameters; i++)
		described = described (i > 1 ? " || " : "") "@defined($" parameters[i] ")"
	return "\tretstr = @choose_defined(return_str(" form ", $return), " (n_parameters ? "(" described ") ? \"\" : " : "") raw ")\n"
}

function units(   i)
{
	for (i = 1; i <= n_values; i++)
		if (value_names[i] == "size")
			return "\tunits = \"" (name ~ /\.aop\./ && name !~ /\.write_/ ? "pages" : "bytes") "\"\n"
	return ""
}

function expand(line, returns,   out, word, rest)
{
	out = ""
	while (match(line, /\$[a-z_][a-z_0-9]*/)) {
		word = substr(line, RSTART + 1, RLENGTH - 1)
		if (!(word in known)) {
			known[word] = 1
			parameters[++n_parameters] = word
		}
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

function begin_set(text)
{
	set = text
	sets[set] = 1
	in_set = 1
}

# VARIABLE = VALUE of a set
function add_to_set(line)
{
	set_values[set, $1] = substr(line, index(line, "= ") + 2)
}

# One variable of a call
function add_value(variable, value,   line)
{
	value_names[++n_values] = variable
	values_of[n_values] = value
	line = "\t" variable " = "
	at_entry = at_entry line expand(value, 0) "\n"
	at_return = at_return line "@entry(" expand(value, 0) ")\n"
}

# "NAME" or "NEW=NAME" of a set, of THING
function take(set_name, thing, word,   new, value, out, at)
{
	new = word
	sub(/=.*/, "", new)
	sub(/.*=/, "", word)
	if (!((set_name, word) in set_values))
		fail("no value " word " in " set_name)
	value = set_values[set_name, word]
	out = ""
	while ((at = index(value, "THIS"))) {
		out = out substr(value, 1, at - 1) thing
		value = substr(value, at + length("THIS"))
	}
	add_value(new, out value)
}

# SET(THING): VARIABLE ...
function take_all(line,   set_name, at, thing, words, n, i)
{
	sub(/^\t/, "", line)
	set_name = substr(line, 1, index(line, "(") - 1)
	if (!(set_name in sets))
		fail("no set of values " set_name)
	at = index(line, "): ")
	thing = substr(line, length(set_name) + 2, at - length(set_name) - 2)
	n = split(substr(line, at + 3), words, " ")
	for (i = 1; i <= n; i++)
		take(set_name, thing, words[i])
}

function begin_call(text)
{
	name = text
	sub(/ = .*/, "", name)
	sub(/^[^=]* = /, "", text)
	read_points(text)
	calls[++n_calls] = name
	at_entry = at_return = ""
	n_values = is_void = is_pointer = n_parameters = 0
	split("", known)
	in_call = 1
}

function end_call()
{
	if (!in_call)
		return
	printf "probe %s = %s\n{\n\tname = \"%s\"\n%s%s%s}\n\n", name, points, name, at_entry, units(), arguments()
	printf "# And is done.\n%sprobe %s.return = %s\n{\n\tname = \"%s\"\n%s%s%s}\n",
		values, name, returns, name, at_return, units(), result()
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

BEGIN {
	texts = "client_ip fh file_name filename new_fh new_name new_progname old_fh old_name old_progname pathname peer_ip procname progname sv_name " \
		"sv_progname servername tfh tname whence_str"
	about = "dev ino s_id devname client server_ip prot version proto client_ip inode size cache_valid cache_time attrtimeo attr_time parent_name " \
		"uid gid i_flag i_size i_state sb_flag rsize wsize rpages wpages vm_flag fl_type fl_flag fl_start fl_end folio " \
		"len bytes_to_read bytes_to_write file maxbyte whence"
	pointers = "__page buf vec"
}
/^call / {
	begin_call(substr($0, 6))
	next
}
/^group / {
	group(substr($0, 7))
	next
}
in_call && /^\treturns (nothing|a pointer)$/ {
	is_void = /nothing/
	is_pointer = !is_void
	next
}
in_call && /^\t[a-z]+\(.*\): / {
	take_all($0)
	next
}
in_call && /^\t/ && $2 == "=" {
	add_value($1, substr($0, index($0, "=") + 2))
	next
}
in_call && /^\t/ {
	at_entry = at_entry expand($0, 0) "\n"
	at_return = at_return expand($0, 1) "\n"
	next
}
/^values / {
	end_call()
	begin_set(substr($0, 8))
	next
}
in_set && /^\t/ {
	add_to_set($0)
	next
}
in_set && /^$/ {
	in_set = 0
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
