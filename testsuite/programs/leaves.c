/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leaves N: what happens within functions whose returns are probed, N times each: fork(), clone(), vfork() and a clone with a stack of its
 * own, whose children return or call a function of the kind; exec; pthread_exit() and pthread_cancel(), which unwind; backtrace().
 * leaves alone: called once, a function of the kind returns.
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;
static int cleaned, waiting;

__attribute__((noinline)) int inner(int n)
{
	__asm__ volatile("");
	return n + 1;
}

static int on_own_stack(void *arg)
{
	return inner(*(int *)arg);
}

/* Returns in the child too where that has memory of its own: 0. */
__attribute__((noinline)) pid_t parts(int how)
{
	static char stack[65536] __attribute__((aligned(16)));
	pid_t pid;

	if (how == 0)
		return fork();
	if (how == 1)
		return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (how == 2) {
		pid = vfork();
		if (!pid)
			_exit(inner(how));
		return pid;
	}
	return clone(on_own_stack, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, &how);
}

__attribute__((noinline)) int becomes(int how)
{
	if (how == 0)
		execl(self, self, (char *)NULL);
	__asm__ volatile("");
	return how;
}

static void clean(void *arg)
{
	(void)arg;
	cleaned++;
}

__attribute__((noinline)) int waits(int how)
{
	pthread_cleanup_push(clean, NULL);
	if (how == 0)
		pthread_exit(NULL);
	__atomic_store_n(&waiting, 1, __ATOMIC_RELEASE);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return how;
}

static void *thread(void *arg)
{
	waits(arg != NULL);
	return NULL;
}

__attribute__((noinline)) int looks(int n)
{
	void *frames[16];

	return backtrace(frames, 16) > 0 ? n : -1;
}

static int child_of(int how)
{
	pid_t pid = parts(how);
	int status = 0;

	if (!pid)
		_exit(inner(how));
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) - 1 == how;
}

static int execs(void)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(becomes(0));
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) == 5;
}

static void ends(int how)
{
	pthread_t t;

	waiting = 0;
	pthread_create(&t, NULL, thread, how ? &cleaned : NULL);
	while (how && !__atomic_load_n(&waiting, __ATOMIC_ACQUIRE))
		usleep(100);
	if (how)
		pthread_cancel(t);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, right = 0;

	self = argv[0];
	if (!n)
		return inner(4);
	for (int i = 0; i < n; i++) {
		for (int how = 0; how < 4; how++)
			right += child_of(how);
		right += execs();
		ends(0);
		ends(1);
		right += looks(i) == i;
	}
	printf("right %d of %d, threads cleaned up %d of %d\n", right, 6 * n, cleaned, 2 * n);
	return 0;
}
