#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_process.stp: a child that runs a program, one that exits with 3, and one that dies of a signal.
exec 2>/dev/null
/bin/true one "two words"
(exit 3)
sleep 100 &
kill -USR1 $!
wait $!
trap : USR1 # not before: the child would have it until it runs sleep
kill -USR1 $$
# Within a second the kernel gathers its statistics, in a work item; waited for without a child.
read -r now rest < /proc/uptime
end=$((${now%.*} + 3))
while [ "${now%.*}" -lt "$end" ]; do read -r now rest < /proc/uptime; done
exit 0
