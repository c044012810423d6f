# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the session with programs that strace watches too, NAME_calls of each NAME of $programs, and compares what both said.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for program in $programs; do
	echo "strace -o $scratch/$program $BUILD/programs/${program}_calls"
done > "$scratch/run"
$STAPRUN -o "$scratch/ours" -c "sh -e $scratch/run" "$MODULE" || exit $?
n=0
for program in $programs; do
	awk -v n=$n 'done == n { print } /^chdir\("\/spile-end/ { done++ }' "$scratch/ours" > "$scratch/mine"
	perl ./syscall_strace.pl "$scratch/mine" "$scratch/$program" $program
	n=$((n + 1))
done
