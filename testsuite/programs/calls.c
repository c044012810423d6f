/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of all sorts: recursive, left by longjmp(), from many threads, in forked children; data of all sorts. */
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define ROUNDS 500

enum colour { RED, GREEN = 5 };

struct inner {
	short low;
	char name[8];
};

struct outer {
	int id;
	struct inner in;
	struct outer *next;
	unsigned flag : 3;
	enum colour colour;
	const char *text;
};

struct outer root = { 7, { -2, "inner" }, &root, 5, GREEN, "hello" };
int counter = 40;
static volatile long table[3] = { 10, 20, 30 };
static jmp_buf back;
static volatile int sink;

__attribute__((noinline)) int fact(int n)
{
	return n < 2 ? 1 : n * fact(n - 1);
}

/* Deeper than the kernel follows returns. */
__attribute__((noinline)) int deep(int n)
{
	return n ? deep(n - 1) + 1 : 0;
}

__attribute__((noinline)) int jumps(int n)
{
	if (n)
		longjmp(back, n);
	return 1;
}

__attribute__((noinline)) int around(int n)
{
	return jumps(n) + 1;
}

__attribute__((noinline)) long data(struct outer *o, const char *text, unsigned char small,
				    double d, long e, long f, long g, long stacked)
{
	int local = o->id + small;

	counter++;
here:
	sink = local + (int)d + (int)strlen(text) + (int)(e + f + g);
	if (sink == -1)
		goto here;
	return table[1] + stacked;
}

__attribute__((noinline)) int spin(int n)
{
	__asm__ volatile(""); /* each call counts */
	return n + 1;
}

static inline __attribute__((always_inline)) int inlined(int q)
{
	return q * 3 + sink;
}

static void *many(void *arg)
{
	int n = 0;

	for (int i = 0; i < ROUNDS; i++)
		n = spin(n);
	return arg;
}

static void threads(void)
{
	pthread_t list[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&list[i], NULL, many, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(list[i], NULL);
}

static void children(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(spin(i));
		waitpid(pid, NULL, 0);
	}
}

int main(void)
{
	volatile int i;

	sink = fact(5);
	for (i = 1; i < 4; i++)
		if (!setjmp(back))
			sink = around(i);
	sink = around(0);
	sink = data(&root, "some text", 200, 2.5, 3, 4, 5, 6) & 0xff;
	sink = inlined(sink);
	sink = deep(99);
	threads();
	children();
	return 0;
}
