/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See kept_list.h. A file CACHE/list-HASH for each point, sealed: the lines. HASH covers all that
 * they rest on: the point, -g, the images and debug information of the kernel or of the modules
 * meant (target_kernel_identity(), target_modules_identity()), and this program.
 */
#include "driver/kept_list.h"

#include <string.h>

#include "ast/ast.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/seal.h"
#include "driver/session.h"
#include "probe/family.h"
#include "target/objects.h"
#include "target/target.h"

/* Shorter lists are made as fast as they are read. */
#define MIN_LINES 1000

/*
 * Of all that a list of the point rests on; 0: on more than is known here, or on what is not whole.
 */
static uint64_t basis(struct session *s, const struct ast_point *point)
{
	const struct ast_expr *modules = point->parts.data[0].param;

	if (!probe_catalog.from_images(&probe_catalog, s->arena, point))
		return 0;
	return modules ? target_modules_identity(s->target, modules->string.value->text)
		       : target_kernel_identity(s->target);
}

/* NULL: a list of the point cannot be kept. */
static const char *kept_path(struct session *s, const struct ast_point *point, const char *text)
{
	uint64_t key[3];

	if (!s->cache_dir || !s->target)
		return NULL;
	key[0] = s->options.guru;
	key[1] = basis(s, point);
	key[2] = file_identity("/proc/self/exe");
	if (!key[1] || !key[2])
		return NULL;
	return arena_printf(s->arena, "%s/list-%016llx", s->cache_dir,
			    (unsigned long long)hash_bytes64(text, strlen(text),
							     hash_bytes64(key, sizeof(key), 0)));
}

static bool find(void *arg, const struct ast_point *point, const char *text,
		 struct sema_listing *ret)
{
	struct session *s = arg;
	const char *path = kept_path(s, point, text);
	VEC(const char *) lines = { 0 };
	struct file_map map;
	struct error *err;
	char *all;

	if (!path || s->options.poison_cache || !seal_holds(path))
		return false;
	err = file_map_open(path, &map);
	if (err) {
		error_destroy(err);
		return false;
	}
	all = arena_strndup(s->arena, (const char *)map.data, map.len);
	file_map_close(&map);
	for (char *line = all, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		vec_push(s->arena, &lines, line);
	}
	*ret = (struct sema_listing){ lines.data, lines.n };
	return lines.n > 0;
}

/* A cache that cannot be written is no error. */
static void keep(void *arg, const struct ast_point *point, const char *text,
		 const struct sema_listing *list)
{
	struct session *s = arg;
	const char *path = list->n < MIN_LINES ? NULL : kept_path(s, point, text);
	struct strbuf all;

	if (!path)
		return;
	strbuf_init(&all);
	for (size_t i = 0; i < list->n; i++) {
		strbuf_adds(&all, list->lines[i]);
		strbuf_addc(&all, '\n');
	}
	error_destroy(seal_write_data(path, strbuf_cstr(&all), all.len));
	strbuf_deinit(&all);
}

const struct sema_kept_lists *kept_lists(struct session *s)
{
	struct sema_kept_lists *ret = arena_new(s->arena, struct sema_kept_lists);

	*ret = (struct sema_kept_lists){ find, keep, s };
	return ret;
}
