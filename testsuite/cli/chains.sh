# SPDX-License-Identifier: GPL-2.0-or-later
# Long chains: what was one name for another is not endless, and what has no limit by itself has one that is told.
# Sets up `make KIND COUNT`, the text of a script.
make() {
	awk -v kind="$1" -v n="$2" 'BEGIN {
		if (kind == "macros")
			for (i = 0; i < n; i++) printf "@define a%d %%( @a%d %%)\n", i, i + 1
		if (kind == "macros")
			printf "@define a%d %%( 7 %%)\nprobe begin { println(@a0) }\n", n
		if (kind == "tokens") {
			for (i = 0; i < n; i++) printf "@define a%d %%( @a%d @a%d %%)\n", i, i + 1, i + 1
			printf "@define a%d %%( %%)\nprobe begin { println(1 @a0) }\n", n
		}
		if (kind == "aliases") {
			for (i = 0; i < n; i++) printf "probe a%d = a%d { v = %d; println(v) }\n", i, i + 1, i
			printf "probe a%d = begin {}\nprobe a0 {}\n", n
		}
		if (kind == "ifs") {
			printf "global n\nprobe timer.s(1) { n++ }\nprobe begin {\n\tif (!n) println(\"none\")\n"
			for (i = 1; i < n; i++) printf "\telse if (n == %d) println(%d)\n", i, i
			printf "\telse println(\"many\")\n}\n"
		}
	}'
}
