/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening the debug information of an object, and functions by it: what has a file, a line or
 * inlined copies. Everything but the DIEs themselves comes from the index (dwarf_index.h).
 */
#include "target/dwarf.h"

#include <fnmatch.h>
#include <string.h>

/*
 * What the index is kept under: the build-id, or for an object without one what its index was made
 * from.
 */
static void index_key(const struct target_object *o, unsigned char ret[BUILD_ID_SIZE])
{
	memset(ret, 0, BUILD_ID_SIZE);
	if (o->has_build_id)
		memcpy(ret, o->build_id, BUILD_ID_SIZE);
	else
		memcpy(ret, &index_header(&o->index)->identity, sizeof(uint64_t));
}

/* The kept index, or a new one, which is announced by progress(). */
static struct error *open_index(struct target_object *o, const char *path, struct dwarf_index *ret)
{
	struct target *t = o->target;
	const char *cache = target_cache_directory(t);
	unsigned char key[BUILD_ID_SIZE];

	index_key(o, key);
	if (dwarf_index_open_kept(path, key, cache, ret))
		return NULL;
	if (t->progress)
		t->progress(t->progress_arg, arena_printf(t->arena, "indexing %s, once", path));
	return dwarf_index_make(path, key, cache, ret);
}

/* Sought once: a failure is remembered as no debug information. */
struct dwarf *dwarf_get(struct target_object *o)
{
	struct arena *arena = o->target->arena;
	struct error *err;
	const char *path;
	struct dwarf *d;

	if (o->has_sought_dwarf)
		return o->dwarf;
	o->has_sought_dwarf = true;
	if (o->target->no_dwarf || !object_try_load(o))
		return NULL;
	path = debug_file_find(o);
	if (!path)
		return NULL;
	d = arena_new(arena, struct dwarf);
	*d = (struct dwarf){ .target = o->target, .object = o, .path = path };
	err = open_index(o, path, &d->index);
	if (err) {
		o->dwarf_problem = arena_strdup(arena, err->text);
		error_destroy(err);
		return NULL;
	}
	dwarf_types_init(d);
	o->dwarf = d;
	return d;
}

/* The file stays open until dwarf_close(). */
bool dwarf_open_dies(struct dwarf *d)
{
	struct error *err;

	if (d->dw)
		return true;
	err = dwarf_file_open(d->path, &d->file);
	if (err && !d->object->dwarf_problem)
		d->object->dwarf_problem = arena_strdup(d->target->arena, err->text);
	error_destroy(err);
	d->dw = d->file.dw;
	return d->dw != NULL;
}

void dwarf_close(struct dwarf *d)
{
	dwarf_file_close(&d->file);
	dwarf_index_close(&d->index);
}

/* ---- functions ---- */

/* One query against the index. */
struct dwarf_search {
	struct dwarf *dwarf;
	const struct target_function_query *query;
	struct target_functions *ret;
	struct target *target;
	const char *below; /* the file pattern, with any directories before it */
	struct map files;  /* string offset + 1 -> yes or no */
};

/* FILE as written, as a glob, or as the end of the path from a directory on. Few files, many
 * functions: remembered. */
static bool file_matches(struct dwarf_search *s, uint32_t offset)
{
	static const char yes[1], no[1];
	const void *key = (const void *)(uintptr_t)(offset + 1ull);
	const char *pattern = s->query->file, *known, *file;

	if (!pattern || !strcmp(pattern, "*"))
		return true;
	known = map_get(&s->files, key);
	if (!known) {
		file = dwarf_index_string(&s->dwarf->index, offset);
		known = !fnmatch(pattern, file, 0) || !fnmatch(s->below, file, 0) ? yes : no;
		map_put(&s->files, key, (void *)known);
	}
	return known == yes;
}

/* NULL and "*" match all names; a glob is tried last. */
static bool name_matches(const struct dwarf_search *s, const char *name)
{
	return !s->query->name || !strcmp(s->query->name, "*") || !strcmp(s->query->name, name) ||
	       !fnmatch(s->query->name, name, 0);
}

/* The index has "" where DWARF names no file. */
static const char *file_or_null(const char *file)
{
	return *file ? file : NULL;
}

/*
 * The function's own code, when the symbol index has it at that address and it may be probed. Names
 * are the symbol's, with a clone's suffix.
 */
