// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory and code at addresses that are known before it runs (CMakeLists.txt): a word is written 10 times each by the program, a thread of it
 * and a child; the next is read 5 times and written once. With an argument it says that it runs, and begins when it is told a line.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((section(".watched"))) volatile long watched[2] = { 1, 2 };

__attribute__((section(".stepping"), noinline)) void step(long i)
{
	watched[0] = i;
}

static void *write_all(void *arg)
{
	for (long i = 0; i < 10; i++)
		step(i);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	long sum = 0;

	if (argc > 1) {
		puts(argv[1]);
		fflush(stdout);
		getchar();
	}
	write_all(NULL);
	pthread_create(&thread, NULL, write_all, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		write_all(NULL);
		_exit(0);
	}
	wait(NULL);
	for (int i = 0; i < 5; i++)
		sum += watched[1];
	watched[1] = sum;
	return 0;
}
