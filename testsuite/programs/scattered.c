/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two inlined copies whose instructions are mixed with others: GCC 12 has the entry of both at one address, where the first has none. */
#include <stdio.h>

volatile int sum;

static inline int weigh(int n, const char *text)
{
	int three = n * 3;

	sum += three;
	return three + text[0];
}

static __attribute__((noinline)) int part(int *list, int n)
{
	if (!list)
		return -1;
	for (int i = 0; i < n; i++) {
		sum += list[i];
		printf("%d ", list[i]);
	}
	return sum;
}

struct many {
	int of[20];
};

__attribute__((noinline)) int fourth(struct many *many)
{
	return many->of[3];
}

int main(int argc, char **argv)
{
	int list[3] = { 1, 2, 3 };
	struct many many = { { 0, 1, 2, 42 } };
	int all = weigh(argc, "A") + weigh(argc + 4, argv[0]);

	all += part(list, 3);
	all += part(argc > 5 ? 0 : list, 2);
	all += fourth(&many);
	printf("\n%d\n", sum);
	return all < 0;
}
