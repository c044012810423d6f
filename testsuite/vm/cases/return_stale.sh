# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
cp "$(command -v sleep)" "$dir/sleeper"
for round in 1 2 3 4 5; do
	begin
	"$dir/sleeper" 2 &
	sleeper=$!
	sleep 0.3
	kill -INT $run; wait $run
	begin
	wait $sleeper
	kill -INT $run; wait $run
	tail -n 1 "$dir/out"
done | sort | uniq -c | sed 's/^ *//'
rm -rf "$dir"
