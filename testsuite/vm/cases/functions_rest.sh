# SPDX-License-Identifier: GPL-2.0-or-later
# What the case functions_rest shows: the stacks of two calls are held against each other here, for
# their addresses differ between runs.
"$1" -o /tmp/functions_rest.out -c "$3 > /dev/null" "$2" || exit
for second in 1 2 3 4 5 6 7 8 9 10; do
	[ -s /tmp/functions_rest.all ] && break
	sleep 1
done
awk '
function compare(a, b) {
	print a ": " (lines[a] > 3 ? "whole" : "short") ", " (text[a] == text[b] ? "same" : "DIFFERENT\n" text[a] text[b])
}
/^-- / { part = substr($0, 4); next }
part == "" { print; next }
{ text[part] = text[part] $0 "\n"; lines[part]++ }
END {
	compare("own", "given")
	compare("own lines", "given lines")
	print "nowhere:", lines["nowhere"] + 0
	print "no stack: " (lines["no stack"] > 0 ? "its top" : "nothing")
}' /tmp/functions_rest.out
cat /tmp/functions_rest.all
