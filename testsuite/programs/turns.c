/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns THREADS TIMES: waits for SIGUSR1, then each of so many threads calls turn_one(), turn_two() and getppid(2), and has a mark,
 * so many times.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t go;
static int times;

static void on_signal(int signal)
{
	go = signal;
}

__attribute__((noinline)) int turn_one(int n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) int turn_two(int n)
{
	__asm__ volatile("");
	return n + 2;
}

static void *turns(void *data)
{
	for (int i = 0; i < times; i++) {
		turn_one(i);
		turn_two(i);
		STAP_PROBE1(turns, turn, i);
		syscall(SYS_getppid);
	}
	return data;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;
	pthread_t threads[16];

	times = argc > 2 ? atoi(argv[2]) : 0;
	if (n > 16)
		return 2;
	signal(SIGUSR1, on_signal);
	puts("waits");
	fflush(stdout);
	while (!go)
		usleep(1000);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, turns, NULL))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
