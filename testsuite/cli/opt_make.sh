# SPDX-License-Identifier: GPL-2.0-or-later
# -B: the kernel's makefiles see it, and what was compiled without it is not taken for it..
dir=$(mktemp -d)
script='%{
#ifndef OF_MAKE
#error OF_MAKE is not defined
#endif
%} probe begin { %{ %} exit() }'
SYSTEMTAP_DIR=$dir "$STAP" -r "$KERNEL" -g -p4 -B KCFLAGS=-DOF_MAKE=1 -e "$script" 2> /dev/null | sed 's/.*\.ko$/a module/'
"$STAP" -r "$KERNEL" -g -p4 -e "$script" 2>&1 > /dev/null | grep -o -m1 'OF_MAKE is not defined'
"$STAP" -B KCFLAGS -p1 -e "$script"
"$STAP" -B 'A B=c' -p1 -e "$script"
rm -rf "$dir"
