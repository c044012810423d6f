# SPDX-License-Identifier: GPL-2.0-or-later
# Sets up `make KIND COUNT`, the text of a script that does a thing so many times, each with values of its own.
make() {
	awk -v kind="$1" -v n="$2" 'BEGIN {
		print "global a, s, i" (kind == "sprintf" ? ", t" : "")
		if (kind == "calls")
			for (k = 0; k < n; k++) printf "function f%d() { printf(\"%%d %%d\\n\", i, a[i]); print(a[i + 1]) }\n", k
		print "probe begin {\n\ti = tid()\n\ts[i] <<< 1"
		for (k = 0; k < n; k++) {
			if (kind == "println") print "\tprintln(i)"
			if (kind == "try") print "\ttry { a[i]++ } catch (e) { println(e) }"
			if (kind == "sprintf") printf "\tt = sprintf(\"%%d %d\", i) . t\n", k
			if (kind == "times") printf "\ta[i, %d] *= 3\n", k
			if (kind == "foreach") printf "\tforeach ([x, y] in a) println(x + %d)\n", k
			if (kind == "stat") printf "\tprintln(@avg(s[i]) + %d)\n\tprint(@hist_log(s[i]))\n", k
			if (kind == "calls") printf "\tf%d()\n", k
		}
		if (kind != "times" && kind != "foreach") printf "\ta[i] = 1\n"
		else printf "\ta[i, 0] = 1\n"
		print "\tprintln(i)\n}"
	}'
}
