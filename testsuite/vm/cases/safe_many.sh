# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
first=10
last=54
for i in $(seq $first $last); do
	sed "s/safe_many__/safe_many$i/g" "$MODULE" > "$dir/m.ko"
	insmod "$dir/m.ko" _ring_kb=64 || break
done
echo "$(grep -c '^safe_many' /proc/modules) loaded"
for i in $first $last; do $STAPRUN -A safe_many$i; done
for i in $(seq $first $last); do rmmod safe_many$i 2> /dev/null; done
echo "$(grep -c '^safe_many' /proc/modules) left"
rm -rf "$dir"
