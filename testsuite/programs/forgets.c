/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters in registers, some of which nothing reads behind a function's entry. */
volatile int source = 3, sink;

#define APART __attribute__((noinline, noclone, noipa))

struct pair {
	int a, b;
};

APART int unused(int n)
{
	sink = 1;
	return source;
}

APART int overwritten(int n)
{
	n = source;
	sink = n;
	return n * 2;
}

APART int used(int n)
{
	sink = 1;
	return n;
}

/* on one of two ways */
APART int rarely(int n)
{
	if (source == 5)
		sink = n;
	return source;
}

/* where the call leads is not looked at */
APART int passed(int n, int (*call)(int))
{
	return call(n) + 1;
}

APART int in_memory(struct pair *p, int n)
{
	sink = n;
	return source;
}

int main(void)
{
	struct pair p = { 1, 2 };

	return unused(1) + overwritten(2) + used(3) + rarely(4) + passed(5, used) +
		       in_memory(&p, 6) ==
	       0;
}
