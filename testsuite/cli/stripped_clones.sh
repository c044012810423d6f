# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: stripped_clones.sh PROGRAMS: points and variables of a program as it was linked, and with all that is not needed to run it
# in a debug file.
dir=$(mktemp -d) && dir=$(realpath "$dir") && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
unset SYSTEMTAP_DEBUGINFO_PATH # what is beside a program is found without it
cp "$1/rests.c" .
cat > copied.c << 'END'
__attribute__((noinline)) static int copied(int same, int other, int last)
{
	asm volatile("" ::: "memory");
	return same + other * last;
}
int first(int n) { return copied(7, n, n + 1); }
int second(int n) { return copied(7, n, n + 2); }
END
gcc -g -O2 rests.c copied.c -o whole || exit 1
nm whole | sed -n 's/.* t \(.*\.\(part\|constprop\)\..*\)/\1/p'
cp whole stripped && objcopy --only-keep-debug stripped stripped.debug && objcopy -S --add-gnu-debuglink=stripped.debug stripped || exit 1
for program in whole stripped; do
	echo "$program:"
	"$STAP" -p2 -e 'probe process(@1).function("rarely"), process(@1).function("copied") { println(pp(), " ", $$parms) }' "./$program" 2>&1 |
		sed -n "s,$dir,DIR,g; s, /[*].*,,; /^process/p"
	"$STAP" -p3 -e 'probe process(@1).function("copied") { printf("%d %d\n", $other, $last) }' "./$program" 2>&1 | grep -o 'regs->[a-z]*'
done
