# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 1
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=3000 2> /dev/null & a=$!
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=3000 2> /dev/null & b=$!
wait $a; wait $b; kill -INT $run; wait $run; echo "status $?"
waited=$(sed -n "s/^'both' lock contention occurred \([0-9]*\) times$/\1/p" "$dir/out")
in_vain=$(sed -n "s/^WARNING: Skipped due to global 'both' lock timeout: \([0-9]*\)$/\1/p" "$dir/err")
skipped=$(sed -n 's/^WARNING: Number of errors: 0, skipped probes: \([0-9]*\)$/\1/p' "$dir/err")
[ "${in_vain:-0}" = "${skipped:-0}" ] && echo "every skip is the lock's" || echo "$skipped skipped, $in_vain for the lock"
[ "$waited" ] && [ "$waited" -ge "${in_vain:-0}" ] && echo "who gave up had waited" || echo "$waited waited, $in_vain in vain"
