/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls on several stacks of one thread (makecontext(3)) that end in another order than they begin; the last stack ends, too. */
#include <stdio.h>
#include <ucontext.h>

#define N 4

static char stacks[N][65536] __attribute__((aligned(16)));
static ucontext_t first, contexts[N];
static int current, ended;

static void next(void)
{
	int me = current;

	current = (current + 1) % N;
	swapcontext(&contexts[me], &contexts[current]);
}

__attribute__((noinline)) int work(int id, int n)
{
	int ret = 0;

	for (int i = 0; i < n; i++) {
		ret += id * i;
		next();
	}
	return ret;
}

static void run(int id)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += work(id, 2 + i);
	printf("coroutine %d: %d\n", id, sum);
	fflush(stdout);
	if (++ended == N)
		return;
	for (;;)
		next();
}

int main(void)
{
	volatile int is_back = 0;

	getcontext(&first);
	if (is_back) {
		puts("all ended");
		return 0;
	}
	is_back = 1;
	for (int i = 0; i < N; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
		contexts[i].uc_link = &first;
		makecontext(&contexts[i], (void (*)(void))run, 1, i);
	}
	setcontext(&contexts[0]);
	return 1;
}
