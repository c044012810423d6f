# SPDX-License-Identifier: GPL-2.0-or-later
# say POINT: what is said of one that stands for nothing, without debug information
SYSTEMTAP_DEBUGINFO_PATH=
export SYSTEMTAP_DEBUGINFO_PATH
say() {
	echo "$1"
	"$STAP" -r "$KERNEL" -p2 -e "probe $1 { println(1) }" 2>&1 | sed -n "s/.*no match (\(.*\)): identifier.*/    \1/; s/$KERNEL/KERNEL/g; /^    /p" |
		sed 's/^ *source:.*//; s/similar functions\{0,1\}: vfs_read[^;)]*/similar: vfs_read.../' | grep -v -e '^$' -e '\^$'
}
say 'kernel.function("start_kernel")'
say 'kernel.function("notify_die")'
say 'kernel.function("entry_SYSCALL_64")'
say 'kernel.function("exc_nmi")'
say 'kernel.function("jiffies")'
say 'kprobe.function("start_kernel")'
say 'module("ext5").function("x")'
say 'module("ext5").statement("x@fs/ext5/x.c:1")'
say 'kprobe.module("ext5").function("x")'
"$STAP" -r "$KERNEL" -l 'module("ext4").function("ext4_file_write_iter")' > /dev/null
say 'kernel.function("ext4_file_write_iter")'
say 'module("ext4").function("ext4_file_write_ite")' | sed 's/iter[,;].*/iter.../'
say 'kernel.function("vfs_raed")' | sed 's/; or.*; or/; or/'
say 'kernel.function("vfs_raed").label("out")'
say 'kernel.function("vfs_{read,write}")'
say 'kernel.trace("sched:sched_{switch,wakeup}")'
say 'module("kernel").function("vfs_read")'
say 'kernel.function("setup_arg_pages.cold").return'
say 'kprobe.function("setup_arg_pages.cold").return'
say 'kernel.function("ret_from_fork").return'
say 'kprobe.function("ret_from_fork").return'
