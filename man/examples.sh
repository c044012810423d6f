#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# examples.sh DIR PAGE...: every example of the manual as a test case for spile-test in DIR.
#
# In a page, a comment line before a literal block (.EX to .EE) says what the block is:
#   .\" example: NAME         shell commands when the block begins with stap or staprun, else a script; compiled
#   .\" example: NAME guest   a script that is run in a guest; what it must print is the block after the next line
#   .\" output: NAME
#   .\" message: NAME         what that example writes to standard error, with status 1; of a script that is named script.stp the
#                             name and the line are not compared
#   .\" message: NAME -e '...' the same of stap with these arguments, without an example
# A literal block without such a line is an error, so that no example escapes. Forms of foreach in running text, alone on a line
# of a font macro, are scripts to be parsed.
set -eu
dir=$1
shift
rm -rf "$dir"
mkdir -p "$dir"
for page in "$@"; do
	base=${page##*/}
	awk -v prefix="$dir/$(printf '%s' "$base" | tr -c 'a-zA-Z0-9_\n' _)-" -v page="$base" '
	function text(line)
	{
		sub(/^\\&/, "", line)
		gsub(/\\-/, "-", line)
		gsub(/\\\(aq/, "\047", line)
		gsub(/\\\(ga/, "`", line)
		gsub(/\\\(ha/, "^", line)
		gsub(/\\\(ti/, "~", line)
		gsub(/\\e/, "\\", line)
		return line
	}
	function start_script()
	{
		out = prefix name ".stp"
		print "# " page ": example " name > out
		if (guest) {
			print "# timeout: 60\n# match: exact" > out
		} else {
			print "# host: 1\n# timeout: 180\n# match: contains\n# run: -p4 %s" > out
			printf "" > (prefix name ".out")
		}
	}
	function start_commands()
	{
		out = prefix name ".stp"
		print "# " page ": example " name > out
		print "# host: 1\n# timeout: 180\n# match: contains\n# shell: sh " base(prefix name ".sh") > out
		printf "" > (prefix name ".out")
		close(out)
		out = prefix name ".sh"
		print "set -e\ncd \"$(mktemp -d)\"\ntrap \047rm -rf \"$PWD\"\047 EXIT" > out
		print "stap() { \"$STAP\" -r \"$KERNEL\" -p4 \"$@\"; }" > out
		print "# Loading is for guests; here it is enough that what would be loaded is there." > out
		print "staprun() { for word; do case $word in *.ko) test -e \"$word\" ;; esac; done; }" > out
	}
	# The text as a regular expression: files are named otherwise here, and lines count from the comment.
	function pattern(line)
	{
		gsub(/[][\\.*^$+?(){}|]/, "\\\\&", line)
		gsub(/script\\\.stp:[0-9]+/, "[^ ]+\\.stp:[0-9]+", line)
		return line
	}
	function start_message(arguments)
	{
		out = prefix name ".stp"
		print "# " page ": message " name > out
		print "# timeout: 60\n# status: 1\n# errors: lines" > out
		if (arguments != "")
			print "# shell: \"$STAP\" " arguments > out
		else
			printf "%s", script > out
		close(out)
	}
	function base(path)
	{
		sub(/.*\//, "", path)
		return path
	}
	function fail(why)
	{
		print page ":" NR ": " why > "/dev/stderr"
		failed = 1
		exit 1
	}
	/^\.\\" example: / { name = $3; guest = $4 == "guest"; kind = "example"; script = ""; next }
	/^\.\\" output: / { name = $3; kind = "output"; next }
	/^\.\\" message: / {
		name = $3
		kind = "message"
		sub(/^\.\\" message: [^ ]* */, "")
		start_message($0)
		next
	}
	/^\.B[RI]* "*foreach \(/ {
		form = text($0)
		sub(/^\.B[RI]* "*/, "", form)
		sub(/"* *[,.]*$/, "", form)
		form_file = prefix "foreach" ++n_forms ".stp"
		print "# " page ": a form of foreach" > form_file
		print "# host: 1\n# run: -p1 %s\n# match: any" > form_file
		print "probe oneshot { " form " print(0) }" > form_file
		close(form_file)
	}
	/^\.EX/ {
		if (kind == "")
			fail("a literal block that no example:, output: or message: line names")
		inside = 1
		out = kind == "output" ? prefix name ".out" : kind == "message" ? prefix name ".err" : ""
		next
	}
	/^\.EE/ {
		if (!inside)
			fail("an end without a beginning")
		close(out)
		inside = 0
		kind = ""
		next
	}
	inside && out == "" {
		if (text($0) ~ /^(stap|staprun) /)
			start_commands()
		else
			start_script()
	}
	# with -v stap tells of its passes, and shall not warn
	inside && out ~ /\.sh$/ && text($0) ~ /^stap .*-v/ {
		print "^Pass 1: parsed" > (prefix name ".err")
		close(prefix name ".err")
	}
	inside && kind == "example" { script = script text($0) "\n" }
	inside { print kind == "message" ? pattern(text($0)) : text($0) > out }
	END { exit failed }
	' "$page"
done
