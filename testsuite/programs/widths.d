/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks with every number of arguments, of all widths; for dtrace -C -DWORD=long, of a library and so with semaphores. */
#include <stddef.h>
provider widths {
	probe n0();
	probe n1(signed char);
	probe n2(unsigned char, short);
	probe n3(unsigned short, int, unsigned int);
	probe n4(long, unsigned long, char *, WORD);
	probe n5(int, int, int, int, int);
	probe n6(char *, signed char, unsigned char, short, unsigned short, size_t);
	probe n7(int, int, int, int, int, int, int);
	probe n8(WORD, WORD, WORD, WORD, WORD, WORD, WORD, WORD);
	probe n9(short, short, short, short, short, short, short, short, short);
	probe n10(signed char, unsigned char, short, unsigned short, int, unsigned int, long, unsigned long, char *, WORD);
	probe all__done(int);
};
