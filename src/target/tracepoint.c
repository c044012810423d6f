/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of vmlinux by the symbol index: trace events by system and name, and plain
 * tracepoints, whose system is "".
 */
#include <fnmatch.h>
#include <string.h>

#include "base/similar.h"
#include "target/internal.h"

/* The index is sorted by name, then system, and so are the answers. */
struct error *target_find_tracepoints(struct target *t, const char *pattern,
				      struct target_tracepoints *ret)
{
	const char *colon = strchr(pattern, ':');
	const char *system = colon ? arena_strndup(t->arena, pattern, colon - pattern) : NULL;
	const char *name = colon ? colon + 1 : pattern;
	struct error *err = target_load(t);

	if (err)
		return err;
	*ret = (struct target_tracepoints){ 0 };
	for (size_t i = 0; i < t->kernel.index.n_tracepoints; i++) {
		struct target_tracepoint tp = {
			index_string(&t->kernel.index, t->kernel.index.tracepoints[i].system),
			index_string(&t->kernel.index, t->kernel.index.tracepoints[i].name), NULL
		};

		if (!fnmatch(name, tp.name, 0) && (!system || !fnmatch(system, tp.system, 0)))
			vec_push(t->arena, ret, tp);
	}
	return NULL;
}

size_t target_similar_tracepoints(struct target *t, const char *name, const char **ret, size_t max)
{
	const char *colon = strchr(name, ':');
	const char **names;
	size_t n = 0;

	if (!target_try_load(t))
		return 0;
	names = arena_new_array(t->arena, const char *, t->kernel.index.n_tracepoints + 1);
	for (size_t i = 0; i < t->kernel.index.n_tracepoints; i++)
		names[n++] = index_string(&t->kernel.index, t->kernel.index.tracepoints[i].name);
	return similar_names(colon ? colon + 1 : name, names, n, ret, max);
}
