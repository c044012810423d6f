/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exceptions and a cancellation that pass through functions in C, a forked child, and one who asks who asks. */
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" int apply(int (*f)(int), int n);
extern "C" int apply_last(int n);
extern "C" int (*volatile applied)(int);

struct told {
	const char *name;
	~told()
	{
		printf("left %s\n", name);
		fflush(stdout);
	}
};

extern "C" __attribute__((noinline)) int thrower(int n)
{
	told t = { "thrower" };

	if (n)
		throw n;
	return 5;
}

static int compare(const void *, const void *)
{
	return thrower(6);
}

static int ends[2];

static void *reader(void *)
{
	told t = { "reader" };
	char c;

	return read(ends[0], &c, 1) == 1 ? &ends : NULL;
}

static void cancel()
{
	pthread_t thread;
	void *ret;

	if (pipe(ends) || pthread_create(&thread, NULL, reader, NULL))
		abort();
	usleep(100000);
	pthread_cancel(thread);
	pthread_join(thread, &ret);
	printf("cancelled %d\n", ret == PTHREAD_CANCELED);
}

int main()
{
	int list[] = { 3, 2, 1 }, status = 0;

	try {
		qsort(list, 3, sizeof(*list), compare);
	} catch (int n) {
		printf("caught %d\n", n);
	}
	try {
		apply(thrower, 3);
	} catch (int n) {
		printf("caught %d\n", n);
	}
	printf("applied %d\n", apply(thrower, 0));
	applied = thrower;
	printf("applied %d\n", apply_last(-1));
	cancel();
	printf("next %s\n", dlsym(RTLD_NEXT, "puts") ? "found" : dlerror());
	fflush(stdout);
	if (!fork())
		_exit(7);
	wait(&status);
	printf("child %d\n", WEXITSTATUS(status));
	return 0;
}
