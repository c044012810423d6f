# SPDX-License-Identifier: GPL-2.0-or-later
cd /proc/systemtap/procfs_limits || exit 1
for f in mine ours all far; do cat $f 2>&1 | sed 's/.*: //'; done
