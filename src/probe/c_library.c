/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose errno @errno is: that of the C library that the program is linked with, which the dynamic
 * linker finds as any other of its libraries, or of the one that is part of a static program.
 */
#include <string.h>

#include "probe/library.h"
#include "probe/program_of_point.h"
#include "target/objects.h"

/*
 * Among the libraries of a program: of GNU "libc.so.6", of musl "libc.so" or
 * "libc.musl-x86_64.so.1".
 */
static const struct target_object *
find_library(struct probe_env *env, const struct target_object *program, const char **why)
{
	const char *path = target_object_row(program)->path;
	const struct target_object *library;
	struct process_files files = { 0 };
	const char *ignored;

	library_find(env, program, "libc.*", &files, &ignored);
	if (!files.n) {
		*why = arena_printf(env->arena,
				    ": %s needs no C library, and has none with symbols in it",
				    path);
		return NULL;
	}
	library = program_open(env, files.data[0], why);
	if (!library || target_file_has_thread_local(library, "errno"))
		return library;
	*why = arena_printf(
		env->arena,
		": it is not a variable of %s, the C library of %s: that of GNU has one",
		files.data[0], path);
	return NULL;
}

const struct target_object *c_library_of(struct probe_env *env, const struct probe_point *point,
					 const char **why)
{
	const struct target_object *program = program_run_at(env, point, why);

	if (!program || target_file_has_thread_local(program, "errno"))
		return program;
	return find_library(env, program, why);
}
