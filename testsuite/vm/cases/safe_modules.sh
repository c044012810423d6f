# SPDX-License-Identifier: GPL-2.0-or-later
. ./session.sh
ko=$dir/safe_modules.ko
try() { # WHAT [ARGUMENTS]: run $ko
	what=$1; shift
	$STAPRUN "$@" > "$dir/out" 2>&1
	status=$?
	sed -i "s,$dir/*,,g; s,@[^\"]*,,; s,/tmp/[^ ]*/,,; s/'9[^']*'/'OTHER'/; s/$(uname -r)/KERNEL/g" "$dir/out"
	echo "$what: status $status $(head -n 3 "$dir/out" | tr '\n' '|')"
	grep -q ' (O' /proc/modules && echo "left loaded"
}
# patch FROM TO: replace bytes, in hexadecimal, of the module
patch() {
	xxd -p "$MODULE" | tr -d '\n' | sed "s/$1/$2/g" | xxd -r -p > "$ko"
	cmp -s "$MODULE" "$ko" && echo "nothing to patch"
}
little() { echo "$1" | sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\8\7\6\5\4\3\2\1/'; }

head -c 3000 "$MODULE" > "$ko"; try "cut short" "$ko"
head -c 40 "$MODULE" > "$ko"; try "cut very short" "$ko"
: > "$ko"; try "empty" "$ko"
head -c 100000 /dev/urandom > "$ko"; try "noise" "$ko"
cp /bin/true "$ko"; try "a program" "$ko"
try "a folder" "$dir"
try "nothing" "$dir/none.ko"
sed "s/vermagic=[0-9]/vermagic=9/" "$MODULE" > "$ko"; try "another kernel's" "$ko"
sed "s/stap_wire=/stap_w1re=/" "$MODULE" > "$ko"; try "not ours" "$ko"
sed "s/stap_wire=./stap_wire=~/" "$MODULE" > "$ko"; try "of another version" "$ko"
try "unknown global" "$MODULE" nosuch=1
try "no number" "$MODULE" most=abc
cp "$MODULE" "$ko"; try "as it is" "$ko" most=-1
at=$(awk '$3 == "vfs_read" { print $1 }' /proc/kallsyms)
patch "$(little $at)" "$(little $(printf %x $((0x$at + 16))))"; try "another place" "$ko"
patch "$(little $at)" "$(little $(awk '$3 == "vfs_write" { print $1 }' /proc/kallsyms))"; try "another function" "$ko"
chmod 644 "$ko"; chmod 755 "$dir"; setpriv --reuid 65534 --clear-groups $STAPRUN "$ko" 2>&1 | head -n 1
rm -rf "$dir"
