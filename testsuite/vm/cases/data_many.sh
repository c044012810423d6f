# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
$STAPRUN -R "$MODULE" > "$dir/second" 2>&1 && echo "six watchpoints"
grep -o 'kernel.data("panic_on_oops").*' "$dir/second"
cat /proc/sys/kernel/panic > "$dir/panic"
cat "$dir/panic" > /proc/sys/kernel/panic
kill -INT -$run; end "the first"
