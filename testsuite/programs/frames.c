/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Built without .eh_frame and frame pointers: how its frames are left is in .debug_frame alone. */
#include <alloca.h>
#include <stdlib.h>

volatile int sink;

__attribute__((noinline)) void leaf(int n)
{
	sink = n;
}

/* Some registers are saved, and room is made. */
__attribute__((noinline)) int inner(int n)
{
	volatile int table[40];
	int sum = 0;

	for (int i = 0; i < 40; i++)
		table[i] = n + i;
	leaf(n);
	for (int i = 0; i < 40; i++)
		sum += table[i];
	return sum;
}

/* A frame of a size that is known at run time only. */
__attribute__((noinline)) int middle(int n)
{
	volatile char *room = alloca(n);

	room[n - 1] = 3;
	return inner(n) + room[n - 1];
}

__attribute__((noinline)) int outer(int n)
{
	int a = middle(n), b = middle(n + 1);

	return a * b + n;
}

int main(void)
{
	return outer(100) == 1;
}
