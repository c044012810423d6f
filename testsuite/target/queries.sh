# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by queries: addresses and offsets are the kernel's own, so only that there are some is compared.
case $KERNEL in
/*) kernel="-R $KERNEL -r $(basename "$KERNEL")" ;;
*) kernel="-r $KERNEL" ;;
esac
ask() {
	echo "$*:"
	# shellcheck disable=SC2086
	"$BUILD/testsuite/target/target_query" $kernel "$@" | sed 's/0xf[0-9a-f]*/ADDRESS/; s/add [0-9]*/add N/g; s/^/    /'
}
ask list vfs_read
ask vars vfs_read
ask return vfs_read
ask trace sched_switch
ask tracevars sched_wakeup
ask get vfs_read count
ask get vfs_read 'file->f_pos'
ask getret vfs_read return
ask gettrace sched_switch 'next->pid'
ask enum PIDTYPE_TGID
ask symbol vfs_read
ask similar vfs_raed | head -n 2
ask survey | sed 's/[1-9][0-9]*/N/g'
