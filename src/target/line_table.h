/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of source lines and of inlined copies as modules carry them (runtime/uapi/line_table.h),
 * kept in the cache as a file each per build-id. Reading all line programs of a kernel takes
 * seconds and much memory, and all DIEs more: a child process does it.
 */
#ifndef SPILE_TARGET_LINE_TABLE_H
#define SPILE_TARGET_LINE_TABLE_H

#include <stdbool.h>

#include "base/build_id.h"
#include "base/error.h"

enum line_table_kind { LINE_TABLE_LINES, LINE_TABLE_INLINES };

/*
 * The debug information to read. is_program: names of files are absolute; else relative to where
 * the unit was compiled.
 */
struct line_table_source {
	const char *path;
	const unsigned char *build_id; /* what the table is kept under */
	bool is_program;
};

/* The path at which a table is kept; it need not exist. The arena's. */
struct arena;
const char *line_table_path(struct arena *arena, const struct line_table_source *source,
			    enum line_table_kind kind, const char *cache_dir);
/* Is a good one there? */
bool line_table_is_kept(const char *kept);
/* Makes it, in a child process, and keeps it at KEPT with its seal. On failure nothing is kept. */
struct error *line_table_make(const struct line_table_source *source, enum line_table_kind kind,
			      const char *kept) ERROR_MUST_CHECK;

#endif
