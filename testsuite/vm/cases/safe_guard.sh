# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
loaded() { grep -q "^$NAME " /proc/modules; }
$STAPRUN -L "$MODULE"
loaded && echo "loaded"
for pause in 0 0.002 0.005 0.01 0.015 0.02 0.03 0.04 0.05 0.06 0.08 0.1; do
	$STAPRUN "$MODULE" > /dev/null 2>&1 &
	run=$!
	sleep $pause
	kill -9 $run 2> /dev/null
	wait $run 2> /dev/null
done
sleep 1
loaded && echo "still loaded" || echo "removed by a guard"
$STAPRUN -d "$NAME"
