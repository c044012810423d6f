# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
# A caller between us and staprun, which it names as its parent
cat >"$dir/caller" <<'END'
#!/bin/sh
"$@" --parent=$$ "$MODULE"
exit $?
END
chmod +x "$dir/caller"
export MODULE
setsid "$dir/caller" $STAPRUN >"$dir/out" 2>"$dir/err" &
run=$!
for i in $(seq 200); do
	[ -s "$dir/out" ] && break
	sleep 0.1
done
kill -9 $run
wait $run 2>/dev/null
gone
echo "modules $(grep -c ' (O' /proc/modules) output: $(tr '\n' ' ' <"$dir/out")"
sed 's/^/    /' "$dir/err"
# one that is dead before staprun looks
$STAPRUN --parent=1000000 "$MODULE" 2>&1 | grep -o "ended by SIGTERM"
