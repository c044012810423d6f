# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the session with a program that strace watches too, $program_calls, and compares what both said.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
$STAPRUN -o "$scratch/ours" -c "strace -o $scratch/strace $BUILD/programs/${program}_calls" "$MODULE" || exit $?
perl ./syscall_strace.pl "$scratch/ours" "$scratch/strace" $program
