#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A mirror of two loop devices, set up by sysfs, is written and synced.
modprobe loop max_loop=2 || exit
modprobe raid1 || exit
echo md0 >/sys/module/md_mod/parameters/new_array || exit
cd /sys/block/md0/md || exit
echo raid1 >level
echo 2 >raid_disks
echo 8000 >component_size
for i in 0 1; do
	dd if=/dev/zero of=/dev/shm/md$i.img bs=1M count=8 2>/dev/null
	losetup /dev/loop$i /dev/shm/md$i.img || exit
	echo 7:$i >new_dev
	echo $i >dev-loop$i/slot
done
echo none >resync_start
echo active >array_state || exit
dd if=/dev/zero of=/dev/md0 bs=4k count=4 conv=fsync 2>/dev/null
echo clear >array_state
for i in 0 1; do
	losetup -d /dev/loop$i
	rm /dev/shm/md$i.img
done
