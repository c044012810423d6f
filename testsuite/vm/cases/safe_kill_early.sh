# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
loaded() { grep -q "^$NAME " /proc/modules; }
left=0
for pause in 0 0.005 0.01 0.02 0.03 0.04 0.05 0.06 0.08 0.1; do
	$STAPRUN "$MODULE" >/dev/null 2>&1 &
	run=$!
	sleep $pause
	kill -9 $run
	wait $run 2>/dev/null
	sleep 0.1
	gone
	loaded && left=$((left + 1)) && $STAPRUN -d "$NAME"
done
echo "left behind: $left"
