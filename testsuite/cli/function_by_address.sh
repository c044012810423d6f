# SPDX-License-Identifier: GPL-2.0-or-later
list=$(mktemp)
trap 'rm -f "$list"' EXIT
addr=$($STAP -p2 -r $KERNEL -e 'probe kernel.function("vfs_fsync").call { println(1) }' | sed -n 's/.* pc=\(0x[0-9a-f]*\) .*/\1/p')
for variant in "" .call .exported .return ".return.maxactive(3)"; do
	$STAP -L "kernel.function($addr)$variant" -r $KERNEL > "$list"
	$STAP -L "kernel.function(\"vfs_fsync\")$variant" -r $KERNEL | cmp - "$list" && sed 's/:[0-9]*")/:LINE")/' "$list"
done
