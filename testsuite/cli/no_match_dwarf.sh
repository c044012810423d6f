# SPDX-License-Identifier: GPL-2.0-or-later
# say POINT: what is said of one that stands for nothing
say() {
	echo "$1"
	"$STAP" -r "$KERNEL" -p2 -e "probe $1 { println(1) }" 2>&1 | sed -n 's/:[0-9]*, has/:LINE, has/; s/.*no match (\(.*\)): identifier.*/    \1/p'
}
say 'kernel.function("vfs_read@fs/open.c")'
say 'kernel.statement("vfs_read@fs/open.c:1")'
say 'kernel.function("vfs_read").inline'
say 'kernel.function("do_sys_openat2").exported'
say 'kernel.function("vfs_read@fs/open.c").callee("*")'
say 'module("ext4").function("ext4_file_write_iter@fs/ext4/inode.c")'
# what a list shows is a point
list() { "$STAP" -r "$KERNEL" -l "$1"; }
list 'kernel.function("do_sys_openat2").callee("*")' | while read -r point; do
	[ "$(list "$point")" = "$point" ] || echo "$point: not found again"
done
list 'kernel.function("do_sys_openat2").callee("do_filp_open@fs/nowhere.c")'
# of a kernel that has it: its only copy lies in two parts
list 'kernel.function("get_freelist").inline' | sed 's/:[0-9]*"/:LINE"/'
