# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
mount -t debugfs none /sys/kernel/debug 2> /dev/null
since=$(date +%s)
begin -w; said armed
took=$(($(date +%s) - since))
n=$(wc -l < /sys/kernel/debug/kprobes/list)
[ $n -gt 200 ] && echo "many" || echo "$n kprobes"
# 25 ms each on a busy machine
[ $took -lt $((60 * SLOW)) ] || echo "$n armed after $took s"
ls -lR /etc > /dev/null
kill -INT $run; wait $run
grep hit "$dir/out"
cat "$dir/err"
rm -rf "$dir"
