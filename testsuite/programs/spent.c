/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables of optimised code that nothing keeps: arguments that only their callers know after a
 * call, and the lesser and the greater of two numbers that are in registers.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noipa)) static long work(long n)
{
	return n + 1;
}

__attribute__((noipa)) static long spend(long money, long rest)
{
	long left = work(money);

	if (left > 100)
		goto rich;
	return work(left) + rest;
rich:
	left = work(left);
	return left * rest;
}

__attribute__((noipa)) static long sum(long a, long b)
{
	long lesser = a < b ? a : b;
	long greater = a > b ? a : b;

	__asm__ volatile("nop"); /* here they can be read */
	return a + b;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 7;

	printf("%ld %ld\n", spend(n, 2) + spend(n * 100, 2), sum(n, -5) + sum(-9, n) + sum(n, n));
	return 0;
}
