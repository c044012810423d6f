/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening the debug information of an object, and functions by it: what has a file, a line or
 * inlined copies. Everything but the DIEs themselves comes from the index (dwarf_index.h).
 */
#include "base/glob.h"
#include "target/dwarf.h"
#include "target/scoped_name.h"

#include <elfutils/libdwfl.h>
#include <elfutils/version.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>

void dwarf_key(const struct target_object *o, unsigned char ret[BUILD_ID_SIZE])
{
	memset(ret, 0, BUILD_ID_SIZE);
	if (o->has_build_id)
		memcpy(ret, o->build_id, BUILD_ID_SIZE);
	else
		memcpy(ret, &index_header(&o->index)->identity, sizeof(uint64_t));
}

/* A new index, announced by progress(). */
static struct error *make_index(struct target_object *o, const char *path, struct dwarf_index *ret)
{
	struct target *t = o->target;
	const char *cache = target_cache_directory(t);
	unsigned char key[BUILD_ID_SIZE];

	dwarf_key(o, key);
	if (t->progress)
		t->progress(t->progress_arg, arena_printf(t->arena, "indexing %s, once", path));
	return dwarf_index_make(path, key, cache, o->kind == OBJECT_FILE, ret);
}

const char *dwarf_find_file(struct target_object *o)
{
	if (!o->has_sought_debug_file) {
		o->has_sought_debug_file = true;
		if (!o->target->no_dwarf && object_try_load(o))
			o->debug_file = debug_file_find(o);
	}
	return o->debug_file;
}

const char *dwarf_find_local_file(struct target_object *o)
{
	if (o->has_sought_debug_file || o->target->no_dwarf || !object_try_load(o))
		return o->debug_file;
	return debug_file_find_local(o);
}

/*
 * Units that were split off may be in a package beside the program, which libdw reads from 0.191
 * on: "; ..." when there is one and it does not; else "".
 */
static const char *package_unread(const struct target_object *o)
{
	const char *package = arena_printf(o->target->arena, "%s.dwp", o->debug_file);

	if (_ELFUTILS_PREREQ(0, 191) || !file_exists(package))
		return "";
	return arena_printf(
		o->target->arena,
		"; the package %s may have it, but libdw %s reads no packages (0.191 does): keep the "
		".dwo files, or compile without -gsplit-dwarf",
		package, dwfl_version(NULL));
}

static struct dwarf *create(struct target_object *o, const struct dwarf_index *index)
{
	struct dwarf *d = arena_new(o->target->arena, struct dwarf);
	const char *missing = dwarf_index_missing(index), *id = dwarf_index_missing_id(index);

	*d = (struct dwarf){
		.target = o->target, .object = o, .path = o->debug_file, .index = *index
	};
	dwarf_types_init(d);
	if (*missing) {
		o->missing_part = arena_printf(
			o->target->arena, "%s%s%s%s %s%s", missing, *id ? " (build-id " : "", id,
			*id ? ")" : "",
			file_exists(missing) ? "is of another build, or damaged" : "is not there",
			package_unread(o));
		target_warn(o->target, "part of the debug information of %s is not known: %s",
			    o->name, o->missing_part);
	}
	return d;
}

struct dwarf *dwarf_get_kept(struct target_object *o, bool *missing)
{
	unsigned char key[BUILD_ID_SIZE];
	struct dwarf_index index;

	*missing = false;
	if (o->has_sought_dwarf || !dwarf_find_file(o))
		return o->dwarf;
	dwarf_key(o, key);
	*missing = !dwarf_index_open_kept(o->debug_file, key, target_cache_directory(o->target),
					  &index);
	if (*missing)
		return NULL;
	o->has_sought_dwarf = true;
	o->dwarf = create(o, &index);
	return o->dwarf;
}

void dwarf_keep_index(struct target_object *o)
{
	unsigned char key[BUILD_ID_SIZE];
	struct dwarf_index index;
	bool missing;

	if (o->has_sought_dwarf || !dwarf_find_file(o))
		return;
	dwarf_key(o, key);
	missing = !dwarf_index_open_kept(o->debug_file, key, target_cache_directory(o->target),
					 &index);
	if (missing)
		error_destroy(dwarf_index_make(o->debug_file, key,
					       target_cache_directory(o->target),
					       o->kind == OBJECT_FILE, NULL));
	else
		dwarf_index_close(&index);
}

