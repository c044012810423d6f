# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
touch "$dir/go"
while [ -e "$dir/go" ]; do
	modprobe dummy numdummies=1
	modprobe -r dummy 2> /dev/null # while a probe is being put into it, it is in use
	echo >> "$dir/rounds"
done &
loop=$!
for i in 1 2 3 4 5; do
	$STAPRUN "$MODULE" > "$dir/out" 2> "$dir/err"
	echo "status $? $(tr '\n' ' ' < "$dir/out")"
	grep -v 'came and went' "$dir/err"
done | sort | uniq -c | sed 's/^ *//'
rm "$dir/go"
wait $loop
modprobe -qr dummy
[ $(wc -l < "$dir/rounds") -gt 4 ] || echo "only $(wc -l < "$dir/rounds") rounds"
rm -rf "$dir"
