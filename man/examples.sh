#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# examples.sh DIR PAGE...: every example of the manual as a test case for spile-test in DIR.
#
# In a page, a comment line before a literal block (.EX to .EE) says what the block is:
#   .\" example: NAME         shell commands when the block begins with stap or staprun, else a script; compiled
#   .\" example: NAME guest   a script that is run in a guest; what it must print is the block after the next line
#   .\" output: NAME
#   .\" message: NAME         what the program prints, shown only
# A literal block without such a line is an error, so that no example escapes.
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
	/^\.\\" example: / { name = $3; guest = $4 == "guest"; kind = "example"; next }
	/^\.\\" output: / { name = $3; kind = "output"; next }
	/^\.\\" message: / { kind = "message"; next }
	/^\.EX/ {
		if (kind == "")
			fail("a literal block that no example:, output: or message: line names")
		inside = 1
		out = kind == "output" ? prefix name ".out" : kind == "message" ? "/dev/null" : ""
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
	inside { print text($0) > out }
	END { exit failed }
	' "$page"
done
