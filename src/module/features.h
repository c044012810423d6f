/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime/features/features.def: a line is NAME and a test, either a snippet beside the table,
 * which must compile, or symbol:FOO, which must be exported. '#' starts a comment. The result is
 * stp_features.h with a line for each that is there.
 */
#ifndef SPILE_MODULE_FEATURES_H
#define SPILE_MODULE_FEATURES_H

#include <stdbool.h>

#include "module/tool.h"

struct module_kernel;

/* One row: exactly one of snippet and symbol is set. have is set by features_test(). */
struct feature {
	const char *name;
	const char *snippet; /* path, or NULL */
	const char *symbol;  /* or NULL */
	bool have;
	bool open; /* of features_test(): not decided yet */
};
/* The table; its memory is the arena's. */
struct features {
	struct arena *arena;
	VEC(struct feature) list;
};

/* dir: runtime/features. No table: no features. What is read lives in the arena. */
struct error *features_read(const char *dir, struct arena *arena,
			    struct features *ret) ERROR_MUST_CHECK;
/*
 * compile: argument list for one unit, to which -fsyntax-only and standard input are added. A
 * snippet that does not compile is no error, a compiler that cannot be started is one.
 */
struct error *features_test(struct features *f, struct module_kernel *kernel,
			    const char *const *compile) ERROR_MUST_CHECK;
/* stp_features.h at PATH, atomically: "#define STP_HAVE_NAME 1" for each that is there. */
struct error *features_write(const struct features *f, const char *path) ERROR_MUST_CHECK;

#endif
