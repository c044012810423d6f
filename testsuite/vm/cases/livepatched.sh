#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds a livepatch, which the target loads and switches off.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
case $KERNEL in
/*) tree=$(echo "$KERNEL"/lib/modules/*/build) remote=vm:$KERNEL ;;
*) tree=/lib/modules/$KERNEL/build remote=vm:$KERNEL ;;
esac
cp livepatched/* "$dir"
make -s -C "$tree" M="$dir" CC=gcc modules > "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
cat > "$dir/target" << EOF2
turned() { for i in 1 2 3 4 5 6 7 8 9 10; do [ \$(cat /sys/kernel/livepatch/patch/transition) = 0 ] && return; sleep 1; done; }
uptime() { read up rest < /proc/uptime; case \$up in patched) echo patched ;; *) echo up ;; esac; }
uptime
insmod $dir/patch.ko
turned; uptime
echo 0 > /sys/kernel/livepatch/patch/enabled
while [ -e /sys/kernel/livepatch/patch ]; do sleep 0.2; done
uptime
EOF2
"$STAP" --remote="$remote" livepatched.stp -c "sh $dir/target" 2> "$dir/err" || cat "$dir/err"
