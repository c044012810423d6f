# SPDX-License-Identifier: GPL-2.0-or-later
# On one CPU: throttling is by CPU.
cd /proc/systemtap/procfs_skipped || exit 1
taskset -c 0 wc -c < off
for i in 1 2; do taskset -c 0 cat again 2>&1 | sed 's/.*: //'; done
for i in 1 2; do echo $i | taskset -c 0 dd of=written status=none 2>&1 | sed 's/.*: //'; done
