/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions with a parameter that they do not look at: one that the compiler may call as it likes, and one that it may not. */
#include <stdio.h>

#define PLAIN __attribute__((noinline))

static PLAIN long hidden(long unused, long n)
{
	puts("hidden");
	return n * 5;
}

long shown(long unused, long n);

PLAIN long shown(long unused, long n)
{
	puts("shown");
	return n * 2;
}

int main(int argc, char **argv)
{
	printf("%ld\n", hidden(argc, argc + 2) + shown(argc, argc + 8));
	return 0;
}
