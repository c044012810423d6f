#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: drift.sh STAP KERNEL: what scripts for older kernels mean in this one.
says() {
	"$STAP" -r "$KERNEL" -p2 -e "$1" 2>&1 | grep -oE -m1 "$2" || echo "not said of $1: $2"
}
STAP=$1 KERNEL=$2
"$STAP" -v -r "$KERNEL" -p2 -e 'probe kernel.function("submit_bio") { println($bio->bi_sector, $bio->bi_size) }' 2>&1 |
	grep -E '^bio\.'
"$STAP" -r "$KERNEL" -p2 -e 'probe kernel.function("generic_make_request"), kernel.function("scheduler_tick"),
	kernel.function("kmem_cache_alloc") { println(@cast(0, "task_struct")->state, @cast(0, "task_struct")->cpus_allowed->bits[0],
	@cast(0, "file")->f_dentry, @cast(0, "task_struct")->uid, @cast(0, "page")->_count->counter,
	@cast(0, "sock")->sk_family, @cast(0, "inet_sock")->daddr, @cast(0, "nsproxy")->pid_ns, @cast(0, "dentry")->d_count,
	@cast(0, "task_struct")->real_start_time) }' > /dev/null && echo resolved
"$STAP" -v -r "$KERNEL" -p2 -e 'probe kernel.function("compat_sys_sendmsg"), kernel.function("compat_sys_mount").return { println(1) }' 2>&1 |
	grep -E '^function compat'
says 'probe kernel.function("submit_bio") { println($bio->bi_rw) }' 'bi_opf is there in its place'
says 'probe kernel.function("do_fork") { println(1) }' 'no match \(kernel_clone is there in its place'
says 'probe kernel.function("do_mmap_pgoff") { println(1) }' 'no match \(do_mmap is there in its place'
says 'probe begin { println(@cast(0, "timer_list")->data) }' 'it is gone since v4.15; .*'
says 'probe begin { println(@cast(0, "task_struct")->pids) }' 'thread_pid is there in its place since .*'
says 'probe begin { println(@cast(0, "tcp_sock")->srtt) }' 'srtt_us is there in its place'
# by its old and its new name it is one point, by its own name twice it is two
points() {
	"$STAP" -r "$KERNEL" -p2 -e "probe $1 { println(1) }" 2>/dev/null | grep -c '^kernel'
}
old='kernel.function("generic_make_request")' new='kernel.function("submit_bio_noacct")'
echo "points: $(points "$old ?, $new ?") $(points "$new, $old") $(points "$old, $old") $(points "$old") $(points "$new, $new") $(points "$old.return, $new")"
points 'kernel.function("compat_sys_ioctl") ?, kernel.function("__ia32_compat_sys_ioctl") ?'
# not where one has a condition
points "$old if (pid()), $new"
