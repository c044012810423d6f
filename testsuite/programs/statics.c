/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables of static storage in functions that the compiler copies: only the original in debug information has their place. */
static inline __attribute__((always_inline)) int inlined(int n)
{
	static int sum = 100;

	sum += n;
	__asm__ volatile("" ::: "memory");
	if (n > 1) {
		static struct {
			short small;
			char text[8];
		} inner = { 7, "inner" };

		inner.small += n;
		__asm__ volatile("" ::: "memory");
		return inner.small;
	}
	return sum;
}

/* Copied into its caller, and there out of line for others. */
int both(int n)
{
	static long kept = 5;

	kept += n;
	__asm__ volatile("" ::: "memory");
	return (int)kept + inlined(n);
}

__attribute__((noinline)) int caller(int n)
{
	int first = both(n);

	__asm__ volatile("" : "+r"(first)::"memory");
	return first + both(n + 1);
}

int main(void)
{
	volatile int result = both(1) + caller(2);

	return result == 0;
}
