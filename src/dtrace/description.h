/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions of the marks of a program, as dtrace(1) reads them:
 *
 *     provider NAME { probe NAME(TYPE, TYPE argument, ...); ... };
 *
 * Behind the arguments may stand ": (arguments)", the same as scripts of DTrace see them.
 * Declarations of C beside providers, comments and lines that begin with # (pragmas, line marks of
 * a preprocessor) are passed over.
 */
#ifndef SPILE_DTRACE_DESCRIPTION_H
#define SPILE_DTRACE_DESCRIPTION_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#define DTRACE_MAX_ARGUMENTS 12 /* as many as sys/sdt.h takes */

/* A mark; texts are the arena's. */
struct dtrace_probe {
	const char *provider, *name;
	const char *arguments[DTRACE_MAX_ARGUMENTS]; /* each as it was written, without comments */
	unsigned n_arguments;
};

/* In the order of the text. */
struct dtrace_probes {
	struct dtrace_probe *data;
	size_t n, cap;
};

/*
 * Reads TEXT, which came from FILE. An error names the file and the line; *ret has then what stands
 * before it.
 */
struct error *dtrace_parse(struct arena *arena, const char *file, const char *text,
			   struct dtrace_probes *ret) ERROR_MUST_CHECK;

#endif
