#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# reversed.sh STAP
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
cat > reversed.c <<'C'
struct __attribute__((scalar_storage_order("big-endian"))) wire { unsigned word; unsigned char byte; } wire = { 0x01020304, 5 };
__attribute__((noinline)) int seen(struct wire *w) { return w->byte; }
int main(void) { return seen(&wire) != 5; }
C
gcc -g -O1 -o reversed reversed.c
"$1" -r "$KERNEL" -p2 -e 'probe process("./reversed").function("seen") { println($w->byte, $w->word) }' 2>&1 | grep 'cannot read'
"$1" -r "$KERNEL" -p3 -e 'probe process("./reversed").function("seen") { println($w$) }' | grep -o '{\.word.*}'
"$1" -r "$KERNEL" -L 'process("./reversed").function("seen")' | sed 's/^.*\$w/$w/'
