/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other file of globals.c. */
static int twice = 8;
int declared = 100, undeclared = 9;

__attribute__((noinline)) int other(int n)
{
	return undeclared + twice++ * n;
}
