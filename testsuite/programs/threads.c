/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables that each thread has its own of: the program's, those of a library it is linked with, of one that it loads, and errno. Threads
 * are there all at once, and take turns; each tells report() what it has. ALONE: without libraries. Argument: the library to load.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 3

struct pair {
	char tag;
	long value;
};

__thread int own = 7;
__thread struct pair pair = { 'p', 70 };
static __thread long wide[3] __attribute__((aligned(64)));
__thread char *text;

#ifndef ALONE
extern __thread int linked_count;
int linked_add(int n);
static int (*loaded_add)(int n);
#endif

static sem_t turns[THREADS];

/* What the caller has, by its own reading. */
__attribute__((noinline)) int report(int thread, int error, int mine, long last, int linked,
				     int loaded)
{
	__asm__ volatile("" ::: "memory");
	return error + mine + (int)last + linked + loaded;
}

/* A call that fails in a way of its own for each thread. */
__attribute__((noinline)) int fail(int thread)
{
	int fd = -1;

	switch (thread) {
	case 0:
		return open("/nowhere/at/all", O_RDONLY);
	case 1:
		return (int)read(fd, &fd, sizeof(fd));
	case 2:
		return chdir("/proc/self/status");
	}
	return 0;
}

static void *run(void *data)
{
	int thread = (int)(long)data, linked = 0, loaded = 0, error;

	sem_wait(&turns[thread]);
	own += thread * 10;
	pair.value += thread;
	wide[2] = 1000 + thread;
	text = "zeroth\0first_\0second" + 7 * thread;
#ifndef ALONE
	linked = linked_add(thread + 1);
	/* the first thread never asks for its block */
	if (thread)
		loaded = loaded_add(thread * 3);
#endif
	errno = 0;
	fail(thread);
	error = errno;
	report(thread, error, own, wide[2], linked, loaded);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

#ifndef ALONE
	void *library = dlopen(argv[1], RTLD_NOW);

	loaded_add = library ? (int (*)(int))dlsym(library, "loaded_add") : NULL;
	if (!loaded_add)
		return 1;
#endif
	for (long i = 0; i < THREADS; i++)
		sem_init(&turns[i], 0, 0);
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 1;
	for (int i = 0; i < THREADS; i++) {
		sem_post(&turns[i]);
		pthread_join(threads[i], NULL);
	}
	return 0;
}
