# SPDX-License-Identifier: GPL-2.0-or-later
modprobe -a sd_mod 2>/dev/null
modprobe scsi_debug dev_size_mb=8 delay=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	disk=$(ls -d /sys/bus/pseudo/devices/adapter*/host*/target*/*/block/* 2>/dev/null)
	[ -n "$disk" ] && [ -b "/dev/${disk##*/}" ] && break
	sleep 0.3
done
dd if=/dev/zero of=/dev/${disk##*/} bs=4096 count=1 oflag=direct 2>/dev/null
dd if=/dev/${disk##*/} of=/dev/null bs=8192 count=1 skip=10 iflag=direct 2>/dev/null
echo offline >/sys/class/block/${disk##*/}/device/state
true
