# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d)
export XDG_CACHE_HOME="$dir"
hello() {
	"$STAP" -v --remote=vm:"$KERNEL" -e 'probe begin { println("hello") exit() }' 2> "$dir/err" || cat "$dir/err"
	sed -En '/^Damaged in the cache/s|: /.*/snap-[0-9a-f-]+|: SNAPSHOT|p' "$dir/err"
}
hello
for ram in "$dir"/spile/snap-*/ram; do
	printf damaged | dd of="$ram" bs=1 seek=5000 conv=notrunc 2> /dev/null # its first 64 kB are among what is checked
done
hello
hello
rm -rf "$dir"
