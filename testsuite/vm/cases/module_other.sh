# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
ko=$dir/$NAME.ko
try() { # WHAT: run $ko
	$STAPRUN "$ko" > "$dir/out" 2>&1
	echo "$1: status $? $(head -n 1 "$dir/out")"
}
modprobe dummy numdummies=0
id=$(tail -c 20 /sys/module/dummy/notes/.note.gnu.build-id | xxd -p | tr -d '\n')
cp "$MODULE" "$ko"; try "the same"
xxd -p "$MODULE" | tr -d '\n' | sed "s/$id/$(echo "$id" | tr 0-8 1-9)/" | xxd -r -p > "$ko"
cmp -s "$MODULE" "$ko" && echo "nothing to patch"
try "another"
modprobe -r dummy
try "not loaded"
rm -rf "$dir"
