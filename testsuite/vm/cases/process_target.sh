# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
mkfifo "$dir/target" "$dir/other"
cat > "$dir/work" <<'F'
read go
i=0; while [ $i -lt 10 ]; do /bin/true; (/bin/true; :); i=$((i + 1)); done
exec /bin/false
F
sh "$dir/work" < "$dir/target" & target=$!
sh "$dir/work" < "$dir/other" & other=$!
exec 3> "$dir/target" 4> "$dir/other"
setsid $STAPRUN -x $target "$MODULE" > "$dir/out" 2> "$dir/err" &
run=$!
until grep -q runs "$dir/out"; do sleep 0.05; done
echo go >&4
wait $other
echo go >&3
wait $target
kill -INT $(reader)
end "-x"
