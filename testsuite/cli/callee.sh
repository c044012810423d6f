#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: callee.sh STAP KERNEL: what is refused with a reason, whether there is debug information or not.
says() {
	"$STAP" -r "$KERNEL" -p2 -e "$1" 2>&1 | grep -oE -m1 "$2" || echo "not said of $1: $2"
}
STAP=$1 KERNEL=$2
says 'probe kernel.function("vfs_read").callees(0) { next }' 'value out of range \(1, 16\)'
(export SYSTEMTAP_DEBUGINFO_PATH=/nowhere; says 'probe kernel.function("vfs_read").callee("*") { next }' 'callees need debuginfo')
says 'probe kernel.function("do_exit").return { next }' 'do_exit does not return'
"$STAP" -g -r "$KERNEL" -p2 -e 'probe kernel.function("do_exit").return { next }' > /dev/null && echo resolved with -g
"$STAP" -r "$KERNEL" -l 'kernel.function("do_e*it").return' | grep do_exit || echo no do_exit
