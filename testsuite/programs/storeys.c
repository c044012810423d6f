/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * storeys LIBRARY N: N times (0: until it is ended) a call through a library that it is linked with (storeys_lower.c) into one that it opens
 * (storeys_upper.c), which writes.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int lower_floor(int (*up)(int fd, int n), int fd, int n);

__attribute__((noinline)) static int ground_floor(int (*up)(int fd, int n), int fd, int n)
{
	int r = lower_floor(up, fd, n);

	__asm__ volatile("");
	return r + 1;
}

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*up)(int fd, int n) =
		library ? (int (*)(int, int))dlsym(library, "upper_floor") : NULL;
	int fd = open("/dev/null", O_WRONLY), sum = 0, n = argc > 2 ? atoi(argv[2]) : 0;

	if (!up || fd < 0) {
		fprintf(stderr, "storeys: %s\n", up ? "no /dev/null" : dlerror());
		return 1;
	}
	for (int i = 0; !n || i < n; i++) {
		sum += ground_floor(up, fd, i);
		usleep(20000);
	}
	return sum < 0;
}
