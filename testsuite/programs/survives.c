/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survives jumps N: longjmp() over functions whose returns are probed, and calls behind it. survives dies N: N children that a signal
 * ends in a probed function. survives loads N LIBRARY: it is loaded, its function cbrt() called, and unloaded. survives calls N: calls
 * until told a line, N at least; how many is said. survives meets N: N threads call a function, ten
 * times, and each call returns only when all of them are in it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf back;

__attribute__((noinline)) int inner(int n)
{
	__asm__ volatile("");
	if (n % 3)
		longjmp(back, 1);
	return n + 1;
}

__attribute__((noinline)) int outer(int n)
{
	int ret = inner(n);

	__asm__ volatile("");
	return ret + 1;
}

static void jumps(int n)
{
	static int sum;
	volatile int i;

	for (i = 0; i < n; i++)
		if (!setjmp(back))
			sum += outer(i);
	printf("jumps %d\n", sum);
}

__attribute__((noinline)) void die(int how)
{
	__asm__ volatile("");
	if (how == 0)
		*(volatile int *)8 = 1;
	else if (how == 1)
		__builtin_trap();
	else
		raise(how == 2 ? SIGKILL : SIGTERM);
}

static void dies(int n)
{
	int by[64] = { 0 }, status;

	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid) {
			die(i % 4);
			_exit(0);
		}
		waitpid(pid, &status, 0);
		by[WTERMSIG(status) & 63]++;
	}
	printf("dies %d %d %d %d\n", by[SIGSEGV], by[SIGILL], by[SIGKILL], by[SIGTERM]);
}

static void loads(int n, const char *library)
{
	double sum = 0;

	for (int i = 0; i < n; i++) {
		void *m = dlopen(library, RTLD_NOW);
		double (*f)(double) = m ? (double (*)(double))dlsym(m, "cbrt") : NULL;

		if (f)
			sum += f(8);
		if (m)
			dlclose(m);
	}
	printf("loads %.0f\n", sum);
}

static void calls(int n)
{
	int sum = 0, i;

	fcntl(0, F_SETFL, O_NONBLOCK);
	for (i = 0; i < n || getchar() == EOF; i++) {
		clearerr(stdin);
		sum += inner(i * 3) == i * 3 + 1;
		usleep(200);
	}
	printf("calls %s\n", sum == i ? "right" : "wrong");
}

static pthread_barrier_t all_in;
static int met;

__attribute__((noinline)) int meet(int n)
{
	pthread_barrier_wait(&all_in);
	return n + 1;
}

static void *thread(void *arg)
{
	int right = 0;

	for (int i = 0; i < 10; i++)
		right += meet(i * 7) == i * 7 + 1;
	__atomic_add_fetch(&met, right, __ATOMIC_RELAXED);
	return arg;
}

static void meets(int n)
{
	pthread_t *list = calloc(n, sizeof(*list));

	pthread_barrier_init(&all_in, NULL, n);
	for (int i = 0; i < n; i++)
		if (pthread_create(&list[i], NULL, thread, NULL))
			abort();
	for (int i = 0; i < n; i++)
		pthread_join(list[i], NULL);
	printf("meets %d\n", met);
	free(list);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!n)
		return 1;
	if (!strcmp(argv[1], "jumps"))
		jumps(n);
	else if (!strcmp(argv[1], "dies"))
		dies(n);
	else if (!strcmp(argv[1], "loads") && argc > 3)
		loads(n, argv[3]);
	else if (!strcmp(argv[1], "meets"))
		meets(n);
	else
		calls(n);
	return 0;
}
