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
# named first of what there is, and the list of members behind it
says 'probe kernel.function("submit_bio") { println($bio->bi_rw) }' 'alternatives: bi_opf '
# where the name has gone, or what bears it now takes no probe
says 'probe kernel.function("do_page_fault") { println(1) }' 'no match \(.*"exceptions:page_fault_user".*handle_mm_fault'
says 'probe kernel.function("do_IRQ") { println(1) }' 'no match \(.*kernel.trace\("irq:irq_handler_entry"\)'
says 'probe begin { println(@cast(0, "dentry")->d_u->d_child->next) }' 'd_sib'
says 'probe kernel.function("do_sync_read") { println(1) }' '(vfs|sync)_read is there in its place' | sed 's/^sync/vfs/'
says 'probe kernel.function("do_sync_write") { println(1) }' '(vfs|sync)_write is there in its place' | sed 's/^sync/vfs/'
for name in do_lookup __link_path_walk do_path_lookup do_signal generic_file_buffered_write; do
	says "probe kernel.function(\"$name\") { println(1) }" 'no match .* is there in its place'
done
"$STAP" -r "$KERNEL" -p2 -e 'probe kernel.function("del_timer"), kernel.function("del_timer_sync") { println(1) }' > /dev/null && echo timers
# those of pages are there by their old name, or by that of folios
for name in __lock_page wait_on_page_bit account_page_dirtied do_filp_open; do
	"$STAP" -r "$KERNEL" -p2 -e "probe kernel.function(\"$name\") { println(1) }" 2>&1 |
		grep -qE '^kernel.function|no match \((__folio_lock|folio_wait_bit|folio_account_dirtied|__folio_mark_dirty|do_file_open) is' || echo "not there: $name"
done
