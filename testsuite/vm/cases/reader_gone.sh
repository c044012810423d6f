# SPDX-License-Identifier: GPL-2.0-or-later
$STAPRUN -L "$MODULE" 2> /dev/null
for i in $(seq 100); do
	[ "$(cat /proc/systemtap/$NAME/gone)" = 1 ] && break
	sleep 0.1
done
cat /proc/systemtap/$NAME/gone
# one that has nothing to wait for is removed
[ $i -lt 100 ] && exec $STAPRUN -A $NAME
$STAPRUN -d $NAME
