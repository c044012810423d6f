# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
$STAPRUN -L "$MODULE" 2> /dev/null
for i in 1 2; do
	$STAPRUN -A $NAME 2> "$dir/err" | head -n 1
	grep -v 'earlier records were overwritten' "$dir/err"
	grep -o "^$NAME " /proc/modules
done
$STAPRUN -A $NAME > /dev/full 2> "$dir/err"; echo "no space: status $?"
grep ERROR "$dir/err"
$STAPRUN -A -o /dev/full $NAME 2> "$dir/err"; echo "no space in -o: status $?"
grep ERROR "$dir/err"
grep -o "^$NAME " /proc/modules
$STAPRUN -d $NAME && ! grep "^$NAME " /proc/modules
