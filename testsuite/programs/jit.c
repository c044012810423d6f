/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A JIT compiler: code in memory of no file, which calls back, and the map that names it (/tmp/perf-PID.map). With "stay" it
 * then waits to be ended; with a number the map belongs to that user.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void (*callback)(void);

__attribute__((noinline)) void called(void)
{
	__asm__ volatile("");
}

/* With a frame pointer, as such compilers do it: calls what its argument is. */
static const unsigned char caller[] = {
#ifdef __x86_64__
	0x55,             /* push %rbp */
	0x48, 0x89, 0xe5, /* mov %rsp,%rbp */
	0xff, 0xd7,       /* call *%rdi */
	0x5d,             /* pop %rbp */
	0xc3,             /* ret */
#elif defined(__aarch64__)
	0xfd, 0x7b, 0xbf, 0xa9, /* stp x29, x30, [sp, #-16]! */
	0xfd, 0x03, 0x00, 0x91, /* mov x29, sp */
	0x00, 0x00, 0x3f, 0xd6, /* blr x0 */
	0xfd, 0x7b, 0xc1, 0xa8, /* ldp x29, x30, [sp], #16 */
	0xc0, 0x03, 0x5f, 0xd6, /* ret */
#endif
};

static char *code;

static void through_second(void)
{
	((void (*)(callback))(code + 256))(called);
}

static void write_map(const char *owner)
{
	char path[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	if (!map ||
	    fprintf(map, "%lx 40 first\n%lx 40 Second::call(int) file.js:7\n", (long)code,
		    (long)code + 256) < 0 ||
	    fclose(map))
		exit(2);
	if (owner && atoi(owner) && chown(path, atoi(owner), -1))
		exit(2);
}

int main(int argc, char **argv)
{
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	if (code == MAP_FAILED)
		return 2;
	memcpy(code, caller, sizeof(caller));
	memcpy(code + 256, caller, sizeof(caller));
	memcpy(code + 512, caller, sizeof(caller)); /* the map does not know it */
	__builtin___clear_cache(code, code + 4096);
	write_map(argv[1]);
	((void (*)(callback))code)(through_second);
	((void (*)(callback))(code + 512))(called);
	if (argc > 1 && !strcmp(argv[1], "stay"))
		pause();
	return 0;
}
