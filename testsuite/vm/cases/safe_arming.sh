# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
/usr/bin/python3 -S -E safe_arming.py "$dir/out" 0.6 $STAPRUN "$MODULE" > "$dir/terminal"
read -r before answered took < "$dir/terminal"
has() { grep -q "$1" "$dir/terminal"; }
echo "modules $(grep -c ' (O' /proc/modules)"
# a stop that takes longer is answered: after 0.1 s on a quiet machine
if [ $took -lt 1000 ] || { [ $answered -lt $((1000 * SLOW)) ] && has '^stopping: letting go of [0-9,]* points'; }; then
	echo "answered"
else
	echo "an answer after $answered of $took ms"; cat "$dir/terminal"
fi
if has 'ended by SIGINT when nothing but its begin probes had run'; then
	limit=$((3 * before))
else
	grep -q '^end [0-9]' "$dir/out" || cat "$dir/out" "$dir/terminal"
	limit=15000 # one pass over the kernel, on a busy machine
fi
[ $took -lt $limit ] && echo "in time" || echo "after $took ms of $limit, an answer after $answered"
rm -rf "$dir"
