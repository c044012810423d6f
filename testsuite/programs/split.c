/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of which the compiler puts a part elsewhere, with what is seldom run: two ranges of addresses. */
#include <stdlib.h>

__attribute__((cold, noinline)) void rare(int n)
{
	exit(n);
}

__attribute__((noinline)) int split(int number, int *where)
{
	if (__builtin_expect(!where, 0)) {
		rare(number);
		rare(number + 1);
	}
	*where += number;
	return number * 2;
}

int main(void)
{
	int sum = 0;

	for (int i = 1; i < 5; i++)
		sum += split(i, &sum);
	return sum != 30;
}
