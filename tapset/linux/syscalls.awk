# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the aliases of one kind of the system calls:
#
#   awk -v tier=syscall|tp_syscall|nd_syscall|dw_syscall -f syscalls.awk syscalls_MACHINE.def syscalls.tbl
#
# A page for each call (the library reads a file page by page): the alias and its .return. syscall and tp_syscall are at the system
# call itself, nd_syscall and dw_syscall at the functions that serve it. In guru mode tp_syscall and nd_syscall give the call what the
# handler has stored to variables of its arguments.

function fail(why)
{
	printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

function say(line)
{
	body = body "\t" line "\n"
}

function var(name, value)
{
	say(name " = " value)
}

# A part of argstr: its conversion, and what it shows.
function show(conversion, value)
{
	if (hidden)
		return
	format = format (n_shown++ ? ", " : "") conversion
	shown = shown ", " value
}

function string_vars(name, arg)
{
	var(name, "user_string_quoted(" arg ")")
	var(name "_unquoted", "user_string_nofault(" arg ")")
	var(name "_uaddr", arg)
}

function number(letter, name, arg)
{
	if (letter == "i")
		arg = arg " << 32 >> 32"
	else if (letter ~ /[zo]/)
		arg = arg " & 0xffffffff"
	var(name, arg)
	show(conversions[letter], name)
}

# V, and its text in V_str or the variable that the word behind says
function decoded(name, text, arg, as)
{
	if (name != as)
		var(name, arg)
	var(as, text)
	show("%s", as)
}

function socket_address(name, arg, len,    i)
{
	var(name, arg)
	var("addrlen", len)
	for (i = 1; i <= n_parts; i++)
		var("uaddr_" parts[i], "_stp_sockaddr_part(" arg ", " len ", " i - 1 ")")
	show("%s", "_stp_sockaddr_str(" arg ", " len ")")
	show("%d", "addrlen")
}

function expression(text)
{
	gsub(/,_/, ", ", text)
	return text
}

function item(text,    word, n, letter, name, arg, as)
{
	hidden = sub(/^-/, "", text)
	if (text ~ /^[0-9]@/) {
		next_arg = substr(text, 1, 1)
		text = substr(text, 3)
	}
	if (text ~ /^\+/) {
		match(text, /=/)
		later = later "\t" substr(text, 2, RSTART - 2) " = " expression(substr(text, RSTART + 1)) "\n"
		return
	}
	if (text ~ /^=/) {
		text = substr(text, 2)
		match(text, /=/)
		name = substr(text, 1, RSTART - 1)
		var(name, expression(substr(text, RSTART + 1)))
		show("%s", name)
		return
	}
	if (text ~ /^~/) {
		format = format "%s"
		shown = shown ", " expression(substr(text, 2))
		return
	}
	if (text ~ /^ret=/) {
		ret_format = substr(text, 5)
		return
	}
	n = split(text, word, ":")
	letter = word[1]
	name = word[2]
	arg = "$arg" next_arg++
	as = n > 3 ? word[4] : name "_str"
	if (n < 2 || next_arg > 7)
		fail("not an item: " text)
	if (letter in conversions) {
		number(letter, name, arg)
	} else if (letter == "s") {
		string_vars(name, arg)
		show("%s", name)
		strings = strings "\t" name " = user_string_quoted(" arg ")\n"
	} else if (letter == "q") {
		var(name, arg)
		var(name "_str", "user_string_quoted(" arg ")")
		var(name "_str_unquoted", "user_string_nofault(" arg ")")
		show("%s", name "_str")
	} else if (letter == "D") {
		decoded(name, "_stp_dfd_str(" arg ")", arg, as)
	} else if (letter == "F") {
		decoded(name, "_stp_flags_str(\"" word[3] "\", " arg ")", arg, as)
	} else if (letter == "E") {
		decoded(name, "_stp_enum_str(\"" word[3] "\", " arg ")", arg, as)
	} else if (letter == "X") {
		decoded(name, word[3] "(" arg ")", arg, as)
	} else if (letter == "T") {
		if (!(word[3] in forms))
			fail("no form " word[3])
		decoded(name, "_stp_user_form(\"" forms[word[3]] "\", " arg ")", arg, as)
	} else if (letter == "A") {
		socket_address(name, arg, "$arg" next_arg++)
	} else {
		fail("not an item: " text)
	}
}

# ---- where the aliases attach ----

function add_function(name, suffix)
{
	if (!(name in seen)) {
		seen[name] = 1
		points = points (points == "" ? "" : ", ") "kernel.function(\"" name "\")" suffix " ?"
	}
}

# A function without arguments is the same under both prefixes, and its call one hit.
function add_entries(list, prefix, suffix,    word, n, i)
{
	n = split(list, word, " ")
	for (i = 1; i <= n; i++)
		if (!(word[i] in seen && word[i] in without_arguments))
			add_function(prefix word[i], suffix)
}

# At the functions that serve the calls; those of 32-bit programs have a prefix of their own.
function functions(calls, suffix,    word, n, i, kind, name)
{
	points = ""
	for (name in seen)
		delete seen[name]
	n = split(calls, word, ",")
	for (i = 1; i <= n; i++) {
		kind = word[i] ~ /^(32|64):/ ? substr(word[i], 1, 2) : ""
		name = kind == "" ? word[i] : substr(word[i], 4)
		if (kind != "32" && name in native)
			add_entries(native[name], "", suffix)
		if (kind != "64" && name in compat)
			add_entries(compat[name], "__ia32_", suffix)
	}
	return points
}

function target(calls, is_return)
{
	if (tier ~ /^[nd][dw]_/)
		return functions(calls, is_return ? ".return" : ".call")
	gsub(/,/, " ", calls)
	return "kernel.syscall(\"" calls "\")" (is_return ? ".return" : "")
}

function name_of_call(by_call)
{
	if (!by_call)
		return "\"" alias "\""
	return tier ~ /^[nd][dw]_/ ? "_stp_call_name(ppfunc())" : "$$name"
}

# A store that is made behind a handler which stores to the variable.
function write_back(variable, store)
{
	return "\tif (@probewrite(" variable ")) " store "\n"
}

# The variables of an alias' body that are an argument, the low half of one, or the string that one points to.
function write_backs(body,    line, n, i, word, arg, text)
{
	n = split(body, line, "\n")
	for (i = 1; i <= n; i++) {
		if (line[i] !~ /^\t[a-z0-9_]+ = (user_string_nofault\()?\$arg[1-6]( << 32 >> 32| & 0xffffffff|\))?$/)
			continue
		split(line[i], word)
		arg = substr(line[i], index(line[i], "$"), 5)
		text = text write_back(word[1],
			line[i] ~ /\)$/ ? "set_user_string(" arg ", " word[1] ")" : arg " = " word[1])
	}
	return text
}

