# SPDX-License-Identifier: GPL-2.0-or-later
# Debug sections that are packed with zstd: in the program, of 32 bits, in a file of their own, and damaged. STAP is set.
dir=$(mktemp -d)
unset SYSTEMTAP_DEBUGINFO_PATH # the usual places, of which the folder of the program is one
trap 'rm -rf "$dir"' EXIT
cat >"$dir/packed.c" <<'END'
struct many { int a, b, c, d; char text[40]; long numbers[10]; };
static __attribute__((noinline)) int hidden(struct many *m, int n) { return m->a + n; }
int main(int argc, char **argv) { struct many m = { argc }; return hidden(&m, argc) - 2 * argc; }
END
packed="-g -O1 -Wl,--compress-debug-sections=zstd"
gcc $packed -o "$dir/whole" "$dir/packed.c" 2>/dev/null || { echo "this linker has no zstd" >&2; exit 1; }
gcc $packed -m32 -nostdlib -static -Wl,-e,main -Wl,--build-id=sha1 -ffreestanding -o "$dir/narrow" "$dir/packed.c"
objcopy --only-keep-debug "$dir/whole" "$dir/apart.debug"
strip -o "$dir/apart" "$dir/whole"
objcopy --add-gnu-debuglink="$dir/apart.debug" "$dir/apart"
gcc $packed -Wl,--build-id=none -o "$dir/damaged" "$dir/packed.c"
offset=$((0x$(readelf -SW "$dir/damaged" | sed -n 's/.* \.debug_info *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')))
printf 'damage' | dd of="$dir/damaged" bs=1 seek=$((offset + 24)) conv=notrunc status=none
for program in whole narrow apart damaged; do
	readelf -SW "$dir/$program" 2>/dev/null | grep -q '\.debug_info.* C ' && echo "$program: packed"
	"$STAP" -L "process(\"$dir/$program\").function(\"hidden\")" 2>&1 | sed "/^indexing /d; s|$dir|DIR|g"
done
"$STAP" -p2 -e "probe process(\"$dir/damaged\").function(\"hidden\") { println(\$n) }" 2>&1 |
	sed -n "s|$dir|DIR|g; /semantic error: unable/p; /hint/p"
