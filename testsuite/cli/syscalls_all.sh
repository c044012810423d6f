#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares what kernel.syscall() finds for every name of the tables with the points of syscall.*, and the returns with both.
table=../../runtime/uapi/syscalls_x86_64.def
names=$(sed -n 's/^[A-Z]*([0-9]*, \([a-z_0-9]*\), "[a-z].*/\1/p' $table | sort -u | tr '\n' ' ')
points() {
	"$STAP" -r "$KERNEL" -p2 -e "probe $1 { print(1) }" 2>&1 | sed -n 's/\(kernel\.syscall("[^)]*")\)\(\.return\)*\( \/\* 32-bit \*\/\)*.*/\1\3/p' | sort
}
points "kernel.syscall(\"$names\")" > /tmp/spile-table.$$
[ "$(wc -l < /tmp/spile-table.$$)" -gt 700 ] || echo "only $(wc -l < /tmp/spile-table.$$) calls"
for alias in 'syscall.*' 'syscall.*.return' 'tp_syscall.*'; do
	points "$alias" | diff /tmp/spile-table.$$ - | sed -n "s/^[<>]/$alias: &/p"
done
rm -f /tmp/spile-table.$$
all=$("$STAP" -r "$KERNEL" -l 'syscall.*' | wc -l)
for tier in nd dw; do
	n=$("$STAP" -r "$KERNEL" -l "${tier}_syscall.*" | wc -l)
	[ $((all - n)) -le 4 ] || echo "$tier: $n of $all"
done
