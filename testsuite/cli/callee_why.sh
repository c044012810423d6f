# SPDX-License-Identifier: GPL-2.0-or-later
# Why .callee and .callees of a program find nothing: it has no call sites, no debug information, or what is called is not known.
# STAP is set.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/calls.c" <<'END'
int (*hook)(int);
__attribute__((noinline)) int one(int x) { return hook ? hook(x) + 1 : 1; }
__attribute__((noinline)) int two(int x) { return one(x) + one(x + 1); }
int main(int argc, char **argv) { return two(argc) + 1; }
END
sed 's/^int main/static inline __attribute__((always_inline)) int copy(int x) { return x + 1; }\nint copies(int x) { return copy(x); }\nint main/' \
	"$dir/calls.c" >"$dir/copies.c"
gcc -g -O0 -o "$dir/inlined" "$dir/copies.c"
gcc -g -O0 -o "$dir/plain" "$dir/calls.c"
gcc -g -O2 -o "$dir/optimised" "$dir/calls.c"
gcc -O2 -o "$dir/bare" "$dir/calls.c"
say() {
	echo "$1"
	"$STAP" -p2 -e "probe process(\"$dir/$1 { println(1) }" 2>&1 |
		sed -n "s|$dir|DIR|g; s/^semantic error: \(no match.*\): identifier.*/\t\1/p"
}
say 'plain").function("main").callees'
say 'plain").function("two").callee("one")'
say 'inlined").function("main").callee("two")'
say 'bare").function("two").callees'
say 'optimised").function("one").callees'
say 'optimised").function("two").callee("none")'
"$STAP" -l "process(\"$dir/optimised\").function(\"two\").callees" | sed "s|$dir|DIR|g"
