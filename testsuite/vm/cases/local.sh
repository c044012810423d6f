# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the local*.stp cases: stap itself in the guest, for the guest's own kernel, all passes. $tree is -r for a kernel that is
# unpacked and not installed.
export STAP KERNEL
tree=
case $KERNEL in
/*) tree="-r $KERNEL" ;;
esac

# hide COMMAND: run it where no image of the kernel can be seen
hide() {
	image=/lib/modules/$(uname -r)/vmlinuz
	case $KERNEL in
	/*) tree="-r $(readlink -f "$KERNEL/lib/modules/$(uname -r)/build")" ;;
	esac
	[ ! -e "$image" ] || mv "$image" "$image.hidden"
	unshare --mount --propagation private sh -c 'mount -t tmpfs none /boot; . ./local.sh; tree=$0; '"$1" "$tree"
	[ ! -e "$image.hidden" ] || mv "$image.hidden" "$image"
}

# With debuginfo names have the place of the source; the same is expected with and without.
run() {
	"$STAP" $tree "$@" >/tmp/local.out
	status=$?
	sed 's/@[^":]*:[0-9]*"/"/' /tmp/local.out
	echo "status $status"
}

# What is read of the kernel: its symbols, types and events
brief() {
	run -e 'probe kernel.function("vfs_read") { if (pid() == target()) { printf("%s %d\n", execname(), $count > 0); exit() } }' -c 'cat /proc/version >/dev/null'
	run -l 'kernel.trace("sched:sched_switch")'
}

# The whole way: by number, by name with types, by pattern, tracepoint, a syscall's named parameters, the listing
everything() {
	run -e 'probe begin { println("hello") exit() }'
	brief
	run -e 'global n probe kernel.function("vfs_re*").return { if (pid() == target()) n[ppfunc()]++ } probe end { println(n["vfs_read"] > 0) }' -c 'cat /proc/version >/dev/null'
	run -e 'probe kernel.trace("sched_process_exit") { if (pid() == target()) println("exit of ", execname()) }' -c 'true'
	run -e 'probe kernel.function("__x64_sys_openat") { if (pid() == target()) { println($mode); exit() } }' -c 'cat /proc/version >/dev/null'
	run -e 'probe begin { println(@cast(task_current(), "task_struct")->pid == tid()) exit() }'
	run -l 'kernel.function("vfs_read")'
}
