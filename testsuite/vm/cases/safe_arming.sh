# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
now() { echo $(($(date +%s%N) / 1000000)); }
since=$(now)
STAPRUN="$STAPRUN -v" begin
sleep 1.8
asked=$(now)
kill -INT $run
wait $run
took=$(($(now) - asked)) before=$((asked - since))
echo "modules $(grep -c ' (O' /proc/modules)"
if grep -q 'ended by SIGINT before it ran' "$dir/err"; then
	grep -q '^armed [0-9,]* of [1-9],[0-9]*$' "$dir/err" && echo "told" || cat "$dir/err"
	limit=$((3 * before))
else
	grep -q '^end [0-9]' "$dir/out" && echo "told" || cat "$dir/out"
	limit=15000 # one pass over the kernel, on a busy machine
fi
[ $took -lt $limit ] && echo "in time" || echo "after $took ms of $limit"
rm -rf "$dir"
