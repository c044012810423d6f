# SPDX-License-Identifier: GPL-2.0-or-later
SYSTEMTAP_DIR=$(mktemp -d)
export SYSTEMTAP_DIR
try() { echo "$1: $("$STAP" -r "$KERNEL" -p2 ./tracepoint_headers.stp 2>&1 | grep -c '^compiling headers')"; }
try first
try again
for kept in "$SYSTEMTAP_DIR"/cache/headers/*.o.????????????????; do
	echo changed >"$kept"
done
try damaged
rm -rf "$SYSTEMTAP_DIR"
