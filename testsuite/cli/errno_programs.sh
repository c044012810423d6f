#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs whose errno is not known: none is run.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

echo 'int open(void) { return 1; }' >library.c
echo 'int open(void); int main(void) { return open(); } void _start(void) { main(); }' >program.c
echo 'int main(void) { return 0; } void _start(void) { main(); }' >alone.c
echo 'int main(void) { return 0; }' >static.c
bare='-g -nostdlib -nostartfiles'
gcc $bare -shared -fPIC -Wl,-soname,libc.musl-x86_64.so.1 -o libc.musl-x86_64.so.1 library.c
gcc $bare -o program program.c -L. -l:libc.musl-x86_64.so.1 -Wl,-rpath,"$dir"
gcc $bare -static -o alone alone.c
gcc -static -s -o static static.c

for program in program alone static; do
	echo "$program:"
	"$STAP" -p2 -e "probe process(\"./$program\").syscall { println(@errno) }" 2>&1 | sed -n "s,$dir,DIR,g; /unable/p"
done
