# SPDX-License-Identifier: GPL-2.0-or-later
# Of each line that keeps the compiler from moving things: the function that has it.
for file in nested.c:nested nested.cpp:nested_cxx within.rs:within within.rs:withinO; do
	source=${file%:*} program=${file#*:}
	echo "$program"
	grep -n -e '__asm__' -e 'black_box(' ../programs/$source | while IFS=: read -r line text; do
		"$STAP" -l "process(\"$BUILD/programs/$program\").statement(\"*@$source:$line\")" 2>&1 |
			sed '/^indexing/d; s/.*statement("//; s/@.*:/ /; s/").*//' | uniq
	done
done
