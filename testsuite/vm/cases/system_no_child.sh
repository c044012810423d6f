# SPDX-License-Identifier: GPL-2.0-or-later
threads=$(cat /proc/sys/kernel/threads-max)
$STAPRUN "$MODULE"
status=$?
echo "$threads" > /proc/sys/kernel/threads-max
exit $status
