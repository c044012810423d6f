# SPDX-License-Identifier: GPL-2.0-or-later
# Line 13 of a program is taken the mark of beginning a statement, as compilers do where they moved what is at it.
dir=$(mktemp -d "${TMPDIR:-/tmp}/lines.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cat > "$dir/lines.c" <<'END'
#include <stdlib.h>
static int counted;
static inline __attribute__((always_inline)) int twice(int x)
{
	counted++;
	return x * 2;
}
__attribute__((noinline)) int sum(int a, int b)
{
	int all;

	all = a + b;
	all ^= b * 3;
	if (all > 10)
		all += twice(b);
	else
		all = 7;
	return all;
}
__attribute__((noinline)) int last(int a)
{
	counted += a;
	if (counted > 10) {
		int half = atoi("7") / a;

		counted -= half;
		return half * counted;
	}
	return counted;
}
int main(int argc, char **argv)
{
	return sum(argc, atoi(argv[1] ? argv[1] : "3")) + last(argc);
}
END
cd "$dir" && gcc -g -O2 -S lines.c -o marked.s || exit
awk '/^\t\.loc [0-9]/ { sub(/is_stmt [01]/, ""); $0 = $0 ($3 == 13 ? " is_stmt 0" : " is_stmt 1") } { print }' marked.s > lines.s
gcc lines.s -o lines || exit
for function in sum twice; do
	"$STAP" -r "$KERNEL" -l "process(\"$dir/lines\").statement(\"$function@lines.c:*\")" | sed "s,$dir/,,g"
done
"$STAP" -r "$KERNEL" -L "process(\"$dir/lines\").statement(\"sum@lines.c:13\")" | sed "s,$dir/,,g"
# a local that has no value yet is not listed
"$STAP" -r "$KERNEL" -L "process(\"$dir/lines\").function(\"sum\").call" | sed "s,$dir/,,g"
"$STAP" -r "$KERNEL" -l "process(\"$dir/lines\").function(\"*@lines.c:13\")" | sed "s,$dir/,,g"
# by its address, wherever it is
at=$("$STAP" -r "$KERNEL" -p2 -e "probe process(\"$dir/lines\").statement(\"sum@lines.c:13\") { println(1) }" | sed -n 's,.*+\(0x[0-9a-f]*\) .*,\1,p')
"$STAP" -r "$KERNEL" -L "process(\"$dir/lines\").statement($at)" | sed "s,$dir/,,g; s/$at/ADDRESS/"
# a line of what is inlined into a function, by the name of either
"$STAP" -r "$KERNEL" -l "process(\"$dir/lines\").statement(\"sum@lines.c:5\")" | sed "s,$dir/,,g"
# a local of an inner block is not known at the entry, and a near name is not what is meant
"$STAP" -r "$KERNEL" -p2 -e "probe process(\"$dir/lines\").function(\"last\") { println(\$half) }" 2>&1 | sed -n "s,$dir/,,; s/^ *hint: //p"
