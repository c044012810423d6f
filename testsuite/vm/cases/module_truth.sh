#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the module with its own debug information, as any module of somebody's, and loads it under module_truth.stp in a guest.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
case $KERNEL in
/*) tree=$(echo "$KERNEL"/lib/modules/*/build) remote=vm:$KERNEL ;;
*) tree=/lib/modules/$KERNEL/build remote=vm:$KERNEL ;;
esac
unset SYSTEMTAP_DEBUGINFO_PATH # the module has its own
cp module_truth/truth.c module_truth/Makefile "$dir"
make -s -C "$tree" M="$dir" CC=gcc modules > "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
"$STAP" -g --remote="$remote" module_truth.stp "$dir/truth.ko" -c "insmod $dir/truth.ko" 2> "$dir/err" || cat "$dir/err"
