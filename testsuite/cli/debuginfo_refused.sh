# SPDX-License-Identifier: GPL-2.0-or-later
dir=$(mktemp -d "${TMPDIR:-/tmp}/refused.XXXXXX")
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/boot"
SYSTEMTAP_DEBUGINFO_PATH=$dir
export SYSTEMTAP_DEBUGINFO_PATH
say() {
	"$STAP" -r "$KERNEL" -p2 -e "probe $1" 2>&1 | sed -n "s,$dir,DIR,g; s/$KERNEL/KERNEL/g; s/id [0-9a-f]*)/id ID)/; s/^ *hint: //p"
}
file=$dir/boot/vmlinux-$KERNEL
cp "$BUILD/programs/shapes" "$file"
say 'kernel.function("vfs_read") { println($nothing_of_it) }'
say 'kernel.statement("vfs_read@fs/read_write.c:1") { println(1) }'
say 'kernel.function("vfs_read").inline { println(1) }'
head -c 100 "$BUILD/programs/shapes" > "$file"
say 'kernel.function("vfs_read") { println($nothing_of_it) }'
# a packed image is no debug information, and nobody's mistake
echo packed > "$file"
say 'kernel.function("vfs_read") { println($nothing_of_it) }'
