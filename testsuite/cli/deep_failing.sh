# SPDX-License-Identifier: GPL-2.0-or-later
# What is nested deep and may fail at every level: the text of each level stands in that of the one around it.
# Sets up `make KIND COUNT`, the text of a script.
make() {
	awk -v kind="$1" -v n="$2" 'BEGIN {
		printf "global a, b\nprobe timer.s(1) { a++; b++ }\nprobe begin {\n"
		if (kind == "ifs") {
			printf "\tif (a / b == 0) println(0)\n"
			for (i = 1; i < n; i++) printf "\telse if (a / b == %d) println(%d)\n", i, i
		}
		if (kind == "blocks") {
			for (i = 0; i < n; i++) printf "\tif (a / b == %d) {\n", i
			printf "\tprintln(b)\n"
			for (i = 0; i < n; i++) printf "\t}\n"
		}
		if (kind == "ternaries") {
			printf "\tprintln("
			for (i = 0; i < n; i++) printf "a / b == %d ? %d : (\n", i, i
			printf "b"
			for (i = 0; i < n; i++) printf ")"
			printf ")\n"
		}
		if (kind == "ands") {
			printf "\tprintln(a"
			for (i = 0; i < n; i++) printf "\n&& a / b == %d", i
			printf ")\n"
		}
		if (kind == "andsnested") {
			printf "\tprintln(a"
			for (i = 0; i < n; i++) printf "\n&& (a / b == %d", i
			for (i = 0; i < n; i++) printf ")"
			printf ")\n"
		}
		printf "}\n"
	}'
}