function epilogue(    text)
{
	text = tier ~ /^(tp|nd)_/ ? write_backs(entry) : ""
	return text == "" ? "" : "%( guru_mode == 1 %? , {\n" text "} %)\n"
}

function emit(by_call,    n)
{
	if (target(calls, 0) == "")
		return
	name = "\tname = " name_of_call(by_call) "\n"
	printf "%sprobe %s.%s = %s\n{\n%s%s}\n%s\n", n_pages++ ? "\f\n" : "", tier, alias,
		target(calls, 0), name, entry, epilogue()
	printf "probe %s.%s.return = %s\n{\n%s\tretval = $return\n\tretstr = return_str(%d, $return)\n%s}\n",
		tier, alias, target(calls, 1), name, ret_format, leaving
}

function begin_row()
{
	alias = calls = $1
	sub(/=.*/, "", alias)
	sub(/^[^=]*=/, "", calls)
	body = later = format = shown = strings = leaving = ""
	n_shown = 0
	next_arg = 1
	ret_format = 1
}

function end_items(    argstr)
{
	argstr = format == "" ? "\"\"" : format == "%s" ? substr(shown, 3) : "sprintf(\"" format "\"" shown ")"
	entry = body later "\targstr = " argstr "\n"
	leaving = strings
	later = ""
}

BEGIN {
	n_parts = split("af ip ip_port ipv6_flowinfo ipv6_scope_id", parts, " ")
	n = split("d %d u %u x %#x p %p o %#o i %d z %u", word, " ")
	for (i = 1; i < n; i += 2)
		conversions[word[i]] = word[i + 1]
	n = split("fork vfork getegid geteuid getgid getpgrp getpid getppid gettid getuid inotify_init munlockall " \
		"pause restart_syscall sched_yield setsid sync vhangup", word, " ")
	for (i = 1; i <= n; i++)
		without_arguments["sys_" word[i]]
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Made of syscalls.tbl by syscalls.awk."
	n_pages = 1
}

/^(NATIVE|COMPAT)\(/ {
	split($0, quoted, "\"")
	split($0, word, /[(,] ?/)
	if (/^NATIVE/)
		native[word[3]] = quoted[2]
	else
		compat[word[3]] = quoted[2]
	next
}

by_hand && /^}/ {
	by_hand = 0
	entry = body
	emit(0)
	next
}

by_hand {
	body = body $0 "\n"
	next
}

$1 == "form" {
	forms[$2] = substr($0, length($1 $2) + 3)
	next
}

/^[a-z]/ {
	begin_row()
	if ($NF == "{") {
		by_hand = 1
		next
	}
	in_return = 0
	for (i = 2; i <= NF; i++) {
		if ($i == "|") {
			end_items()
			in_return = 1
		} else {
			item($i)
		}
	}
	if (in_return)
		leaving = leaving later
	else
		end_items()
	emit($0 ~ /name==|\(name,/)
}

END {
	exit failed
}
