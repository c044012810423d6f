# SPDX-License-Identifier: GPL-2.0-or-later
for name in panic_timeout generic_ro_fops; do
	"$STAP" -r "$KERNEL" -p2 -e "probe kernel.function(\"vfs_read\") { println(&\$$name != 0) }" > /dev/null 2> err.$$ && echo "$name: found"
	sed -n "s/.*\(unable to find local '[a-z_]*'\).*/\1/p" err.$$
	rm -f err.$$
done
