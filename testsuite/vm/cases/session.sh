# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the cases with a session: directive; $STAPRUN, $MODULE and $NAME are set.
dir=$(mktemp -d)

# begin [ARGUMENTS]: a session in its own process group; returns once its output has a first line. $run is its staprun.
begin() {
	rm -f "$dir/out"
	setsid $STAPRUN "$@" "$MODULE" > "$dir/out" 2> "$dir/err" &
	run=$!
	for i in $(seq 200); do
		[ -s "$dir/out" ] && break
		sleep 0.1
	done
}

reader() { pgrep -P $run stapio; }

# end WHAT: wait for it and tell how it ended
end() {
	wait $run
	echo "$1: status $? modules $(grep -c ' (O' /proc/modules) output: $(tr '\n' ' ' < "$dir/out")"
	sed 's/^/    /' "$dir/err"
}

# gone: wait until no module of ours is loaded
gone() {
	for i in $(seq 200); do
		grep -q ' (O' /proc/modules || break
		sleep 0.1
	done
}

# said WORD: wait until the session has said so
said() {
	for i in $(seq 300); do
		grep -q "$1" "$dir/out" && return
		sleep 0.1
	done
	echo "not $1"
}

# busy_until N: make the kernel read and write until the session has said more than N lines, or for some 20 s
busy_until() {
	for i in $(seq 20); do
		ls -lR /etc /usr/lib/modules > /dev/null 2>&1 &
		dd if=/dev/zero of="$dir/z" bs=4k count=500 2> /dev/null
		[ $(wc -l < "$dir/out") -gt "$1" ] && break
		sleep 1
	done
}
