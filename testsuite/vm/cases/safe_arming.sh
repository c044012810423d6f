# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
has() { grep -q "$1" "$dir/said"; }

# interrupt HOW [ARGUMENTS]: while it arms; succeeds when it was answered at once, or over as soon, and ended in time
interrupt() {
	how=$1
	shift
	/usr/bin/python3 -S -E safe_arming.py $how "$dir/out" 0.6 $STAPRUN "$@" "$MODULE" > "$dir/said"
	read -r before answered took < "$dir/said"
	if has 'ended by SIGINT when nothing but its begin probes had run'; then
		limit=$((3 * before))
	else
		grep -q '^end [0-9]' "$dir/out" || cat "$dir/out" "$dir/said"
		limit=15000 # one pass over the kernel, on a busy machine
	fi
	# a stop that takes longer is answered: after 0.1 s on a quiet machine
	[ $answered -lt $((300 * SLOW)) ] && [ $took -lt $limit ]
}

# tell HOW [ARGUMENTS]: a machine that is busy has three tries
tell() {
	for try in 1 2 3; do
		interrupt "$@" && echo "$1: answered, in time" && return
	done
	echo "$1: an answer after $answered ms, the end after $took of $limit ms"
	cat "$dir/said"
}
tell terminal
tell pipe --progress
echo "modules $(grep -c ' (O' /proc/modules)"
rm -rf "$dir"
