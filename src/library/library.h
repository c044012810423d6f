/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tapset: where files are sought (cli.md section 5), which of them define what, and reading
 * only those that a script reaches. An index (per directory set, in the cache, keyed by names,
 * sizes and mtimes) maps function, global, macro-file and alias names to files, so pass 1 reads a
 * handful of files out of hundreds: at most 5 ms with the whole tapset. A file is used as a whole
 * once one of its symbols is needed; its probes are left aside.
 */
#ifndef SPILE_LIBRARY_LIBRARY_H
#define SPILE_LIBRARY_LIBRARY_H

#include "ast/ast.h"
#include "base/error.h"

struct library;
struct parser;

struct library_options {
	const char *const
		*dirs; /* most specific first: -I, then SYSTEMTAP_TAPSET or the built-in */
	size_t n_dirs;
	const char *release, *arch; /* for the version and arch sub-directories */
	const char *cache_dir;      /* NULL: no index is stored */
	/* What is looked at, for -vv; each may be NULL. FOUND files in DIR, USED of them not seen before. */
	void (*searched)(void *arg, const char *dir, unsigned found, unsigned used);
	void (*processing)(void *arg, const char *path);
	void *arg;
};

struct error *library_open(struct arena *arena, struct interner *in, struct parser *parser,
			   const struct library_options *options,
			   struct library **ret) ERROR_MUST_CHECK;
/* Files defining the symbol, parsed on first use; every overload of a function, every definition of
 * an alias. */
struct ast_files {
	struct ast_file **data;
	size_t n, cap;
};
void library_find_function(struct library *lib, const struct istr *name, struct ast_files *ret);
void library_find_global(struct library *lib, const struct istr *name, struct ast_files *ret);
/* Aliases whose dotted name could match the first components of the point, wildcards included
 * ("syscall.*"). */
void library_find_alias(struct library *lib, const struct ast_point *point, struct ast_files *ret);
/* Everything, for --dump-*, near-name hints (names only: no file is parsed) and tests. */
size_t library_function_names(struct library *lib, const char *const **ret);
size_t library_alias_names(struct library *lib, const char *const **ret);
void library_all_files(struct library *lib, struct ast_files *ret);
size_t library_file_count(const struct library *lib);

#endif
