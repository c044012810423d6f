/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_failing MODULE MOST: loads the module again and again, and each time another allocation of the load fails, the
 * first ones one by one and later ones with growing steps: the kernel's /proc/self/fail-nth (CONFIG_FAULT_INJECTION,
 * Documentation/fault-injection/fault-injection.rst). Ends after a load in which none failed, which it unloads, or
 * after MOST; prints how the loads ended and what was left behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		perror(path);
		exit(1);
	}
	close(fd);
}

/* What still is to be counted down: 0 once the failure came. Neither this nor count() allocates. */
static int left(int counter)
{
	char text[16] = "";

	if (pread(counter, text, sizeof(text) - 1, 0) < 0) {
		perror("fail-nth");
		exit(1);
	}
	return atoi(text);
}

/* Let the Nth allocation from now on fail; 0: none. */
static void count(int counter, int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	if (pwrite(counter, text, len, 0) != len) {
		perror("fail-nth");
		exit(1);
	}
}

/* Is a module of that file's name loaded? */
static int loaded(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return access(path, F_OK) == 0;
}

static const char *name_of(const char *file)
{
	static char name[64];
	const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	return name;
}

int main(int argc, char **argv)
{
	int fd, counter, n, refused = 0, passed = 0, strange = 0, stayed = 0, whole = 0;
	const char *name;

	if (argc != 3)
		return 1;
	name = name_of(argv[1]);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	counter = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (fd < 0 || counter < 0) {
		perror("load_failing");
		return 1;
	}
	/* also those that may sleep, and single pages; without a trace of each in the log */
	put("/sys/kernel/debug/failslab/ignore-gfp-wait", "N");
	put("/sys/kernel/debug/failslab/verbose", "0");
	put("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N");
	put("/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem", "N");
	put("/sys/kernel/debug/fail_page_alloc/min-order", "0");
	put("/sys/kernel/debug/fail_page_alloc/verbose", "0");
	for (n = 1; n <= atoi(argv[2]) && !whole; n += 1 + n / 24) {
		int error = 0;

		count(counter, n);
		if (syscall(SYS_finit_module, fd, "", 0))
			error = errno;
		whole = left(counter) > 0;
		count(counter, 0);
		refused += error == ENOMEM;
		passed += !error && !whole;
		strange += error && error != ENOMEM;
		if (error && error != ENOMEM)
			printf("allocation %d: %s\n", n, strerror(error));
		if (!error && syscall(SYS_delete_module, name, O_NONBLOCK))
			printf("allocation %d: it cannot be unloaded: %s\n", n, strerror(errno));
		stayed += loaded(name);
	}
	printf("%s: %s, %d strange, %d stayed\n", whole ? "to the end" : "not to the end",
	       refused > 10 ? "refused" : "hardly refused", strange, stayed);
	fprintf(stderr, "%d allocations, %d loads refused, %d passed\n", n, refused, passed);
	return 0;
}
