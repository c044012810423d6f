# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
sh -c '/bin/kill -0 1; echo status $?' 2>&1
kill -INT $run
wait $run
cat "$dir/out" "$dir/err"
dmesg | grep -c 'vfs_read\|do_syscall_64' | sed 's/^[1-9].*/logged/'
