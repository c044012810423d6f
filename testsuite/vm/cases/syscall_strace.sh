# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a session each with programs that strace watches too, and compares what both said.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for program in odd garbage; do
	$STAPRUN -o "$scratch/ours" -c "strace -o $scratch/strace $BUILD/programs/${program}_calls" "$MODULE" || exit $?
	perl ./syscall_strace.pl "$scratch/ours" "$scratch/strace" $program
	rm "$scratch/ours"
done
