# SPDX-License-Identifier: GPL-2.0-or-later
# Calls come from a program of a name of its own, whose whole life lies in both sessions.
cp "$(command -v bash)" /tmp/beside
bpftrace -e 'BEGIN { printf("begun\n"); }
	kprobe:proc_reg_open /comm == "beside"/ { @entries++; }
	kretprobe:proc_reg_open /comm == "beside"/ { @returns++; }
	tracepoint:sched:sched_process_exec /comm == "beside"/ { @execs++; }
	END { printf("counts %d %d %d\n", @entries, @returns, @execs); }' >/tmp/beside_theirs 2>&1 &
theirs=$!
for i in $(seq 600); do
	grep -q begun /tmp/beside_theirs && break
	sleep 0.2
done
$STAPRUN -o /tmp/beside_ours -c "/tmp/beside -c 'for i in 1 2 3 4 5; do read x </proc/uptime; done'" $MODULE
kill -INT $theirs
wait $theirs
read -r entries returns execs </tmp/beside_ours
[ "$entries" -ge 5 ] && [ "$returns" = "$entries" ] && echo "at least 5 calls, and their returns"
if grep -qx "counts $entries $returns $execs" /tmp/beside_theirs; then
	echo "the same"
else
	cat /tmp/beside_ours /tmp/beside_theirs
fi
rm -f /tmp/beside /tmp/beside_*
