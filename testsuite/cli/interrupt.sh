# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the interrupt_*.stp cases. What stap starts has a variable of ours in its environment, by which it is found again.
dir=$(mktemp -d)
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp"

# What is not finished: temporary files beside their target, a base or a snapshot being made.
rest() {
	ls -A "$TMPDIR"
	find "$dir" -name '*.new' -o -name 'snap-*.*' -o -regextype egrep -regex '.*\.[A-Za-z0-9]{6}' | sed "s|$dir||"
	grep -sl "SPILE_INTERRUPTED=$dir" /proc/[0-9]*/environ | while read -r environ; do
		tr '\0' ' ' <"${environ%environ}cmdline"
		echo " still runs"
	done
}

# interrupt SIGNAL SECONDS STAP-ARGUMENTS: the signal, and once more right after; the status as a shell sees it, and what is left
interrupt() {
	sig=$1 after=$2
	shift 2
	SPILE_INTERRUPTED="$dir" timeout --preserve-status -s "$sig" "$(awk "BEGIN { print $after + 0.03 }")" timeout --preserve-status -s "$sig" "$after" \
		"$STAP" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	grep -i "error\|failed" "$dir/err"
	echo "$sig: $status" $(rest)
}