/* Sought once: a failure is remembered as no debug information. */
struct dwarf *dwarf_get(struct target_object *o)
{
	struct dwarf_index index;
	struct error *err;
	bool missing;

	if (o->has_sought_dwarf || dwarf_get_kept(o, &missing))
		return o->dwarf;
	o->has_sought_dwarf = true;
	if (!missing)
		return NULL;
	err = make_index(o, o->debug_file, &index);
	if (!err)
		o->dwarf = create(o, &index);
	else
		o->dwarf_problem = arena_strdup(o->target->arena, err->text);
	error_destroy(err);
	return o->dwarf;
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

bool dwarf_die_at(struct dwarf *d, uint64_t ref, Dwarf_Die *ret)
{
	return dwarf_open_dies(d) && dwarf_file_die(&d->file, ref, ret);
}

uint64_t dwarf_die_ref(struct dwarf *d, Dwarf_Die *die)
{
	return dwarf_file_ref(&d->file, die);
}

/* Of programs; the mapping is read, never written. */
static void open_eh_frame(struct dwarf *d)
{
	const struct file_map *map = &d->object->image.map;

	d->own = elf_memory((char *)map->data, map->len);
	d->eh_cfi = d->own ? dwarf_getcfi_elf(d->own) : NULL;
}

bool dwarf_frame_at(struct dwarf *d, Dwarf_Addr pc, Dwarf_Frame **ret)
{
	if (!d->has_cfi) {
		d->cfi = dwarf_getcfi(d->dw);
		if (d->object->kind == OBJECT_FILE)
			open_eh_frame(d);
		d->has_cfi = true;
	}
	return (d->cfi && !dwarf_cfi_addrframe(d->cfi, pc, ret)) ||
	       (d->eh_cfi && !dwarf_cfi_addrframe(d->eh_cfi, pc, ret));
}

void dwarf_close(struct dwarf *d)
{
	if (d->eh_cfi)
		dwarf_cfi_end(d->eh_cfi);
	if (d->own)
		elf_end(d->own);
	dwarf_file_close(&d->file);
	dwarf_index_close(&d->index);
}

/* ---- functions ---- */

/* One query against the index. */
struct dwarf_search {
	struct dwarf *dwarf;
	const struct target_function_query *query;
	struct scoped_pattern name;
	struct map files; /* string offset + 1 -> struct file_span, or no */
};

/*
 * A file that matches: the functions declared between these lines, both included, may have code of
 * the lines asked for.
 */
struct file_span {
	unsigned low, high;
};

bool dwarf_file_matches(const char *pattern, const char *file)
{
	if (!pattern || !strcmp(pattern, "*") || !fnmatch(pattern, file, 0))
		return true;
	for (file = strchr(file, '/'); file; file = strchr(file, '/'))
		if (!fnmatch(pattern, ++file, 0))
			return true;
	return false;
}

/* Lines asked for, from the first to the last of all ranges. */
static struct target_line_range all_lines(const struct target_lines *lines)
{
	struct target_line_range all = { UINT_MAX, 0 };

	for (size_t i = 0; i < lines->n; i++) {
		if (lines->ranges[i].first < all.first)
			all.first = lines->ranges[i].first;
		if (lines->ranges[i].last > all.last)
			all.last = lines->ranges[i].last;
	}
	return all;
}

/* NULL: the file is not meant. Few files, many functions: remembered. */
static struct file_span *file_span(struct dwarf_search *s, uint32_t offset)
{
	static const char no[1];
	const void *key = (const void *)(uintptr_t)(offset + 1ull);
	struct file_span *known = map_get(&s->files, key);

