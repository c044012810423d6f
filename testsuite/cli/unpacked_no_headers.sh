# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by unpacked_no_headers: a tree with the image of $KERNEL and nothing else, by its directory and by its release's; one with
# two kernels; and none.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/boot" "$tree/usr/lib/modules/$KERNEL"
ln -s "/boot/vmlinuz-$KERNEL" "$tree/boot/vmlinuz-$KERNEL"
list() {
	"$STAP" -r "$1" -l 'kernel.function("vfs_read")' 2>&1 |
		sed -n "s|$tree|TREE|g; s/@.*//; s/\")$//; /^kernel/p; s/.*needs a kernel to look into: //p"
}
list "$tree"
list "$tree/usr/lib/modules/$KERNEL"
mkdir "$tree/usr/lib/modules/0.0.1-other"
list "$tree"
list "$tree/none"
