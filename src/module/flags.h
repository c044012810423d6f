/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command lines kbuild would use, and ours made of them. kbuild is asked by make -n for a
 * one-line object: it runs nothing but its own compiler tests, so it also works where the
 * kernel's helper programs (objtool, fixdep) cannot start.
 *
 *   kernel    compiler and flags for a unit that includes kernel headers: kbuild's, less debug
 *             information, ftrace's entry calls, dependency files, plain -Werror and the -include
 *             list (which the precompiled header begins with)
 *   script    the same for a headerless unit: besides, no -I, -D, warnings, sanitizers, stack
 *             protector, -O
 *   objtool   the command without the file, less --link and --ibt (they want the whole module at
 *             once); empty when the kernel's modules are made without
 */
#ifndef SPILE_MODULE_FLAGS_H
#define SPILE_MODULE_FLAGS_H

#include <stdbool.h>

#include "base/error.h"
#include "module/tool.h"

struct module_kernel;

/* Command lines without the file that each is about; flags_ask() finds, flags_fit() adapts them. */
struct module_flags {
	struct argv kernel;   /* [0] is the compiler */
	struct argv script;   /* [0] is the compiler */
	struct argv objtool;  /* [0] is objtool */
	struct argv includes; /* headers that -include named, in order */
};

/*
 * Words of a shell command line: quotes and backslashes; ';', '|' and '&' end a command, a
 * newline does too. The words are added to RET, in its arena. Returns the rest behind the
 * command.
 */
const char *flags_split(const char *line, struct argv *ret);

/*
 * From kbuild's output. build: what relative paths are relative to. Everything in RET is in the
 * arena.
 */
struct error *flags_parse(const char *output, const char *build, struct arena *arena,
			  struct module_flags *ret) ERROR_MUST_CHECK;

/*
 * What is run, and what is compiled, goes into the kernel: an error when others than the caller and
 * root could change it (base/trust.h). A program without a slash is looked for in PATH, as for
 * running it. WHAT it is, for people.
 */
struct error *flags_check_program(struct arena *arena, const char *what,
				  const char *program) ERROR_MUST_CHECK;
/* Of its command line: a C library of its own may stand before it. NULL-terminated. */
struct error *flags_check_objtool(const char *const *words) ERROR_MUST_CHECK;
struct error *flags_check_build(const struct module_kernel *kernel) ERROR_MUST_CHECK;

/*
 * Ask kbuild, in a scratch directory that is removed again. Needs make. A build tree or a make that
 * others could change is refused.
 */
struct error *flags_ask(struct module_kernel *kernel, const char *cc, struct arena *arena,
			struct module_flags *ret) ERROR_MUST_CHECK;

/*
 * The compiler to use for this kernel: the one that built it when it is installed, else gcc. A
 * name to be found in PATH. One that others could change (base/trust.h) is refused.
 */
struct error *flags_find_compiler(struct module_kernel *kernel, struct arena *arena,
				  const char **ret) ERROR_MUST_CHECK;

/*
 * Make ALL flags fit the compiler: replace or drop those it refuses where that is harmless, or fail
 * naming the package of the compiler that knows them. Each change is a line in notes.
 */
struct error *flags_fit(struct module_kernel *kernel, struct module_flags *flags,
			struct argv *notes) ERROR_MUST_CHECK;

#endif
