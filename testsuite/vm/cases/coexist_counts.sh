# SPDX-License-Identifier: GPL-2.0-or-later
# Calls come from a program of a name of its own, whose whole life lies in the session.
t=/sys/kernel/tracing
mountpoint -q $t || mount -t tracefs tracefs $t
cp "$(command -v bash)" /tmp/coexist
count() { grep -c -- "-$pid .*$1" $t/trace; }
echo 'p:counted_entry proc_reg_open' >$t/kprobe_events
echo 'r:counted_return proc_reg_open' >>$t/kprobe_events
# behind ftrace's call, which a landing pad may precede
{ echo 'p:counted_inside proc_reg_open+5' >>$t/kprobe_events; } 2>/dev/null ||
	echo 'p:counted_inside proc_reg_open+9' >>$t/kprobe_events
echo 1 >$t/events/kprobes/enable
echo 1 >$t/events/sched/sched_process_exec/enable
echo proc_reg_open >$t/set_ftrace_filter
echo function >$t/current_tracer
echo >$t/trace
$STAPRUN -o /tmp/coexist_counted -c "/tmp/coexist -c 'for i in 1 2 3 4 5; do read x </proc/uptime; done'" $MODULE
read -r pid entries returns kprobes inside execs </tmp/coexist_counted
[ "$entries" -ge 5 ] && echo "at least 5 calls"
[ "$returns $kprobes" = "$entries $entries" ] && [ "$inside" = 1 ] && echo "seen at every place"
[ "$(count counted_entry:)" = "$entries" ] && echo "kprobe event: the same"
[ "$(count counted_inside:)" = "$entries" ] && echo "kprobe event behind the entry: the same"
[ "$(count counted_return:)" = "$returns" ] && echo "return event: the same"
[ "$(count 'proc_reg_open <-')" = "$entries" ] && echo "function tracer: the same"
[ "$(count sched_process_exec:)" = "$execs" ] && [ "$execs" = 1 ] && echo "tracepoint: the same"
echo nop >$t/current_tracer
echo >$t/set_ftrace_filter
echo 0 >$t/events/sched/sched_process_exec/enable
echo 0 >$t/events/kprobes/enable
echo >$t/kprobe_events
rm -f /tmp/coexist /tmp/coexist_counted
