/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of CONFIG_MODVERSIONS, written as assembler text and assembled. The layout is struct
 * modversion_info of 64-bit kernels: a CRC of 8 bytes and a name of 56, NUL-padded.
 */
#include "module/versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "module/kernel.h"
#include "module/tool.h"

void versions_init(struct versions *v)
{
	strbuf_init(&v->names);
	strbuf_init(&v->entries);
}

void versions_deinit(struct versions *v)
{
	strbuf_deinit(&v->names);
	strbuf_deinit(&v->entries);
}

void versions_entry(struct strbuf *out, const char *name, unsigned crc)
{
	/* unsigned long crc; char name[64 - sizeof(long)] */
	if (strlen(name) < 56)
		strbuf_addf(out, "\t.quad 0x%08x\n\t.ascii \"%s\"\n\t.skip %zu\n", crc, name,
			    56 - strlen(name));
}

struct error *versions_add(struct versions *v, struct module_kernel *kernel, const char *already,
			   const char *name)
{
	struct symvers_entry entry;
	struct symvers *symvers;
	struct error *err;
	char line[256];

	snprintf(line, sizeof(line), "\n%s\n", name);
	if (strstr(already, line) || strstr(strbuf_cstr(&v->names), line))
		return NULL;
	err = kernel_symvers(kernel, &symvers);
	if (err)
		return err;
	if (!symvers_find(symvers, name, &entry) || entry.space_len)
		return NULL;
	strbuf_adds(&v->names, line);
	versions_entry(&v->entries, name, entry.crc);
	return NULL;
}

/* For object_symbols(): where to add, and the first error. */
struct adding {
	struct versions *v;
	struct module_kernel *kernel;
	const char *already;
	struct error *err;
};

static void add_undefined(void *arg, const char *name, bool defined)
{
	struct adding *a = arg;

	if (!defined && !a->err)
		a->err = versions_add(a->v, a->kernel, a->already, name);
}

struct error *versions_add_object(struct versions *v, struct module_kernel *kernel,
				  const char *already, const struct object *object)
{
	struct adding a = { .v = v, .kernel = kernel, .already = already };

	object_symbols(object, add_undefined, &a);
	return a.err;
}

struct error *versions_assemble(const struct module_kernel *kernel, const char *as,
				const char *entries, const char *out)
{
	struct arena *arena = arena_create();
	const char *text =
		arena_printf(arena, "\t.section __versions,\"a\"\n\t.balign 32\n%s", entries);
	struct argv argv;
	int in, err_fd, status = 0;
	pid_t pid;
	struct error *err = tool_memory_file(text, &in);

	if (err)
		goto out;
	err = tool_memory_file("", &err_fd);
	if (!err) {
		argv_init(&argv, arena);
		argv_add(&argv, as);
		argv_add_all(&argv, kernel->arch->as_flags);
		argv_add_all(&argv, (const char *const[]){ "-o", out, "-", NULL });
		err = tool_start(argv_done(&argv), NULL, in, err_fd, err_fd, &pid);
		if (!err)
			err = tool_wait(pid, &status);
		text = tool_collect(err_fd);
		if (!err && status)
			err = error_create("%s failed with status %d: %s", as, status, text);
		free((char *)text);
	}
	close(in);
out:
	arena_destroy(arena);
	return err;
}
