# SPDX-License-Identifier: GPL-2.0-or-later
ten() { for i in 0 1 2 3 4 5 6 7 8 9; do taskset -c "$1" cat /proc/version > /dev/null; done; }
cpu1=/sys/devices/system/cpu/cpu1/online
ten 1
echo 0 > $cpu1
ten 0
echo 1 > $cpu1
ten 1
echo 0 > $cpu1
echo 1 > $cpu1
ten 1
