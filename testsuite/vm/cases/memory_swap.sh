# SPDX-License-Identifier: GPL-2.0-or-later
# A program in a group of at most 8 MB fills 24 and reads them; the rest is swapped to a disk in memory.
exec 2>/dev/null
modprobe loop max_loop=1
dd if=/dev/zero of=/dev/shm/swap.img bs=1M count=48
disk=$(losetup --show -f /dev/shm/swap.img)
mkswap $disk >/dev/null
swapon $disk
group=/tmp/groups/small
mkdir -p /tmp/groups
mount -t cgroup2 none /tmp/groups
echo +memory >/tmp/groups/cgroup.subtree_control
mkdir $group
echo 8M >$group/memory.max
sh -c "echo \$\$ >$group/cgroup.procs; exec perl -e '\$x = \"x\" x (24 << 20); \$n += ord(substr(\$x, \$_ << 12, 1)) for 0 .. 6143;'"
rmdir $group
umount /tmp/groups
swapoff $disk
losetup -d $disk
rm /dev/shm/swap.img
true
