# SPDX-License-Identifier: GPL-2.0-or-later
# The last one stays until its map was read: its /tmp goes with it. The tree may be below /tmp.
rm -f /tmp/perf-*.map
mkdir -p /run/programs
cat > /tmp/jit.sh <<EOF
$BUILD/programs/jit
$BUILD/programs/jit 4321
unshare --mount --pid --fork --kill-child sh -c 'mount --bind $BUILD/programs /run/programs; mount -t tmpfs none /tmp; /run/programs/jit stay; true' &
echo \$! > /tmp/jit.pid
wait
EOF
$STAPRUN -c "sh /tmp/jit.sh" $MODULE
kill -9 $(cat /tmp/jit.pid)
rm -f /tmp/perf-*.map /tmp/jit.sh /tmp/jit.pid
