/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function that is chosen among two when the program starts. */
#include <stdio.h>

static int slow(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static int fast(int x)
{
	__asm__ volatile("");
	return x + 2;
}

static void *choose(void)
{
	int answer;

	__asm__ volatile("xor %0, %0" : "=r"(answer));
	return answer ? (void *)slow : (void *)fast;
}

int pick(int x) __attribute__((ifunc("choose")));

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 5; i++)
		sum += pick(i);
	printf("%d\n", sum);
	return 0;
}
