/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of what a function ends with from the frame in which an exception ended that one; calls on
 * a stack for signals that lies above the calls they interrupt; a call that ends unseen at last.
 */
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#define PLAIN __attribute__((noinline, noclone))

PLAIN int last(int n)
{
	asm volatile("");
	return n + 100;
}

/* Ends with a jump. */
PLAIN int ends(int n)
{
	if (n < 0)
		throw 1;
	return last(n);
}

PLAIN int visited(int n)
{
	if (n)
		raise(SIGUSR1);
	asm volatile("");
	return n * 2;
}

static void visit(int)
{
	visited(0);
}

int (*volatile pointer)(int) = last;

PLAIN int ends_anywhere(int n)
{
	asm volatile("");
	return pointer(n);
}

PLAIN void stays()
{
	alarm(3);
	pause();
}

int main(int argc, char **)
{
	char above[65536];
	struct sigaction on_usr1 = {};
	const stack_t stack = { above, 0, sizeof(above) };
	int sum = 0;

	for (int i = 0; i < 3; i++) {
		try {
			sum += ends(-1);
		} catch (int n) {
			sum += n;
		}
		sum += last(i) + ends(i);
	}
	on_usr1.sa_handler = visit;
	on_usr1.sa_flags = SA_ONSTACK;
	sigaltstack(&stack, nullptr);
	sigaction(SIGUSR1, &on_usr1, nullptr);
	for (int i = 0; i < 3; i++)
		sum += visited(i);
	sum += ends_anywhere(1);
	std::printf("sum %d\n", sum);
	std::fflush(stdout);
	if (argc > 1)
		stays();
	return 0;
}
