# SPDX-License-Identifier: GPL-2.0-or-later
# Calls come from a program of a name of its own, /proc/uptime is one of the files they open.
t=/sys/kernel/tracing
mountpoint -q $t || mount -t tracefs tracefs $t
cp "$(command -v bash)" /tmp/coexist
calls='for i in 1 2 3 4 5; do read x </proc/uptime; done'
counts() { for w in "$@"; do grep -c "coexist-.*$w" $t/trace; done | while read n; do [ "$n" -ge 5 ] && echo seen || echo "missed: $n"; done; }
echo 'p:held_entry proc_reg_open' >$t/kprobe_events
echo 'r:held_return proc_reg_open' >>$t/kprobe_events
echo 1 >$t/events/kprobes/enable
echo proc_reg_release >$t/set_ftrace_filter
echo function >$t/current_tracer
echo >$t/trace
$STAPRUN -c "/tmp/coexist -c '$calls'" $MODULE
counts held_entry: held_return: proc_reg_release
# what was there first still works when the session is gone
echo >$t/trace
/tmp/coexist -c "$calls"
counts held_entry: held_return: proc_reg_release
echo nop >$t/current_tracer
echo >$t/set_ftrace_filter
echo 0 >$t/events/kprobes/enable
echo >$t/kprobe_events
rm -f /tmp/coexist
