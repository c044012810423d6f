# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
names="a b c d e f g h"
for i in $names; do sed "s/safe_together_/safe_together$i/g" "$MODULE" > "$dir/$i.ko"; done
ls -d /proc/systemtap 2> /dev/null
for i in $names; do insmod "$dir/$i.ko" & done
wait
echo "$(grep -c '^safe_together' /proc/modules) loaded, $(ls -d /proc/systemtap/*/cmd | wc -l) to be used"
for i in $names; do rmmod safe_together$i; done
rm -rf "$dir"
