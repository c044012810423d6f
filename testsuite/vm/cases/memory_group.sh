# SPDX-License-Identifier: GPL-2.0-or-later
# A program in a group of at most 8 MB takes 64.
exec 2>/dev/null
group=/tmp/groups/small
mkdir -p /tmp/groups
mount -t cgroup2 none /tmp/groups 2>/dev/null
echo +memory >/tmp/groups/cgroup.subtree_control
mkdir $group
echo 8M >$group/memory.max
sh -c "echo \$\$ >$group/cgroup.procs; exec perl -e '\$x = \"x\" x (64 << 20)'"
rmdir $group
umount /tmp/groups
true
