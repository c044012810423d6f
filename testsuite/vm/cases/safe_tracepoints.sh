# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	ls -lR /etc /usr/lib/modules > /dev/null 2>&1 &
	dd if=/dev/zero of="$dir/z" bs=4k count=500 2> /dev/null
	[ $(wc -l < "$dir/out") -gt 30 ] && break
	sleep 1
done
kill -INT $run; wait $run; echo "status $?"
grep -x 'many\|few' "$dir/out"
sed -n 's/\(Skipped due to session ended: \)[1-9][0-9]*$/\1some/p' "$dir/err" # the kernel does not stand still for the end
grep -v ^WARNING "$dir/err"
rm -rf "$dir"
