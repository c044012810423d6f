# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
cp "$(command -v sleep)" "$dir/sleeper"

for round in 1 2 3; do
	begin; said armed
	"$dir/sleeper" 1000 &
	sleeper=$!
	said entered
	kill -INT $run; wait $run
	begin; said armed
	kill $sleeper; { wait $sleeper; } 2>/dev/null
	kill -INT $run; wait $run
	tail -n 1 "$dir/out"
done | sort | uniq -c | sed 's/^ *//'
rm -rf "$dir"
