# SPDX-License-Identifier: GPL-2.0-or-later
d=/proc/systemtap/spile_procfs
cd $d || exit 1
ls -l command deep/only_read deep/er/only_write odd | sed 's/ .*//'
cat command
echo new >command
cat command
cat deep/only_read odd
echo hello >deep/er/only_write
wc -c <deep/big
dd if=deep/big bs=1000 skip=3 count=1 2>/dev/null | wc -c
wc -c <cut
for i in 1 2 3 4; do cat deep/big | md5sum & done | sort -u | wc -l
wait
echo 1 >vars
cat fails 2>&1 | sed 's/.*: //'
head -c 3000 /dev/zero | tr '\0' a >long
