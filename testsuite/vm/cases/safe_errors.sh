# SPDX-License-Identifier: GPL-2.0-or-later
for where in 1 2 3 4 5; do
	$STAPRUN -c "sleep 1; cat /proc/uptime > /dev/null; sleep 1" "$MODULE" where=$where > /tmp/errors 2>&1
	echo "$where: status $? modules $(grep -c ' (O' /proc/modules)"
	# with debuginfo names have the place of the source
	grep -v 'Child process' /tmp/errors | sed 's/^/    /; s/@[^":]*:[0-9]*"/"/'
done
rm -f /tmp/errors
