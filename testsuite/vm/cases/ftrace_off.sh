# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
sysctl -q kernel.ftrace_enabled=0
$STAPRUN "$MODULE" 2>&1 | sed 's/^ERROR: probe [a-z]*[^:]*: /ERROR: probe: /; s/ (rc -16)$//'
sysctl -q kernel.ftrace_enabled=1
$STAPRUN "$MODULE" 2>&1 | grep -v "^WARNING: Missed by the kernel" # calls on their way at the end
rm -rf "$dir"
