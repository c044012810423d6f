#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For alias_io.stp: a loop device over a file, written and read around the page cache; a terminal is looked at.
modprobe loop max_loop=1 || exit
dd if=/dev/zero of=/dev/shm/alias_io bs=64k count=4 2>/dev/null
losetup /dev/loop0 /dev/shm/alias_io
dd if=/dev/zero of=/dev/loop0 bs=8k count=4 oflag=direct 2>/dev/null
dd if=/dev/loop0 of=/dev/null bs=16k count=2 iflag=direct 2>/dev/null
losetup -d /dev/loop0
rm /dev/shm/alias_io
sleep 0.3
