#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file on ext4 on a loop device is written and read.
modprobe loop max_loop=1 || exit
modprobe ext4 || exit
mkdir /dev/shm/ext4
dd if=/dev/zero of=/dev/shm/ext4.img bs=1M count=8 2>/dev/null
mkfs.ext4 -q /dev/shm/ext4.img
mount -o loop /dev/shm/ext4.img /dev/shm/ext4
dd if=/dev/zero of=/dev/shm/ext4/file bs=4k count=4 2>/dev/null
cat /dev/shm/ext4/file >/dev/null
umount /dev/shm/ext4
rmdir /dev/shm/ext4
rm /dev/shm/ext4.img
