#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file on XFS on a loop device is written, synced and read.
modprobe loop max_loop=1 || exit
modprobe xfs || exit
mkdir /dev/shm/xfs
truncate -s 300M /dev/shm/xfs.img
mkfs.xfs -q /dev/shm/xfs.img
mount -o loop /dev/shm/xfs.img /dev/shm/xfs
dd if=/dev/zero of=/dev/shm/xfs/file bs=4k count=4 conv=fsync 2>/dev/null
cat /dev/shm/xfs/file >/dev/null
umount /dev/shm/xfs
rmdir /dev/shm/xfs
rm /dev/shm/xfs.img
