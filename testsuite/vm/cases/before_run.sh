# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
# begin_held [ARGUMENTS]: as begin; the session's begin handler lasts until $holder ends
begin_held() {
	sleep 1000 &
	holder=$!
	rm -f "$dir/out"
	setsid $STAPRUN "$@" "$MODULE" holder=$holder > "$dir/out" 2> "$dir/err" &
	run=$!
	until [ -s "$dir/out" ]; do sleep 0.1; done
}
begin_held; kill -INT $run; sleep 0.3; kill $holder; end "INT before the probes are armed"
begin_held -c "touch $dir/there"; kill -TERM $(reader); sleep 0.3; kill $holder; end "TERM with -c"
ls "$dir/there" 2> /dev/null
begin_held --timeout=1.5; sleep 2; kill $holder; end "--timeout, counted from then on"
begin_held; kill $holder; sleep 2; kill -INT $run; end "INT later"
