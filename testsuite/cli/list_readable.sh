#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: list_readable.sh STAP PROGRAM: what -L lists is read there, point by point
STAP=$1 program=$2
list() { "$STAP" -L "process(\"$program\").$1" 2>&1 | grep -v '^indexing'; }
read_all() {
	list "$1" | awk '{ printf "probe %s {", $1
		for (i = 2; i <= NF; i++)
			if (sub(/:.*/, "", $i) + index($i, "$") == 2) printf " println(%s == 0)", $i
		print " }" }' > "$script"
	"$STAP" -w -p2 "$script" > /dev/null && [ -s "$script" ] && echo "$1: all is read"
}
script=$(mktemp --suffix=.stp)
trap 'rm -f "$script"' EXIT
read_all 'statement("*@*spent.c:*")'
read_all 'function("*@*spent.c")'
read_all 'function("spend").label("*")'
# scalars of more bytes than a number has
dir=$(mktemp -d) && trap 'rm -rf "$script" "$dir"' EXIT
cat > "$dir/wide.c" <<'END'
#define HERE(a) __asm__ volatile("" : : "m"(a))
struct pair { long double a, b; };
static __attribute__((noinline)) int wide(int n, __int128 i, long double d, _Complex long double c, struct pair p)
{
	long double many[2] = { n, n };
	float single = n;
	_Complex float both = n;
	_Complex double twice = n;
	HERE(i); HERE(d); HERE(c); HERE(p); HERE(many); HERE(single); HERE(both); HERE(twice);
	return n; /* 11 */
}
int main(int argc, char **argv)
{
	struct pair p = { argc, 1 };
	(void)argv;
	return wide(argc, 1, 2, 3, p) != 1;
}
END
gcc -g -O0 -o "$dir/wide" "$dir/wide.c" && program=$dir/wide
list 'statement("wide@*:11")' | sed 's/.*")//'
program=$2
list 'function("spend").label("rich")' | sed 's/.*label/label/'
# no probe is taken at the entry, so nothing is kept there
cat > "$dir/first.c" <<'END'
static __attribute__((noipa)) void use(long n)
{
	__asm__ volatile("" : : "r"(n));
}
static __attribute__((noipa)) long first(long n)
{
	__asm__ volatile("cli");
	if (!n)
		return 0;
	use(n);
	use(0);
	return 1; /* 12 */
}
int main(int argc, char **argv)
{
	(void)argv;
	return first(argc - 1) != 0;
}
END
gcc -g -O2 -fcf-protection=none -o "$dir/first" "$dir/first.c" && program=$dir/first
list 'statement("first@*:12")' | sed 's/.*")/first:/'
"$STAP" -p2 -e "probe process(\"$program\").statement(\"first@*:12\") { println(\$n) }" 2>&1 |
	sed -n 's/: identifier.*//; /cannot read/p'
