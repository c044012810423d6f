/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library in C: what it calls may be anything. The second ends with a call through a pointer. */
int apply(int (*f)(int), int n)
{
	int ret = f(n) + 1;

	return ret * 2;
}

int (*volatile applied)(int);

int apply_last(int n)
{
	return applied(n + 1);
}
