# SPDX-License-Identifier: GPL-2.0-or-later
# sleepers.sh N: so many programs are inside nanosleep() or clock_nanosleep() (35, 230 on x86-64) at once, and come out again
pids=
for i in $(seq "$1"); do
	sleep 1000 &
	pids="$pids $!"
done
for pid in $pids; do
	until grep -q '^\(35\|230\) ' "/proc/$pid/syscall"; do :; done # no sleep here: it would be one more
done
kill $pids
{ wait; } 2> /dev/null
