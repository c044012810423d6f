# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
mount -t debugfs none /sys/kernel/debug 2> /dev/null
functions=/sys/kernel/debug/tracing/enabled_functions
# attached: what the kernel has probes at now
attached() { cat /sys/kernel/debug/kprobes/list $functions; }

attached > "$dir/before"
middle=no
# a session that was quicker than this loop has run, which is no failure: another one
until [ $middle = yes ]; do
	begin
	until grep -q . $functions || ! kill -0 $run 2> /dev/null; do :; done
	kill -INT $run
	wait $run
	status=$?
	case "$status $(tr '\n' ' ' < "$dir/out")" in
	"1 begin ")
		middle=yes
		grep 'ended by SIGINT' "$dir/err"
		;;
	"0 begin end "[01]" ") ;;
	*) echo "status $status"; cat "$dir/out" "$dir/err"; break ;;
	esac
	attached | cmp -s "$dir/before" - || { echo "attached:"; attached | diff "$dir/before" - | head; }
	echo "modules $(grep -c ' (O' /proc/modules)" >> "$dir/modules"
done
sort -u "$dir/modules"
