# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
modprobe tun
begin; said armed
. ./tun_reader.sh
reading=$!
said entered
modprobe dummy numdummies=1
kill $reading; { wait $reading; } 2> /dev/null
kill -INT $run; wait $run
grep -e '^not' -e '^tun' -e '^dummy' "$dir/out"
grep 'entry before' "$dir/err"
modprobe -r dummy tun
rm -rf "$dir"
