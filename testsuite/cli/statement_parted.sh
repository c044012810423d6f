# SPDX-License-Identifier: GPL-2.0-or-later
parted=$BUILD/programs/parted
at=$(nm "$parted" | sed -n 's/^0*\([0-9a-f]*\) t .*area.*\.cold$/\1/p')
"$STAP" -r "$KERNEL" -L "process(\"$parted\").statement(0x$at).nearest" | sed "s,/[^ ]*/,,g; s/0x$at/ADDRESS/"
"$STAP" -r "$KERNEL" -p2 -e "probe process(\"$parted\").statement(0x$at).nearest { println(ppfunc()) }" | sed -n "s,.*+\(0x$at\) .*,at \1,p" | sed "s/0x$at/the address/"
