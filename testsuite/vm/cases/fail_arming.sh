# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
mount -t debugfs none /sys/kernel/debug 2> /dev/null
# attached: what the kernel has probes at now
attached() { cat /sys/kernel/debug/kprobes/list /sys/kernel/debug/tracing/enabled_functions 2> /dev/null; }

attached > "$dir/before"
STAPRUN="perl ./fail_arming.pl $STAPRUN"
begin
end "fails"
attached | diff "$dir/before" - | head
rm -rf "$dir"
