# SPDX-License-Identifier: GPL-2.0-or-later
# For target_set.stp: directories made by somebody else, a child, a grandchild, an orphan and the target, one after the other.
until_there() { while ! [ -e "$1" ]; do sleep 0.1; done; }
until_there /tmp/target_set_outside
mkdir /tmp/target_set_child
sh -c 'mkdir /tmp/target_set_grandchild; true'
sh -c 'parent=$$; sh -c "while [ -e /proc/$parent ]; do sleep 0.1; done; mkdir /tmp/target_set_orphan; true" &'
until_there /tmp/target_set_orphan
rmdir /tmp/target_set_*
exec mkdir /tmp/target_set_itself
