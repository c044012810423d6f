/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that reports its errno while another one changes what the process has mapped, without a pause. */
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#define SIZE (16 << 20)

static volatile int done;

__attribute__((noinline)) void report(int error)
{
	__asm__ volatile("" : : "r"(error) : "memory");
}

static void *change(void *data)
{
	char *p = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		       -1, 0);

	for (int i = 0; !done; i++)
		mprotect(p, SIZE, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE);
	return 0;
}

int main(void)
{
	pthread_t thread;

	if (pthread_create(&thread, 0, change, 0))
		return 1;
	for (int i = 0; i < 3000; i++) {
		errno = i;
		report(i);
	}
	done = 1;
	return pthread_join(thread, 0);
}
