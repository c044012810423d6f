# SPDX-License-Identifier: GPL-2.0-or-later
# Names of functions in .gnu_debugdata that cannot be had: it unpacks to more than is taken, is cut off, or holds no ELF file.
# Each use of the file tells, and what the dynamic linker can find is known all the same.
dir=$(mktemp -d) && dir=$(realpath "$dir") && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
cat > p.c <<'END'
__attribute__((noinline)) int shown(int n) { __asm__ volatile(""); return n * 3; }
__attribute__((noinline)) static int hidden(int n) { return shown(n) + 1; }
int main(int argc, char **argv) { return hidden(argc) + shown(argc); }
END
gcc -O1 -rdynamic p.c -o whole && objcopy -S --keep-symbol=hidden whole mini && strip -s whole -o bare
see() { # NAME: with what is in packed.xz
	objcopy --add-section .gnu_debugdata=packed.xz bare "$1"
	for time in first second; do
		echo "-- $1, $time"
		"$STAP" -l "process(\"./$1\").function(\"shown\"), process(\"./$1\").function(\"hidden\")" 2>&1 | sed "s,$dir/,,g"
	done
}
xz -c mini > packed.xz && see good
{ cat mini; head -c 40000000 /dev/zero; } | xz -0 > packed.xz && see large
xz -c mini | head -c 300 > packed.xz && see cut
echo text | xz > packed.xz && see text
