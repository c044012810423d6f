#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two modules whose code differs by a byte in length, each probed within its last function when it is loaded.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
case $KERNEL in
/*) tree=$(echo "$KERNEL"/lib/modules/*/build) remote=vm:$KERNEL ;;
*) tree=/lib/modules/$KERNEL/build remote=vm:$KERNEL ;;
esac
unset SYSTEMTAP_DEBUGINFO_PATH # the modules have their own
cp module_padding/* "$dir"
make -s -C "$tree" M="$dir" CC=gcc modules > "$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
for n in 0 1; do
	ko=$dir/padding_$n.ko
	"$STAP" --remote="$remote" module_padding.stp "$ko" -c "insmod $ko" 2> "$dir/err"
	grep -o "the kernel would read past the end" "$dir/err"
done | sort
