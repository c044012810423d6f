/* SPDX-License-Identifier: GPL-2.0-or-later */
/* many N M: N short processes, forked, vforked, executed anew and killed; then M threads, a library that comes and goes, and jumps. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 5

static jmp_buf back;
static const char *self;
static int sum;

__attribute__((noinline)) int spin(int n)
{
	__asm__ volatile(""); /* each call counts */
	return n + 1;
}

__attribute__((noinline)) void leave(int n)
{
	__asm__ volatile("");
	longjmp(back, n);
}

static void run(int n)
{
	pid_t pid = n % 10 == 1 ? vfork() : fork();

	if (!pid) {
		if (n % 10 < 2)
			execl(self, self, (char *)NULL);
		spin(n);
		if (n % 10 == 2)
			kill(getpid(), SIGKILL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void *thread(void *arg)
{
	int mine = 0;

	for (int i = 0; i < ROUNDS; i++)
		mine += spin(i);
	__atomic_add_fetch(&sum, mine, __ATOMIC_RELAXED);
	return arg;
}

static void threads(int n)
{
	pthread_t *list = calloc(n, sizeof(*list));

	for (int i = 0; i < n; i++)
		pthread_create(&list[i], NULL, thread, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(list[i], NULL);
	free(list);
}

static void library(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		void *m = dlopen("libm.so.6", RTLD_NOW);
		double (*f)(double) = m ? (double (*)(double))dlsym(m, "cbrt") : NULL;

		if (f)
			f(i);
		if (m)
			dlclose(m);
	}
}

int main(int argc, char **argv)
{
	volatile int i;

	self = argv[0];
	if (argc < 3)
		return spin(0) != 1;
	for (i = 0; i < atoi(argv[1]); i++)
		run(i);
	threads(atoi(argv[2]));
	library();
	for (i = 1; i <= ROUNDS; i++)
		if (!setjmp(back))
			leave(i);
	printf("%d and %d\n", i, spin(sum));
	return 0;
}
