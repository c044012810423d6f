// SPDX-License-Identifier: GPL-2.0-or-later
/* A function in the body of another, as GNU C has them. */
#include <stdio.h>

__attribute__((noinline)) int twice(int n)
{
	__attribute__((noinline)) int more(int m)
	{
		__asm__ volatile("");
		return m + n;
	}
	int ret = more(n);

	__asm__ volatile("");
	return ret + 1;
}

int main(void)
{
	printf("%d\n", twice(2));
	return 0;
}
