/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints by the symbol indexes of vmlinux and of modules: trace events by system and name, and
 * plain tracepoints, whose system is "".
 */
#include <fnmatch.h>
#include <string.h>

#include "base/glob.h"
#include "base/similar.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/tracepoints.h"

/* A pattern as its two halves. */
struct wanted {
	const char *system; /* NULL: any */
	const char *name;
};

/*
 * Those of one object, which is loaded. Its index is sorted by name, then system, and so are the
 * answers.
 */
static void find_in(struct target_object *o, const struct wanted *w, struct target_tracepoints *ret)
{
	const struct index *ix = &o->index;

	for (size_t i = 0; i < ix->n_tracepoints; i++) {
		struct target_tracepoint tp = {
			.system = index_string(ix, ix->tracepoints[i].system),
			.name = index_string(ix, ix->tracepoints[i].name),
			.format = ix->tracepoints[i].format
					  ? index_string(ix, ix->tracepoints[i].format)
					  : NULL,
			.object = o,
			.module = object_is_kernel(o) ? NULL : o->name,
		};

		if (!fnmatch(w->name, tp.name, 0) &&
		    (!w->system || !fnmatch(w->system, tp.system, 0)))
			vec_push(o->target->arena, ret, tp);
	}
}

/* One module among those that were not named: a broken one is no reason to answer nothing. */
static void find_in_one(struct target_object *o, const struct wanted *w,
			struct target_tracepoints *ret)
{
	struct error *err = object_load(o);

	if (err)
		target_note(o->target, "left out module %s: %s", o->name, err->text);
	else
		find_in(o, w, ret);
	error_destroy(err);
}

static void find_in_modules(struct target *t, const char *pattern, const struct wanted *w,
			    struct target_tracepoints *ret)
{
	struct target_object *const *modules;
	VEC(struct target_object *) meant = { 0 };
	size_t n = tracepoint_modules(t, &modules);

	for (size_t i = 0; i < n; i++)
		if (!pattern || !fnmatch(pattern, modules[i]->name, 0))
			vec_push(t->arena, &meant, modules[i]);
	modules_load(t, meant.data, meant.n);
	vec_foreach(o, &meant)
		find_in_one(*o, w, ret);
}

/* MODULE is no glob. One that is not there has none. */
static struct error *find_in_named(struct target *t, const char *module, const struct wanted *w,
				   struct target_tracepoints *ret)
{
	struct target_object *o = object_named(t, module);
	struct error *err = o ? object_load(o) : NULL;

	if (o && !err)
		find_in(o, w, ret);
	return err;
}

struct error *target_find_tracepoints(struct target *t, const char *module, const char *pattern,
				      struct target_tracepoints *ret)
{
	const char *colon = strchr(pattern, ':');
	const struct wanted w = {
		.system = colon ? arena_strndup(t->arena, pattern, colon - pattern) : NULL,
		.name = colon ? colon + 1 : pattern,
	};
	struct error *err = target_load(t);

	if (err)
		return err;
	*ret = (struct target_tracepoints){ 0 };
	if (module && (*module == '/' || !is_glob(module)))
		return find_in_named(t, module, &w, ret);
	if (!module)
		find_in(&t->kernel, &w, ret);
	if (module || !ret->n || is_glob(pattern))
		find_in_modules(t, module, &w, ret);
	return NULL;
}

/*
 * Those of vmlinux, and of the modules whose indexes are open: of a name that none has, all of
 * them.
 */
bool target_has_tracepoints(struct target *t)
{
	return target_try_load(t) && t->kernel.index.n_tracepoints;
}

size_t target_similar_tracepoints(struct target *t, const char *name, const char **ret, size_t max)
{
	const char *colon = strchr(name, ':');
	struct target_tracepoints all = { 0 };
	struct error *err = target_find_tracepoints(t, NULL, "*", &all);
	const char **names = arena_new_array(t->arena, const char *, all.n + 1);

	error_destroy(err);
	for (size_t i = 0; i < all.n; i++)
		names[i] = all.data[i].name;
	return similar_names(colon ? colon + 1 : name, names, all.n, ret, max);
}