static void add_out_of_line(struct dwarf_search *s, const struct dwarf_function *f)
{
	struct target_function out;

	if (f->pc && target_function_at(s->dwarf->object, f->pc, &out)) {
		((struct function_info *)out.priv)->die = f->die;
		out.file = file_or_null(dwarf_index_string(&s->dwarf->index, f->file));
		out.line = f->line;
		vec_push(s->target->arena, s->ret, out);
	}
}

/*
 * Its inlined copies, each where the function holding it may be probed. They have no symbol:
 * addresses are relative to the holder.
 */
static void add_copies(struct dwarf_search *s, const struct dwarf_function *f)
{
	const struct dwarf_index *ix = &s->dwarf->index;

	for (uint32_t i = f->first_copy; i < f->first_copy + f->n_copies && i < ix->n_copies; i++) {
		struct target_function holder, out;
		struct function_info *info;
		const char *name = dwarf_index_string(ix, f->name);

		if (!target_function_holding(s->dwarf->object, ix->copies[i].pc, &holder))
			continue;
		info = arena_new(s->target->arena, struct function_info);
		info->die = ix->copies[i].die;
		out = (struct target_function){ .name = name,
						.base_name = name,
						.object = holder.object,
						.module = holder.module,
						.inline_offset = ix->copies[i].pc - holder.addr,
						.inline_addr = ix->copies[i].pc,
						.inline_in = holder.name,
						.is_unique = true,
						.file = file_or_null(
							dwarf_index_string(ix, f->file)),
						.line = f->line,
						.priv = info };
		vec_push(s->target->arena, s->ret, out);
	}
}

/* The declaration nearest before the asked line, of all functions in files that match: whose body
 * spans it. */
static unsigned nearest_line(struct dwarf_search *s)
{
	const struct dwarf_index *ix = &s->dwarf->index;
	unsigned best = 0;

	for (size_t i = 0; i < ix->n_functions; i++)
		if (ix->functions[i].line <= s->query->line && ix->functions[i].line > best &&
		    file_matches(s, ix->functions[i].file))
			best = ix->functions[i].line;
	return best;
}

/*
 * Calls ADD for the index's functions that match the query. Those with the literal begin of the
 * pattern stand together in the index.
 */
static void each_function(struct dwarf_search *s,
			  void (*add)(struct dwarf_search *, const struct dwarf_function *))
{
	const struct dwarf_index *ix = &s->dwarf->index;
	size_t n = s->query->name ? strcspn(s->query->name, "*?[\\") : 0;
	const char *prefix =
		s->query->name ? arena_strndup(s->target->arena, s->query->name, n) : "";
	unsigned line = s->query->line ? nearest_line(s) : 0;

	for (size_t i = dwarf_index_lower_bound(ix, prefix); i < ix->n_functions; i++) {
		const struct dwarf_function *f = &ix->functions[i];
		const char *name = dwarf_index_string(ix, f->name);

		if (strncmp(name, prefix, n))
			break;
		if (name_matches(s, name) && (!s->query->line || f->line == line) &&
		    file_matches(s, f->file))
			add(s, f);
	}
}

static struct dwarf_search start_search(struct dwarf *d, const struct target_function_query *q,
					struct target_functions *ret)
{
	struct dwarf_search s = { .dwarf = d, .query = q, .ret = ret, .target = d->target };

	s.below = q->file ? arena_printf(d->target->arena, "*/%s", q->file) : NULL;
	map_init(&s.files, d->target->arena);
	return s;
}

void dwarf_find_functions(struct dwarf *d, const struct target_function_query *q,
			  struct target_functions *ret)
{
	struct dwarf_search s = start_search(d, q, ret);

	each_function(&s, add_out_of_line);
}

void dwarf_find_inlines(struct dwarf *d, const struct target_function_query *q,
			struct target_functions *ret)
{
	struct dwarf_search s = start_search(d, q, ret);

	each_function(&s, add_copies);
}

/* Only a record that begins at the entry: an address within one is another function's. */
void dwarf_annotate(struct dwarf *d, struct target_function *f)
{
	const struct dwarf_function *record = f->addr ? dwarf_index_at(&d->index, f->addr) : NULL;

	if (!record || record->pc != f->addr)
		return;
	f->file = file_or_null(dwarf_index_string(&d->index, record->file));
	f->line = record->line;
	((struct function_info *)f->priv)->die = record->die;
}
