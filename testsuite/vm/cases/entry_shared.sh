# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
begin; sleep 1
dd if=/dev/zero of=/dev/null bs=1 count=8000 2> /dev/null & a=$!
dd if=/dev/zero of=/dev/null bs=1 count=8000 2> /dev/null & b=$!
wait $a; wait $b; kill -INT $run; wait $run; echo "status $?"
set -- $(tail -n 1 "$dir/out")
# on each CPU the session may begin between the handlers of a call
[ $3 -le $2 ] && [ $2 -le $(($1 + $(nproc))) ] && echo "no more than there were" || echo "$1 hits, $2 saved, $3 ran"
[ $3 -ge 8000 ] && echo "most were seen" || echo "$1 hits, $2 saved, $3 ran"
echo "torn: $4"
