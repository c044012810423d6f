# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
# begin_ignoring SIGNALS: begin, with these inherited as ignored
begin_ignoring() {
	rm -f "$dir/out"
	(trap '' $1; exec setsid $STAPRUN "$MODULE" > "$dir/out" 2> "$dir/err") &
	run=$!
	until [ -s "$dir/out" ]; do sleep 0.1; done
	sleep 0.3
}
begin_ignoring "INT QUIT"; kill -INT $run; end "INT to staprun, ignored by its parent"
begin_ignoring "INT QUIT"; kill -INT $(reader); end "INT to stapio, ignored by its parent"
begin_ignoring HUP; kill -HUP -$run; sleep 0.3; kill -TERM $run; end "HUP under nohup, then TERM"
