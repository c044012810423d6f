# SPDX-License-Identifier: GPL-2.0-or-later
. ./cache.sh
m='global a probe begin { a[1] = 2; exit() }'
compile "$m"
for how in shorten zero flip; do
	$how 'stap_*.ko'
	compile "$m"
done

s='probe kernel.function("vfs_read") { println($count) }'
look "$s"
zero 'symbols-*[0-9a-f]'; look "$s"
shorten 'vmlinux-*[0-9a-f]'; look "$s"
flip 'tapset-*.index'; look "$s"

zero map_map.o; shorten 'stap_*.ko'; compile "$m // 2"
rm -r "$HOME"/.systemtap/cache/kernels/*/members; compile "$m // 3"
flip base.o; shorten kernel.h.gch; compile 'global a probe begin { a[1] = 3; exit() }'
flip kernel.h.gch; compile 'global a probe begin { a <<< 1; exit() }'

u='probe process("/bin/true").begin { print_ubacktrace() }'
compile "$u"
for how in shorten flip; do
	$how 'true-*.user-[0-9]'
	compile "$u // $how"
done

rm "$ko"
mkdir "$ko" # cannot be made anew there
compile "$u // $how"
rm -rf "$dir"
