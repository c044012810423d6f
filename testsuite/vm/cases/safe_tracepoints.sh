# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
busy_until 30
kill -INT $run; wait $run; echo "status $?"
grep -x 'many\|few' "$dir/out"
sed -n 's/\(Skipped due to session ended: \)[1-9][0-9]*$/\1some/p' "$dir/err" # the kernel does not stand still for the end
grep -v ^WARNING "$dir/err"
rm -rf "$dir"
