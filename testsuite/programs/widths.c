/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * widths LIBRARY NAME first|later TIMES: opens the library first or when SIGUSR1 has come, and once more;
 * fires its marks when they are enabled; ends when they are no more.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int (*enabled)(void);
static void (*fire)(void), (*done)(int);
static volatile sig_atomic_t go;

static void on_signal(int signal)
{
	go = signal;
}

static void *open_library(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);

	if (!library) {
		puts(dlerror());
		exit(2);
	}
	enabled = dlsym(library, "widths_enabled");
	fire = dlsym(library, "widths_fire");
	done = dlsym(library, "widths_done");
	return library;
}

static void wait_until(int n)
{
	while (enabled() != n)
		usleep(1000);
}

int main(int argc, char **argv)
{
	int later = argc > 4 && !strcmp(argv[3], "later"), times = argc > 4 ? atoi(argv[4]) : 0;

	signal(SIGUSR1, on_signal);
	if (!later) {
		open_library(argv[1]);
		printf("%s: %d enabled when opened\n", argv[2], enabled());
	}
	puts("waits");
	fflush(stdout);
	while (!go)
		usleep(1000);
	for (int i = 0; later && i < 2; i++) {
		void *library = open_library(argv[1]);

		printf("%s: %d enabled when opened\n", argv[2], enabled());
		fire();
		if (!i)
			dlclose(library);
	}
	wait_until(3);
	for (int i = 0; i < times; i++)
		fire();
	done(times);
	wait_until(0);
	printf("%s: none enabled any more\n", argv[2]);
	return 0;
}
