# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
exec 2>&1
cd "$dir"
cat > waits <<'F'
#!/bin/sh
trap 'echo asked to end > asked; exit 5' TERM
echo runs; touch runs
while :; do sleep 0.1; done
F
cat > stays <<'F'
#!/bin/sh
trap '' TERM
echo $$ > pid
exec sleep 100
F
chmod +x waits stays
echo text > plain
run() { what=$1; shift; $STAPRUN "$@"; echo "$what: status $? modules $(grep -c ' (O' /proc/modules)"; }
run "exit() first" -c ./waits "$MODULE" quit=3; cat asked
run "timeout first" -c "sleep 77" --timeout=0.3 "$MODULE"; pgrep -x sleep && echo "a command was left running"
run "exit() first, command stays" -c ./stays "$MODULE" quit=3 > out 2>&1; sed "s/process $(cat pid)/process PID/" out
kill -0 $(cat pid) && echo "it does"; kill -9 $(cat pid)
run "exit() in begin" -c "touch there" "$MODULE" quit=1; ls there 2> /dev/null
run "error in begin" -c "touch there" "$MODULE" quit=2; ls there 2> /dev/null
run "no such command" -c /nowhere/x "$MODULE"
run "no such shell command" -c '/nowhere/x; exit 4' "$MODULE"
run "not executable" -c ./plain "$MODULE"
run "a folder" -c /tmp "$MODULE"
long=$(printf "%4087s" | tr ' ' /)bin/true # 4095 bytes: one more is no path, and this one is another program
run "too long" -c "${long}st" "$MODULE" 2>&1 | sed 's|//*|/|g'
run "killed" -c 'kill -SEGV $$' "$MODULE"
run "traced by its parent" -c "perl -e 'syscall(101, 0, 0, 0, 0); \$SIG{USR1} = sub { print qq(caught\n) }; \$| = 1; kill 10, \$\$; exit 3'" "$MODULE"
run "succeeds" -c true "$MODULE"
run "no such process" -x 99999999 --timeout=0.5 "$MODULE"
sleep 3 & run "process that goes" -x $! --timeout=20 "$MODULE"
rm -f asked runs; setsid $STAPRUN -c ./waits "$MODULE" & run=$!
until [ -e runs ]; do sleep 0.1; done; kill -TERM $run; wait $run; echo "TERM: status $?"; cat asked
{ $STAPRUN "$MODULE" quit=4; echo "status $? modules $(grep -c " (O" /proc/modules)" > status; } 2> err | head -n 1; gone; cat status err
