/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares stacks: at each place the program takes its own stack with backtrace() of libc and calls taken() with it; whoever
 * traces taken(), or the system call it makes, should see the same addresses. Ways to get there: recursion, a frame of variable size, an aligned
 * frame, a call back from a library, a signal handler, on its own stack too, a thread, more frames than are shown.
 */
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES 64
#define NOINLINE __attribute__((noinline, noclone))

volatile int sum;

/* frames[1] on are what its callers return to. */
NOINLINE void taken(const char *where, void **frames, long n)
{
	sum += n;
	__asm__ volatile("" : : "r"(where), "r"(frames) : "memory");
	syscall(SYS_getppid);
	sum++;
}

NOINLINE void take(const char *where)
{
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES);

	sum += *where;
	taken(where, frames, n);
	sum++;
}

NOINLINE void recursive(int n, const char *where)
{
	if (n)
		recursive(n - 1, where);
	else
		take(where);
	sum++;
}

NOINLINE void variable(int n)
{
	char *text = __builtin_alloca(n);

	memset(text, 'x', n);
	__asm__ volatile("" : : "r"(text) : "memory");
	take("alloca");
	sum += text[n - 1];
}

NOINLINE void aligned(int n, ...)
{
	_Alignas(64) char text[64];
	va_list ap;

	va_start(ap, n);
	memset(text, va_arg(ap, int), sizeof(text));
	va_end(ap);
	__asm__ volatile("" : : "r"(text) : "memory");
	take("aligned");
	sum += text[n];
}

NOINLINE int compare(const void *a, const void *b)
{
	static int done;

	if (!done++)
		take("qsort");
	return *(const int *)a - *(const int *)b;
}

NOINLINE void sorted(void)
{
	int v[] = { 3, 1, 2 };

	qsort(v, 3, sizeof(v[0]), compare);
	sum += v[0];
}

static void handler(int sig)
{
	take(sig == SIGUSR1 ? "signal" : "signal stack");
	sum++;
}

NOINLINE void signals(void)
{
	struct sigaction act = { .sa_handler = handler };
	stack_t other = { .ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ };

	sigaction(SIGUSR1, &act, NULL);
	act.sa_flags = SA_ONSTACK;
	sigaltstack(&other, NULL);
	sigaction(SIGUSR2, &act, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sum++;
}

static void *thread(void *arg)
{
	recursive(2, "thread");
	return arg;
}

int main(void)
{
	pthread_t t;
	void *warm[1];

	backtrace(warm, 1); /* loads what it needs */
	recursive(0, "plain");
	recursive(5, "recursive");
	variable(300);
	aligned(4, 1, 2, 3, 4, 5, 6, 7);
	sorted();
	signals();
	if (!pthread_create(&t, NULL, thread, NULL))
		pthread_join(t, NULL);
	recursive(40, "deep");
	return 0;
}
