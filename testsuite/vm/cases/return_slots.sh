# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
modprobe tun
begin; said armed
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	[ $((i % 2)) = 1 ] && modprobe dummy numdummies=1 || modprobe -r dummy
	. ./tun_reader.sh
	readers="$readers $!"
	for j in $(seq 300); do
		[ $(grep -c entered "$dir/out") = $i ] && break
		sleep 0.1
	done
done
kill $readers; { wait $readers; } 2> /dev/null
kill -INT $run; wait $run
grep -c entered "$dir/out"
grep -e '^not' -e '^returned' "$dir/out"
grep -e 'low maxactive' -e Missed "$dir/err"
modprobe -r tun
rm -rf "$dir"
