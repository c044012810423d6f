/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters that are dead behind a call, so that only what their registers held at the entry tells
 * them there: in calls within one another, of two threads in turn, and in a copy inlined there.
 * Started with a word, it waits in the middle of a call until a file of that name is there.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noipa)) static void use(long n)
{
	__asm__ volatile("" : : "r"(n));
}

/* what is left of it stands behind the inner call */
__attribute__((noipa)) static long nest(long depth, long other)
{
	use(depth);
	if (depth < 3)
		nest(depth + 1, other - 10);
	use(0); /* here */
	return 1;
}

static inline __attribute__((always_inline)) void copy(long inner, long twice)
{
	use(inner);
	use(twice); /* in the copy */
}

__attribute__((noipa)) static long outer(long value)
{
	use(value);
	copy(value, 5);
	use(1);
	return 2;
}

/* The threads are at the same depth of their own stacks at the same time. */
static pthread_barrier_t both;

__attribute__((noipa)) static long meet(long mine, long other)
{
	use(mine);
	pthread_barrier_wait(&both);
	use(2); /* met */
	return 3;
}

static void *thread(void *arg)
{
	meet((long)arg, -(long)arg);
	return NULL;
}

__attribute__((noipa)) static long waits(long mine, const char *path)
{
	use(mine);
	puts("in the call");
	fflush(stdout);
	while (access(path, F_OK))
		usleep(10000);
	use(3); /* it is there */
	return 4;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	if (argc > 1)
		return waits(9, argv[1]) != 4;
	nest(1, 100);
	outer(42);
	pthread_barrier_init(&both, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread, (void *)(i + 7));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
