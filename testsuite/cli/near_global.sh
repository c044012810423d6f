# SPDX-License-Identifier: GPL-2.0-or-later
see() {
	"$STAP" -p2 "$@" 2>&1 | sed '/^indexing/d; s=/.*/programs/==; s/the package .*/the package ***/; /while processing/d; /source:/d; /^ *^$/d; /^$/d'
}
cd "$BUILD/programs" || exit 1
see -e 'probe process("./forgets").function("used") { println(@var("sinc")) }'
see -e 'probe begin { println(@var("sourec", "./forgets")) }'
see -e 'probe begin { println(@var("none_of_these", "./forgets")) }'
see -e 'probe begin { println(@var("sink@other.c", "./forgets")) }'
see -r "$KERNEL" -e 'probe begin { println(@var("jiffes")) }'
see -r "$KERNEL" -e 'probe kernel.function("vfs_read") { println(@var("jiffies_lck")) }'
