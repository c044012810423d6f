// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pointers that an inlined function has no value of, since the struct they point to was never in
 * memory: what they point to is known.
 */
#include <stdio.h>

struct pair {
	int a, b;
	struct {
		short x, y;
	} in;
};
volatile int sink, two = 2;

static inline __attribute__((always_inline)) int use(const struct pair *p, int k)
{
	sink = k;
	__asm__ volatile("nop" : : "r"(k)); /* whole */
	sink += p->a + p->b + p->in.y;
	return sink;
}

static inline __attribute__((always_inline)) int use_part(const short *q, int k)
{
	sink = k;
	__asm__ volatile("nop" : : "r"(k)); /* part */
	sink += *q;
	return sink;
}

int main(int argc, char **argv)
{
	struct pair p = { .a = argc + 40, .b = argc + 1, .in = { 7, argc + 8 } };
	int sum = use(&p, two);

	p.in.y = two + 20;
	sum += use_part(&p.in.y, two + 3);
	printf("%d\n", sum);
	return 0;
}
