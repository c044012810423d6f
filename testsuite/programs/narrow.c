/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program of i386 without a library: arguments and results of every width, marks, calls that nest, and system calls. */
#define SDT_USE_SEMAPHORES
#include <sys/sdt.h>

SDT_SEMAPHORE(narrow, widths);
SDT_SEMAPHORE(narrow, text);

struct point {
	char tag;
	long x;
	struct point *next;
	long long wide;
};

struct pair {
	int a, b;
};

static const char words[] = "some words";
static struct point last = { 'l', -7, 0, 1 }, first = { 'f', 42, 0, -5000000000 };
volatile int level = 3;
int table[4] = { 11, 22, 33, 44 };

#define NOINLINE __attribute__((noinline, noclone, noipa))

NOINLINE int sum(int a, signed char b, unsigned c, const char *text)
{
	return a + b + (int)c + text[0];
}

NOINLINE long long wide(long long a, int b)
{
	return a * b;
}

NOINLINE long walk(struct point *p)
{
	return p->x + (p->next ? walk(p->next) : 0);
}

NOINLINE struct pair swapped(int a, int b)
{
	return (struct pair){ b, a };
}

NOINLINE double half(double d, int n)
{
	return d / n;
}

/* In registers, as the compiler passes arguments of a function that it knows all calls of. */
NOINLINE __attribute__((regparm(3))) int inner(int a, short b, int c)
{
	return a * 100 + b * 10 + c;
}

static long call(long number, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "0"(number), "b"(a), "c"(b), "d"(c) : "memory");
	return ret;
}

static int run(void)
{
	volatile signed char a = -1;
	volatile unsigned short b = 0xfffe;
	volatile int c = -3;
	int index = level +
		    (*(const volatile char *)words == 0); /* what a probe reads must be in memory */
	struct pair pair;

	first.next = &last; /* nobody relocates us */
	STAP_PROBE4(narrow, widths, a, b, c, table[index]);
	STAP_PROBE3(narrow, text, words, 42, -7);
	pair = swapped(1, 2);
	if (sum(-2, -3, 0xfffffff0, words) + wide(-5000000000, 3) + walk(&first) != -14999999871 ||
	    pair.a != 2 || half(3, 2) != 1.5 || inner(1, -2, 3) != 83)
		return 1;
	return 0;
}

__attribute__((force_align_arg_pointer)) void _start(void)
{
	call(4, 1, (long)"narrow\n", 7); /* write */
	call(1, run(), 0, 0);            /* exit */
	__builtin_unreachable();
}
