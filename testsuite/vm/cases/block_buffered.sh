#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A loop device is written through the page cache, and the kernel is asked to write that out.
modprobe loop max_loop=1 || exit
dd if=/dev/zero of=/dev/shm/block bs=64k count=4 2>/dev/null
losetup /dev/loop0 /dev/shm/block
dd if=/dev/zero of=/dev/loop0 bs=4k count=32 2>/dev/null
sync
losetup -d /dev/loop0
rm /dev/shm/block
