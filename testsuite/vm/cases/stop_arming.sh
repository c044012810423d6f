# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
# attached: points where the kernel has a probe now, by kprobe or by ftrace
attached() {
	mount -t debugfs none /sys/kernel/debug 2> /dev/null
	cat /sys/kernel/debug/kprobes/list /sys/kernel/debug/tracing/enabled_functions | wc -l
}
# told_well STATUS: what it printed, what it said and its status go together
told_well() {
	said="$1 $(tr '\n' ' ' < "$dir/out")"
	case $said in
	"1 begin ") # what was attached until then may have missed hits, which is told behind it
		[ "$(grep -v '^WARNING: Missed by the kernel: ' "$dir/err")" = \
			"ERROR: The session was ended by SIGINT when nothing but its begin probes had run." ] ;;
	"0 begin end "[01]" ") ! grep -q ERROR "$dir/err" ;; # all points attach in one pass, and that was it
	*) false ;;
	esac
}
# interrupted WHO PID...: Ctrl-C in the middle
interrupted() {
	who=$1
	shift
	since=$(date +%s)
	kill -INT "$@"
	wait $run
	status=$?
	took=$(($(date +%s) - since))
	told_well $status && echo "$who: told" || { echo "$who: status $status"; cat "$dir/out" "$dir/err"; }
	[ $took -le $((20 * SLOW)) ] || echo "it took $took s"
	now=$(attached)
	echo "modules $(grep -c ' (O' /proc/modules), $((now - before)) points more than before"
}
before=$(attached)
begin; sleep 0.5; interrupted staprun $run
begin; sleep 0.5; interrupted stapio $(reader)
