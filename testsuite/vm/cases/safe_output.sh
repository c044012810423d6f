# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
modules() { grep -c ' (O' /proc/modules; }
$STAPRUN "$MODULE" > /dev/full; echo "no space: status $? modules $(modules)"
{ $STAPRUN "$MODULE"; echo "closed pipe: status $? modules $(modules)" >&2; } | head -n 1
$STAPRUN "$MODULE" >&-; echo "no output: status $? modules $(modules)"
$STAPRUN -o /nowhere/x "$MODULE"; echo "no folder: status $? modules $(modules)"
mkdir "$dir/small" && mount -t tmpfs -o size=16k none "$dir/small"
$STAPRUN -o "$dir/small/x" "$MODULE" 2>&1 | sed "s,$dir/,,"; echo "full disk: modules $(modules)"
umount "$dir/small"
mkfifo "$dir/fifo"
# a reader that reads nothing, then Ctrl-C twice
sleep 100 < "$dir/fifo" & sleeper=$!
setsid $STAPRUN "$MODULE" > "$dir/fifo" 2> "$dir/err" & run=$!
sleep 4; kill -INT -$run; sleep 1.5; kill -INT -$run; wait $run; echo "stalled: status $? modules $(modules)"; sed "s,$dir/,," "$dir/err"
kill $sleeper
