# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the cache_*.stp cases: a home and a TMPDIR of our own, whose names have blanks and what means something to shells and make.
dir=$(mktemp -d)
export HOME="$dir/a b\$(c);'d" TMPDIR="$dir/t \"u\" & v"
mkdir -p "$HOME" "$TMPDIR"
unset SYSTEMTAP_DIR XDG_CACHE_HOME

# The names that vary by kernel and machine.
plain() {
	sed -E 's|/[^:]*/||; s/(stap)_[0-9a-f_]+/\1_KEY/; s/(symbols|vmlinux|tapset)-[0-9a-f-]+(\.[0-9]+)?/\1-KEY/; s/-[0-9a-f]{16}(\.user)-[0-9]+/-KEY\1/; s/^[0-9][^ :]*-[0-9a-f]{16}/KERNEL/; s/: [^ ]* (was|has|cannot)/: \1/; s/[0-9]+ bytes/N bytes/; s/of [0-9]+$/of M/'
}

damaged() {
	sed -n 's/^Damaged in the cache, made anew: //p' "$dir/err" | plain
}

# look SCRIPT: up to pass 2; what is said to be damaged, then that it was looked at
look() {
	"$STAP" -v -r "$KERNEL" -p2 -e "$1" >/dev/null 2>"$dir/err" || cat "$dir/err"
	damaged
	echo "looked"
}

# compile SCRIPT: what is said to be damaged, then the kind of the result
compile() {
	ko=$("$STAP" -v -r "$KERNEL" -p4 -e "$1" 2>"$dir/err") || cat "$dir/err"
	damaged
	readelf -h "$ko" | sed -n 's/^ *Type: *\([A-Z]*\).*/\1/p'
}

# Each does it to one file of the home whose name fits.
one() {
	find "$HOME" -type f -name "$1" | head -n 1
}
shorten() {
	truncate -s -8 "$(one "$1")"
}
zero() {
	dd if=/dev/zero of="$(one "$1")" bs=4096 count=1 conv=notrunc 2>/dev/null
}
flip() {
	printf '\377' | dd of="$(one "$1")" bs=1 seek=5 conv=notrunc 2>/dev/null
}