	if (!known &&
	    dwarf_file_matches(s->query->file, dwarf_index_string(&s->dwarf->index, offset))) {
		known = arena_new(s->dwarf->target->arena, struct file_span);
		*known = (struct file_span){ 0, UINT_MAX };
	}
	map_put(&s->files, key, known ? (void *)known : (void *)no);
	return known == (void *)no ? NULL : known;
}

/*
 * Is a function whose name begins with the N bytes, and is in F's file, declared before F, and not
 * in OUTER itself, as a constructor is?
 */
static bool has_function_before(const struct dwarf_index *ix, const char *name, size_t n,
				const char *outer, const struct dwarf_function *f)
{
	for (size_t i = dwarf_index_lower_bound(ix, name); i < ix->n_functions; i++) {
		const struct dwarf_function *g = &ix->functions[i];

		if (strncmp(dwarf_index_string(ix, g->name), name, n))
			break;
		if (g->file == f->file && g->line <= f->line &&
		    strncmp(dwarf_index_string(ix, g->scope), outer, strlen(outer)))
			return true;
	}
	return false;
}

/*
 * Does a function stand in the body of another (a closure, a lambda, a function of a class or
 * function in there)? Then a part of its scope is a function, in Rust without what its name has
 * between < and >.
 */
static bool is_within_another(struct dwarf_search *s, const struct dwarf_function *f)
{
	const struct dwarf_index *ix = &s->dwarf->index;
	const char *scope = dwarf_index_string(ix, f->scope), *part = scope;
	struct arena *arena = s->dwarf->target->arena;

	while (*part) {
		size_t n = scoped_part(part);
		const char *outer = arena_strndup(arena, scope, part + n - scope);
		const char *name = outer + (part - scope);

		if (n &&
		    (has_function_before(ix, name, n + 1, outer, f) ||
		     has_function_before(ix, arena_printf(arena, "%s<", name), n + 1, outer, f)))
			return true;
		part += n + (part[n] ? 2 : 0);
	}
	return false;
}

/*
 * Of each file: from the last declaration that is not behind the lines, in whose body they may be,
 * to the next one.
 */
static void find_spans(struct dwarf_search *s)
{
	const struct dwarf_index *ix = &s->dwarf->index;
	struct target_line_range lines = all_lines(&s->query->lines);

	for (size_t i = 0; i < ix->n_functions; i++) {
		struct file_span *span = file_span(s, ix->functions[i].file);
		unsigned line = ix->functions[i].line;

		if (span && line <= lines.first && line > span->low &&
		    !is_within_another(s, &ix->functions[i]))
			span->low = line;
		if (span && line > lines.last && line < span->high)
			span->high = line;
	}
}

/* NULL and "*" match all names; a glob is tried last. */
static bool name_matches(const struct dwarf_search *s, const char *name)
{
	const char *pattern = s->name.name;

	return !pattern || !strcmp(pattern, "*") || !strcmp(pattern, name) ||
	       !fnmatch(pattern, name, 0);
}

/* Functions with the literal begin of the pattern stand together in the index. */
void dwarf_each_function(struct dwarf *d, const struct target_function_query *q,
			 void (*each)(void *arg, const struct dwarf_function *f), void *arg)
{
	struct dwarf_search s = { .dwarf = d, .query = q };
	const struct dwarf_index *ix = &d->index;
	const char *prefix;
	size_t n;

	if (q->name)
		s.name = scoped_pattern(d->target->arena, q->name);
	n = q->name ? strcspn(s.name.name, "*?[\\") : 0;
	prefix = q->name ? arena_strndup(d->target->arena, s.name.name, n) : "";
	map_init(&s.files, d->target->arena);
	/* of one name there are few, and another may be declared in its body */
	if (q->lines.kind == TARGET_LINES_ABSOLUTE && (!q->name || is_glob(s.name.name)))
		find_spans(&s);
	for (size_t i = dwarf_index_lower_bound(ix, prefix); i < ix->n_functions; i++) {
		const struct dwarf_function *f = &ix->functions[i];
		const char *name = dwarf_index_string(ix, f->name);
		const struct file_span *span;

		if (strncmp(name, prefix, n))
			break;
		if (!name_matches(&s, name) ||
		    !scoped_matches(&s.name, dwarf_index_string(ix, f->scope)))
			continue;
		span = file_span(&s, f->file);
		if (span && f->line >= span->low && f->line <= span->high)
			each(arg, f);
	}
}

/* The index has "" where DWARF names no file. */
static const char *file_or_null(const char *file)
{
	return *file ? file : NULL;
}

/* Symbols of C++ and Rust are encoded names: shown is the one of the source. */
static void name_by_source(struct dwarf *d, const struct dwarf_function *f,
			   struct target_function *ret)
{
	const char *name = dwarf_index_string(&d->index, f->name), *symbol = ret->name;

