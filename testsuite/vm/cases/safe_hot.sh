# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin -w
busy_until 3
kill -INT $run; wait $run; echo "status $?"
grep -x 'many\|few' "$dir/out"
grep -v WARNING "$dir/err"
rm -rf "$dir"
