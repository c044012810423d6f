/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GCC splits rarely() and mostly() behind their first condition: the rest of rarely() stays a function, that of mostly() is put back. */
#include <stdio.h>
#include <stdlib.h>

int table[64];

int rarely(int n)
{
	if (n < 3)
		return n;
	for (int i = 0; i < n; i++)
		printf("%d %d\n", i, table[i % 64]);
	for (int i = 0; i < n; i++)
		table[i % 64] = rand();
	for (int i = n; i; i--)
		printf("%d %d\n", i, table[i % 64]);
	return n * 2;
}

int mostly(int n)
{
	if (n < 3)
		return n;
	for (int i = 0; i < n; i++)
		printf("%d %d\n", i, table[i % 64]);
	for (int i = 0; i < n; i++)
		table[i % 64] = rand();
	return n * 3;
}

int (*volatile called[])(int) = { rarely, mostly };

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 100)
		return rarely(argc);
	return called[0](argc) + called[0](argc + 5) + called[0](argc * 7) + called[1](argc + 5);
}