	if (d->object->kind != OBJECT_FILE || !*name)
		return;
	ret->scope = dwarf_index_string(&d->index, f->scope);
	ret->base_name = name;
	if (symbol_is_mangled(symbol))
		ret->name = *symbol_clone_suffix(symbol)
				    ? arena_printf(d->target->arena, "%s%s", name,
						   symbol_clone_suffix(symbol))
				    : name;
}

/* Names of C functions are the symbol's, with a clone's suffix. */
bool dwarf_out_of_line(struct dwarf *d, const struct dwarf_function *f, struct target_function *ret)
{
	if (!f->pc || !target_function_at(d->object, f->pc, ret))
		return false;
	((struct function_info *)ret->priv)->die = f->die;
	name_by_source(d, f, ret);
	ret->file = file_or_null(dwarf_index_string(&d->index, f->file));
	ret->line = f->line;
	ret->no_return = f->no_return;
	return true;
}

/* It has no symbol: it is at an offset in the function that holds it. */
bool dwarf_copy(struct dwarf *d, const struct dwarf_function *f, const struct dwarf_copy *copy,
		struct target_function *ret)
{
	const struct target_object *o = d->object;
	const char *name = dwarf_index_string(&d->index, f->name);
	struct target_function out = { .name = name,
				       .base_name = name,
				       .scope = dwarf_index_string(&d->index, f->scope),
				       .object = o,
				       .module = object_is_kernel(o) ? NULL : o->name,
				       .inline_addr = copy->pc,
				       .is_unique = true,
				       .line = f->line };
	struct function_info *info;

	if (!target_function_set_holder(&out, copy->pc))
		return false;
	info = arena_new(d->target->arena, struct function_info);
	info->die = copy->die;
	out.file = file_or_null(dwarf_index_string(&d->index, f->file));
	out.priv = info;
	*ret = out;
	return true;
}

/* What dwarf_each_function() calls the two below with. */
struct collection {
	struct dwarf *dwarf;
	const struct target_function_query *query;
	struct target_functions *ret;
	const struct dwarf_function *last; /* of which a copy was taken; NULL: none */
};

/* By where functions are declared; where their bodies end, the line tables say. */
static bool is_meant(const struct collection *c, const struct dwarf_function *f)
{
	const struct target_lines *lines = &c->query->lines;

	return lines->kind == TARGET_LINES_NONE || lines->kind == TARGET_LINES_ALL ||
	       dwarf_has_lines(c->dwarf, f, lines);
}

static void collect_function(void *arg, const struct dwarf_function *f)
{
	struct collection *c = arg;
	struct target_function out;

	if (is_meant(c, f) && dwarf_out_of_line(c->dwarf, f, &out) &&
	    !symbol_is_split_rest(out.name))
		vec_push(c->dwarf->target->arena, c->ret, out);
}

/* One declaration: a function in a header has a record for each unit that has code of it. */
static bool is_same_declaration(const struct dwarf_function *a, const struct dwarf_function *b)
{
	return a->name == b->name && a->scope == b->scope && a->file == b->file &&
	       a->line == b->line;
}

static void collect_copies(void *arg, const struct dwarf_function *f)
{
	struct collection *c = arg;
	const struct dwarf_index *ix = &c->dwarf->index;
	struct target_function out;

	if (!is_meant(c, f) || (c->query->names_only && c->last && is_same_declaration(c->last, f)))
		return;
	for (uint32_t i = f->first_copy; i < f->first_copy + f->n_copies && i < ix->n_copies; i++)
		if (dwarf_copy(c->dwarf, f, &ix->copies[i], &out)) {
			vec_push(c->dwarf->target->arena, c->ret, out);
			c->last = f;
			if (!c->query->one_copy)
				continue;
			((struct function_info *)out.priv)->stands_for = f;
			return;
		}
}

void dwarf_find_functions(struct dwarf *d, const struct target_function_query *q,
			  struct target_functions *ret)
{
	struct collection c = { d, q, ret, NULL };

	dwarf_each_function(d, q, collect_function, &c);
}

void dwarf_find_inlines(struct dwarf *d, const struct target_function_query *q,
			struct target_functions *ret)
{
	struct collection c = { d, q, ret, NULL };

	dwarf_each_function(d, q, collect_copies, &c);
}

/* Only a record that begins at the entry: an address within one is another function's. */
void dwarf_annotate(struct dwarf *d, struct target_function *f)
{
	const struct dwarf_function *record = f->addr ? dwarf_index_at(&d->index, f->addr) : NULL;

	if (!record || record->pc != f->addr)
		return;
	f->file = file_or_null(dwarf_index_string(&d->index, record->file));
	f->line = record->line;
	f->no_return = record->no_return;
	name_by_source(d, record, f);
	((struct function_info *)f->priv)->die = record->die;
}
