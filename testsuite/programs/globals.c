/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Globals of the function's own file, of the other one, and one that is static in both. */
extern int declared;
int plain = 5;
static int twice = 31;
extern int other(int n);

__attribute__((noinline)) int sum(int n)
{
	return declared + twice++ * n + plain++;
}

/* Declares in blocks of its own what is defined elsewhere. */
__attribute__((noinline)) int within(int n)
{
	extern int plain;

	if (n) {
		extern int undeclared;

		return plain + undeclared;
	}
	return 0;
}

int main(void)
{
	return sum(2) + other(3) + within(1) == 0;
}
