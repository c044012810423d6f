# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 0.5
dd if=/dev/zero of=/dev/null bs=1 count=300 2> /dev/null &
sleep 0.2; kill -INT $run; wait $run; echo "status $?"
printed=$(sed -n 's/^printed //p' "$dir/out")
arrived=$(grep -cE '^line [0-9]+ x{56}$' "$dir/out")
lost=$(sed -n 's/.*There were \([0-9]*\) transport failures.*/\1/p' "$dir/err")
[ $((arrived + ${lost:-0})) = $printed ] && echo "all accounted for" || echo "$printed printed, $arrived arrived, ${lost:-none} lost"
grep -vE '^line [0-9]+ x{56}$|^printed |^begin$' "$dir/out" || true
