# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
trap "" PIPE
cd "$dir"; mkfifo script

# ignoring SIGNALS SIGNAL ARGUMENTS: stap waits for its script, and inherits SIGNALS as ignored; SIGNAL is sent to it
ignoring() {
	(trap '' $1; shift 2; exec "$STAP" "$@" script 2> "$dir/err") &
	stap=$!
	exec 5> script # returns once stap reads
	sleep 0.1
	kill -$2 $stap
	sleep 0.1
	echo 'probe begin { exit() }' >&5
	exec 5>&-
	wait $stap
	echo "$2: status $?"
	cat "$dir/err"
}
ignoring "INT QUIT" INT
ignoring "INT QUIT" QUIT -p2
ignoring HUP HUP -p1
rm -rf "$dir"
