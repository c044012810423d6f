/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function that ends in a jump to another: both return at once, to the caller of the first. */
static volatile int sink;

__attribute__((noinline)) int inner(int n)
{
	sink = n;
	__asm__ volatile(""); /* each call counts */
	return n + 1;
}

__attribute__((noinline)) int outer(int n)
{
	sink = n;
	return inner(n + 1);
}

__attribute__((noinline)) int middle(int n)
{
	int r = outer(n);

	__asm__ volatile("");
	return r + 1;
}

int main(void)
{
	for (int i = 0; i < 200; i++)
		sink = middle(i);
	return 0;
}
