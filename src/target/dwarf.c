/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding and opening the debug information of vmlinux, and functions by it. */
#include "target/dwarf.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "base/cache_dir.h"
#include "base/kernel_image.h"

static bool is_debug_of(const struct target *t, const char *path)
{
	struct image img;
	struct image_section s;
	struct error *err;
	bool ok;

	if (!file_exists(path))
		return false;
	err = image_open(path, &img);
	if (err) {
		error_destroy(err); /* not a vmlinux: not what we look for */
		return false;
	}
	ok = image_section(&img, ".debug_info", &s) && s.size > 0 && img.has_build_id &&
	     t->image.has_build_id && !memcmp(img.build_id, t->image.build_id, BUILD_ID_SIZE);
	image_close(&img);
	return ok;
}

/* Below one debuginfo directory: as packages lay it out, and by build-id. */
static const char *find_below(struct target *t, const char *dir)
{
	static const char *const names[] = { "boot/vmlinux-%s", "lib/modules/%s/vmlinux",
					     "usr/lib/modules/%s/vmlinux", "vmlinux-%s" };
	const unsigned char *id = t->image.build_id;
	const char *path;
	char hex[2 * BUILD_ID_SIZE + 1] = "";

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *mark = strstr(names[i], "%s");

		path = arena_printf(t->arena, "%s/%.*s%s%s", dir, (int)(mark - names[i]), names[i],
				    t->release, mark + 2);
		if (is_debug_of(t, path))
			return path;
	}
	for (int i = 0; i < BUILD_ID_SIZE; i++) {
		hex[2 * i] = "0123456789abcdef"[id[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	path = arena_printf(t->arena, "%s/.build-id/%.2s/%s.debug", dir, hex, hex + 2);
	if (is_debug_of(t, path))
		return path;
	path = arena_printf(t->arena, "%s/vmlinux", dir);
	return is_debug_of(t, path) ? path : NULL;
}

const char *dwarf_find(struct target *t)
{
	const char *root = t->root ? t->root : "", *path = NULL;
	const char *const places[] = {
		arena_printf(t->arena, "%s/usr/lib/debug", root),
		arena_printf(t->arena, "%s/lib/modules/%s/build", root, t->release), root
	};

	/* PATH:PATH..., each perhaps with + or - before it (check CRC or not): the build-id is
	 * always checked */
	for (const char *p = t->debuginfo_path; p && *p && !path;) {
		size_t n = strcspn(p, ":");

		if (n && (*p == '+' || *p == '-'))
			p++, n--;
		if (n && *p == '/')
			path = find_below(t, arena_strndup(t->arena, p, n));
		p += n + (p[n] == ':');
	}
	/* the variable stands in place of the usual folders; empty, it forbids them all */
	for (size_t i = 0; i < 3 && !path && !t->debuginfo_path; i++)
		path = find_below(t, places[i]);
	return path;
}

struct dwarf *dwarf_get(struct target *t)
{
	const char *cache, *path;
	struct error *err = NULL;
	struct dwarf *d;

	if (t->has_sought_dwarf)
		return t->dwarf;
	t->has_sought_dwarf = true;
	if (t->no_dwarf || !target_try_load(t))
		return NULL;
	path = dwarf_find(t);
	cache = t->cache_dir ? t->cache_dir : cache_directory(t->arena);
	if (!path || !cache)
		return NULL;
	d = arena_new(t->arena, struct dwarf);
	*d = (struct dwarf){ .target = t, .path = path, .fd = -1 };
	if (!dwarf_index_open_kept(path, t->image.build_id, cache, &d->index)) {
		if (t->progress)
			t->progress(t->progress_arg,
				    arena_printf(t->arena, "indexing %s, once", path));
		err = dwarf_index_make(path, t->image.build_id, cache, &d->index);
	}
	if (err) {
		t->dwarf_problem = arena_strdup(t->arena, err->text);
		error_destroy(err);
		return NULL;
	}
	dwarf_types_init(d);
	t->dwarf = d;
	return d;
}

bool dwarf_open_dies(struct dwarf *d)
{
	if (d->dw)
		return true;
	if (d->fd < 0)
		d->fd = open(d->path, O_RDONLY | O_CLOEXEC);
	d->dw = d->fd < 0 ? NULL : dwarf_begin(d->fd, DWARF_C_READ);
	return d->dw != NULL;
}

void dwarf_close(struct dwarf *d)
{
	if (d->dw)
		dwarf_end(d->dw);
	if (d->fd >= 0)
		close(d->fd);
	dwarf_index_close(&d->index);
}

/* ---- functions ---- */

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

static bool name_matches(const struct dwarf_search *s, const char *name)
{
	return !s->query->name || !strcmp(s->query->name, "*") || !strcmp(s->query->name, name) ||
	       !fnmatch(s->query->name, name, 0);
}

static const char *file_or_null(const char *file)
{
	return *file ? file : NULL;
}

static void add_out_of_line(struct dwarf_search *s, const struct dwarf_function *f)
{
	struct target_function out;

	if (f->pc && target_function_at(s->target, f->pc, &out)) {
		((struct function_info *)out.priv)->die = f->die;
		out.file = file_or_null(dwarf_index_string(&s->dwarf->index, f->file));
		out.line = f->line;
		vec_push(s->target->arena, s->ret, out);
	}
}

static void add_copies(struct dwarf_search *s, const struct dwarf_function *f)
{
	const struct dwarf_index *ix = &s->dwarf->index;

	for (uint32_t i = f->first_copy; i < f->first_copy + f->n_copies && i < ix->n_copies; i++) {
		struct target_function holder, out;
		struct function_info *info;
		const char *name = dwarf_index_string(ix, f->name);

		if (!target_function_holding(s->target, ix->copies[i].pc, &holder))
			continue;
		info = arena_new(s->target->arena, struct function_info);
		info->die = ix->copies[i].die;
		out = (struct target_function){ .name = name,
						.base_name = name,
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

void dwarf_annotate(struct dwarf *d, struct target_function *f)
{
	const struct dwarf_function *record = f->addr ? dwarf_index_at(&d->index, f->addr) : NULL;

	if (!record || record->pc != f->addr)
		return;
	f->file = file_or_null(dwarf_index_string(&d->index, record->file));
	f->line = record->line;
	((struct function_info *)f->priv)->die = record->die;
}
