# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 1
dd if=/dev/zero of=/dev/null bs=1 count=20000 2> /dev/null & a=$!
dd if=/dev/zero of=/dev/null bs=1 count=20000 2> /dev/null & b=$!
wait $a; wait $b; kill -INT $run; wait $run; echo "status $?"
set -- $(tail -n 1 "$dir/out")
skipped=$(sed -n 's/.*due to lock timeout of a global: \([0-9]*\) of.*vfs_.*/\1/p' "$dir/err" | awk '{ n += $1 } END { print n + 0 }')
[ $2 = $3 ] && echo "two counts agree" || echo "$2 is not $3"
[ $(($2 + skipped)) = $1 ] && echo "every hit ran or was skipped" || echo "$1 hits, $2 ran, $skipped skipped"
[ $1 -ge 80000 ] && echo "all hits were seen" || echo "$1 hits"
