# SPDX-License-Identifier: GPL-2.0-or-later
# A program whose marks were described to dtrace: header and object, by the names that builds use; then what is wrong
dir=$(mktemp -d)
dtrace=$BUILD/dtrace
include=$PWD/../../include
cd "$dir" || exit 1
cat > shop.d <<'END'
#pragma D attributes Evolving/Evolving/Common provider shop provider
/* provider comment { } */
typedef struct item { int a; int b; } item_t;
provider shop {
	probe sold(char *, int price);
	probe item__lost(void); // none
	probe twelve(int, int, int, int, int, int, int, int, int, int, int, PRICE);
	probe call(int (*f)(int, int), int b);
};
END
cat > shop.c <<'END'
#include "shop.h"
int main(int argc, char **argv)
{
	volatile long last = 12;
	SHOP_SOLD(argv[0], argc);
	if (SHOP_ITEM_LOST_ENABLED())
		SHOP_ITEM_LOST();
	SHOP_TWELVE(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, last);
	SHOP_CALL(0, 7);
	return 0;
}
END
"$dtrace" -C -DPRICE=long -h -s shop.d && grep -x '/\* SHOP_.*' shop.h
"$dtrace" -G -o marks.o -s shop.d shop.o && cc -O1 -I"$include" -I. shop.c marks.o -o shop && ./shop && echo runs
"$STAP" -l 'process("./shop").mark("*")' | sed 's,"/.*/shop","shop",'
"$STAP" -L 'process("./shop").mark("sold"), process("./shop").mark("twelve")' 2>&1 | sed 's,"/.*/shop","shop",'
readelf -n shop | sed -n 's/.*Semaphore: 0x0*[1-9a-f].*/a semaphore/p'
wrong() { printf '%s\n' "$1" > wrong.d; "$dtrace" -h -s wrong.d; }
wrong 'provider p { probe a(int; };'
wrong 'provider p {
 probe a(int)
 probe b(); };'
wrong 'provider p { probe a(int,); };'
wrong 'provider p { probe a(); probe a(); };'
wrong 'provider { };'
wrong 'provider p { probe a(int,int,int,int,int,int,int,int,int,int,int,int,int); };'
wrong 'provider p { probe a();'
"$dtrace" -G -s missing.d
"$dtrace" -h -G -s shop.d | head -1
"$dtrace" -h 2>&1 | head -1
"$dtrace" --version | sed 's/[0-9.]*$/VERSION/'
ls
rm -rf "$dir"
