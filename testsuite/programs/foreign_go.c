// SPDX-License-Identifier: GPL-2.0-or-later
/* Calls main.traceme of a Go program that it has mapped, from two threads that say they are one goroutine, and as one that has no memory. */
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define CALLS 3000

static unsigned long g[64]; /* stack.lo, stack.hi */
static const char *function;

/* Where the function is in the file; 0: nowhere. */
static unsigned long offset_of(const char *file, const char *name)
{
	const Elf64_Ehdr *e = (const void *)file;
	const Elf64_Shdr *s = (const void *)(file + e->e_shoff);

	for (int i = 0; i < e->e_shnum; i++) {
		const Elf64_Sym *sym = (const void *)(file + s[i].sh_offset);

		for (size_t k = 0; s[i].sh_type == SHT_SYMTAB && k < s[i].sh_size / sizeof(*sym);
		     k++) {
			const Elf64_Shdr *in = &s[sym[k].st_shndx];

			if (!strcmp(file + s[s[i].sh_link].sh_offset + sym[k].st_name, name))
				return sym[k].st_value - in->sh_addr + in->sh_offset;
		}
	}
	return 0;
}

/* Go passes in RAX and RBX, and has the goroutine in R14. */
static void call_as(unsigned long *goroutine, long a, long b)
{
	register unsigned long *r14 asm("r14") = goroutine;

	asm volatile("call *%[f]"
		     : "+a"(a), "+b"(b)
		     : [f] "r"(function), "r"(r14)
		     : "memory", "cc");
}

static void *call(void *arg)
{
	for (int i = 0; i < CALLS; i++)
		call_as(g, i, arg ? 10000 : 0);
	return arg;
}

int main(int argc, char **argv)
{
	int fd = open(argv[argc - 1], O_RDONLY);
	struct stat st;
	pthread_t other;
	char *file;

	if (fd < 0 || fstat(fd, &st))
		return 1;
	file = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED || !offset_of(file, "main.traceme"))
		return 1;
	function = file + offset_of(file, "main.traceme");
	g[1] = ~0ul;
	if (pthread_create(&other, NULL, call, g))
		return 1;
	call(NULL);
	pthread_join(other, NULL);
	call_as(NULL, 0, 0);
	puts("called");
	return 0;
}
