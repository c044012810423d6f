# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
exec 2>&1
modules() { grep -c " (O" /proc/modules; }
begin; sleep 0.3; kill -QUIT -$run; end "Ctrl-\\"
$STAPRUN -A --timeout=0.3 $NAME; echo "attached: status $? modules $(modules)"
begin; kill -QUIT $run; end "QUIT to staprun"
$STAPRUN -A -o /nowhere/x $NAME; echo "no folder: status $? modules $(modules)"
$STAPRUN -A -N $$ $NAME; echo "-N of one that runs: status $? modules $(modules)"
setsid $STAPRUN -A $NAME & run=$!
sleep 0.5
$STAPRUN -A $NAME; echo "two at once: status $? modules $(modules)"
$STAPRUN -d $NAME; echo "removed under a reader: status $? modules $(modules)"
kill -QUIT -$run; wait $run; echo "detached: status $? modules $(modules)"
$STAPRUN -d $NAME; echo "removed: status $? modules $(modules)"
$STAPRUN -d $NAME; echo "removed again: status $?"
$STAPRUN -A $NAME; echo "attached to none: status $?"
$STAPRUN -d virtio_console 9p; echo "not ours: status $?"
$STAPRUN -L "$MODULE"; echo "-L: status $? modules $(modules)"
$STAPRUN -L -R "$MODULE" 2>/dev/null; echo "-L -R: status $? modules $(modules)"
$STAPRUN -d '*'; echo "all: status $? modules $(modules)"
$STAPRUN -L "$MODULE" 2> /dev/null; $STAPRUN -A --timeout=0.3 $NAME; echo "attached to -L: status $?"
$STAPRUN -L "$MODULE" 2> /dev/null; $STAPRUN -A -N 99999 $NAME; echo "-N of no process: status $?"
$STAPRUN -d $NAME; insmod "$MODULE"; $STAPRUN -A -N $$ --timeout=0.3 $NAME; echo "-N of one only loaded: status $?"
insmod "$MODULE"; $STAPRUN -A --timeout=0.3 $NAME; echo "only loaded: status $? modules $(modules)"
begin -c "sleep 0.5; touch $dir/done"; kill -QUIT $run; end "QUIT with -c"
sleep 1; $STAPRUN -d $NAME; ls "$dir/done" > /dev/null && echo "the command went on"
