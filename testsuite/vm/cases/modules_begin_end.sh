# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
said() {
	for i in $(seq 300); do
		grep -q "^$1" "$dir/out" && break
		sleep 0.1
	done
}
begin
modprobe dummy numdummies=2
said armed
ip link add probed0 type dummy
kill -INT $run
said 'in end'
ip link del probed0
modprobe -r dummy
wait $run
status=$?
cat "$dir/out" "$dir/err"
echo "status $status"
rm -r "$dir"
