/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tables of lines there are of an object (line_table.h). */
#include "base/cache_dir.h"
#include "target/dwarf.h"
#include "target/line_table.h"
#include "target/objects.h"

static const char *make(struct target_object *o, enum line_table_kind kind, const char **why)
{
	struct target *t = o->target;
	unsigned char key[BUILD_ID_SIZE];
	struct line_table_source source = { o->debug_file, key, o->kind == OBJECT_FILE };
	const char *kept;
	struct error *err;

	dwarf_key(o, key);
	kept = line_table_path(t->arena, &source, kind, target_cache_directory(t));
	if (line_table_is_kept(kept))
		return kept;
	if (t->progress)
		t->progress(t->progress_arg,
			    arena_printf(t->arena, "indexing the %s of %s, once",
					 kind == LINE_TABLE_LINES ? "source lines"
								  : "inlined functions",
					 o->debug_file));
	err = line_table_make(&source, kind, kept);
	if (!err)
		return kept;
	*why = arena_strdup(t->arena, err->text);
	error_destroy(err);
	return NULL;
}

const char *target_line_table(const struct target_object *object, bool inlines, const char **why)
{
	struct target_object *o = (struct target_object *)object;

	if (dwarf_find_file(o))
		return make(o, inlines ? LINE_TABLE_INLINES : LINE_TABLE_LINES, why);
	*why = arena_printf(o->target->arena, "there is no debug information; %s",
			    object_debuginfo_hint(o));
	return NULL;
}

bool target_has_debug_file(const struct target_object *object)
{
	return dwarf_find_file((struct target_object *)object) != NULL;
}
