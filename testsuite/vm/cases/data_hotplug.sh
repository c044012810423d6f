# SPDX-License-Identifier: GPL-2.0-or-later
cpu1=/sys/devices/system/cpu/cpu1/online
program=$1
panic=$(cat /proc/sys/kernel/panic) oops=$(cat /proc/sys/kernel/panic_on_oops)

three() { taskset -c "$1" sh -c "for i in 0 1 2; do echo $panic > /proc/sys/kernel/panic; done"; }
next() { taskset -c 0 sh -c "echo $oops > /proc/sys/kernel/panic_on_oops"; }
# the events of a CPU that comes are made behind its coming
awhile() { for i in 0 1 2 3 4; do three 1; taskset -c 1 "$program" > /dev/null; sleep 0.1; done; }

awhile
next
echo 0 > $cpu1
three 0
next
echo 1 > $cpu1
awhile
next
for i in 0 1; do
	echo 0 > $cpu1
	echo 1 > $cpu1
done
awhile
echo 0 > $cpu1
