# SPDX-License-Identifier: GPL-2.0-or-later
# Functions and statements by address in programs without debug information, with what each kind of strip leaves of the names:
# all symbols, those of the dynamic linker, these and MiniDebugInfo, none but what unwinders know.
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cat > "$dir/p.c" <<'END'
__attribute__((noinline)) int shown(int n) { __asm__ volatile(".byte 0x0f, 0x1f, 0x40, 0x00"); return n * 3; }
__attribute__((noinline)) static int hidden(int n) { return shown(n) + 1; }
int main(int argc, char **argv) { return hidden(argc) + shown(argc); }
END
make() { # NAME OPTIONS...
	gcc -O1 -fcf-protection=none "$dir/p.c" -o "$dir/$@"
}
make symtab -rdynamic
make frames
strip -s -o "$dir/dynsym" "$dir/symtab"
objcopy -S --keep-symbol=hidden "$dir/symtab" "$dir/mini"
xz "$dir/mini"
objcopy --add-section .gnu_debugdata="$dir/mini.xz" "$dir/dynsym" "$dir/small"
at() { # FILE NAME OFFSET: the address
	printf '0x%x' $((0x$(nm "$dir/$1" | sed -n "s/ [Tt] $2\$//p") + $3))
}
ask() { # FILE POINT
	{
		echo "$1 $2"
		{
			"$STAP" -r "$KERNEL" -l "process(\"$dir/$1\").$2"
			"$STAP" -r "$KERNEL" -p2 -e "probe process(\"$dir/$1\").$2 { println(pp()) }" 2>&1 |
				sed -n 's,/\* <-.*,,; /^process/p; s/^semantic error: no match \(.*\): identifier.*/\1/p'
		} | sed "s,$dir/,,g; /^\$/d; s/^/	/"
	} | sed "s/$shown/SHOWN/g; s/$inside/SHOWN+2/g; s/$behind/SHOWN+4/g; s/$hidden/HIDDEN/g"
}
from=symtab
for f in symtab dynsym small frames; do
	[ $f = frames ] && from=frames
	shown=$(at $from shown 0) inside=$(at $from shown 2) behind=$(at $from shown 4) hidden=$(at $from hidden 0)
	[ $f = frames ] && strip -s "$dir/frames"
	for point in "function($shown)" "function($behind).return" "function($hidden)" "function(0x10)" "statement($shown)" \
		"statement($behind)" "statement($inside)" "statement($inside).nearest" "statement($hidden)" "statement(0x10)"; do
		ask $f "$point"
	done
done
