/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which modules have tracepoints: about one in thirty. Only the end of a file says which sections
 * it has, so each is opened, once, on all CPUs, and where modules are packed, unpacked: no list
 * that comes with a kernel names the tracepoints of its modules (Module.symvers has those that are
 * exported, its headers those of include/trace). To unpack a module takes ten times as long as to
 * index it, so those are indexed meanwhile. The paths of the modules that have some are kept in the
 * cache under a name that changes with any of the modules.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/intern.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/workers.h"

/* One that cannot be read has none. */
static bool has_tracepoints(const struct target_object *o)
{
	struct image img;
	struct error *err;
	bool ret;

	if (o->is_loaded)
		return o->index.n_tracepoints;
	err = module_image_open(o->path, &img);
	error_destroy(err);
	if (err)
		return false;
	ret = index_has_tracepoints(&img);
	image_close(&img);
	return ret;
}

/* CACHE/modules/tracepoints-HASH, by what each file is now. */
static const char *kept_list(struct target *t, struct target_object *const *modules, size_t n)
{
	const char *dir = modules_cache_directory(t);
	uint64_t hash = n;

	error_destroy(dir_create_all(dir));
	for (size_t i = 0; i < n; i++) {
		uint64_t identity = file_identity(modules[i]->path);

		hash = hash_bytes64(&identity, sizeof(identity), hash);
	}
	return arena_printf(t->arena, "%s/tracepoints-%016llx", dir, (unsigned long long)hash);
}

/* A line for each; both are in the same order. false: there is no good list. */
static bool read_list(struct target *t, const char *kept, struct target_object *const *modules,
		      size_t n)
{
	char *text, *line, *save;
	struct error *err;
	size_t len, i = 0;

	if (!seal_holds(kept))
		return false;
	err = file_read(kept, &text, &len);
	error_destroy(err);
	if (err)
		return false;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		while (i < n && strcmp(modules[i]->path, line))
			i++;
		if (i < n)
			vec_push(t->arena, &t->trace_modules, modules[i++]);
	}
	free(text);
	return true;
}

/* Has a module tracepoints? */
enum answer {
	ANSWER_NONE, /* its child could not be made, or died */
	ANSWER_NO,
	ANSWER_YES,
};

/* The answers for all modules, made by children. */
struct search {
	struct target_object *const *modules;
	unsigned char *answers; /* enum answer of each, shared memory */
};

static void answer(void *arg, size_t i)
{
	const struct search *s = arg;

	s->answers[i] = has_tracepoints(s->modules[i]) ? ANSWER_YES : ANSWER_NO;
}

/* A cache that cannot be written is no error. */
static void make_list(struct target *t, const char *kept, struct target_object *const *modules,
		      size_t n)
{
	struct search s = { modules, workers_memory(n) };
	bool is_packed = !path_has_suffix(modules[0]->path, ".ko");
	struct strbuf text;

	if (is_packed)
		modules_load(t, modules, n);
	else if (t->progress)
		t->progress(
			t->progress_arg,
			arena_printf(t->arena, "looking for tracepoints in %zu modules, once", n));
	if (s.answers)
		workers_run(t, n, answer, &s);
	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		enum answer known = s.answers ? s.answers[i] : ANSWER_NONE;

		if (known == ANSWER_NONE ? !has_tracepoints(modules[i]) : known == ANSWER_NO)
			continue;
		vec_push(t->arena, &t->trace_modules, modules[i]);
		strbuf_addf(&text, "%s\n", modules[i]->path);
	}
	if (s.answers)
		workers_free(s.answers, n);
	error_destroy(seal_write_data(kept, strbuf_cstr(&text), text.len));
	strbuf_deinit(&text);
}

size_t tracepoint_modules(struct target *t, struct target_object *const **ret)
{
	if (!t->has_trace_modules) {
		struct target_object *const *modules;
		size_t n = object_modules(t, &modules);
		const char *kept = kept_list(t, modules, n);

		t->has_trace_modules = true;
		if (n && !read_list(t, kept, modules, n))
			make_list(t, kept, modules, n);
	}
	*ret = t->trace_modules.data;
	return t->trace_modules.n;
}
