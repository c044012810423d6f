# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's image with its BTF under another name, and another build-id, beside the modules and headers of the real one.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/boot" "$dir/lib/modules"
ln -s "/lib/modules/$KERNEL" "$dir/lib/modules/$KERNEL"
perl -0777 -ne '/\xfd7zXZ\x00/g and print substr($_, $-[0])' "/boot/vmlinuz-$KERNEL" | xz -dc 2> /dev/null |
	perl -0777 -pe 's/\.BTF\x00/.XTF\x00/g; s/(\x04\x00{3}\x14\x00{3}\x03\x00{3}GNU\x00).{20}/$1 . "x" x 20/se' > "$dir/boot/vmlinuz-$KERNEL"
[ -s "$dir/boot/vmlinuz-$KERNEL" ] || echo "the image of $KERNEL was not taken apart"
cd "$dir"
try() { "$STAP" -r "$dir" "$@" 2>&1 | grep -v '^compiling headers\|once\.$\|^  [0-9]/[0-9] '; }
try -p4 -m names -e 'probe kernel.trace("sched_switch") { println($next->pid, $$parms, kernel_string($prev->comm)) }'
try -p4 -m tasks -e 'probe timer.s(1) { println(ppid(), task_nice(task_current())) }'
try -p4 -m calls -e 'probe syscall.openat { println(argstr) }'
try -p2 -e 'probe kernel.function("vfs_read") { println($count) }' | grep -oE 'unable to find.*[)]:|hint: .*'
try -p2 -e 'probe begin { println(@cast(0, "nameidata")->path) }' | grep -o 'hint: .*'
