# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
exec 2>&1
# left: wait for the module to go, then tell what is in the file
left() {
	gone
	echo "$1: modules $(grep -c ' (O' /proc/modules) output: $(tr '\n' ' ' < "$dir/log")"
}
pid=$($STAPRUN -D -o "$dir/log" "$MODULE" 2>&1)
echo "status $? pid $(cat /proc/$pid/comm) modules $(grep -c ' (O' /proc/modules)"
ls -l /proc/$pid/fd/[012] | grep -v -c /dev/null
sleep 0.3; kill -TERM $pid; left "TERM"
$STAPRUN -D -o "$dir/log" "$MODULE" quit=3 > /dev/null; left "exit() later"
$STAPRUN -D -o "$dir/log" "$MODULE" quit=1; echo "exit() in begin: status $?"; left "exit() in begin"
$STAPRUN -D -o "$dir/log" "$MODULE" quit=2; echo "error in begin: status $?"; left "error in begin"
$STAPRUN -D -o /nowhere/x "$MODULE"; echo "no folder: status $? modules $(grep -c ' (O' /proc/modules)"
$STAPRUN -D -o "$dir/log" "$MODULE" none=3 2>&1 | grep -o "Invalid argument"; echo "no such global: modules $(grep -c ' (O' /proc/modules)"
pid=$($STAPRUN -D -o "$dir/log" "$MODULE"); sleep 0.3; kill -9 $pid; left "killed"
pid=$($STAPRUN -D -o "$dir/log" "$MODULE"); sleep 0.3; kill -9 $(pgrep -P $pid stapio); left "stapio killed"
$STAPRUN -L "$MODULE" 2> /dev/null; pid=$($STAPRUN -D -A -o "$dir/log" $NAME); sleep 0.3; kill -QUIT $pid
until [ "$($STAPRUN -d $NAME 2>&1 | wc -l)" = 0 ]; do sleep 0.1; done; left "attached, detached, removed"
