/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tapset: where files are sought, which of their pages define what, and parsing only those
 * that a script reaches. A file is one page, or several that lines with a form feed divide. An
 * index (per directory set, in the cache, keyed by names, sizes, times of change and inodes) maps
 * function, global and alias names to pages, so a script costs a handful of pages out of hundreds
 * of files. A page is used as a whole once one of its symbols is needed; its probes are left aside.
 *
 * A struct library, the trees it returns and all its text are in the arena given to
 * library_open() and live as long as that; there is nothing to close. A file that cannot be
 * read or parsed is reported as one warning to the parser's sink and then behaves as if it were
 * not there; what the parser says about a file of a strict directory stays in the sink as it is. A
 * cache that cannot be read or written costs time only.
 */
#ifndef SPILE_LIBRARY_LIBRARY_H
#define SPILE_LIBRARY_LIBRARY_H

#include "ast/ast.h"
#include "base/error.h"

struct library;
struct parser;

/* What library_open() reads; only the callbacks, ARG and arch are kept after it. */
struct library_options {
	/* most specific first: -I, then SYSTEMTAP_TAPSET or the built-in */
	const char *const *dirs;
	size_t n_dirs;
	/* the first so many, -I: a file of theirs that does not parse is an error */
	size_t n_strict;
	const char *release, *arch; /* for the version and arch sub-directories */
	const char *cache_dir;      /* NULL: no index is stored */
	/*
	 * What is looked at, for -vv; each may be NULL. FOUND files in DIR, USED of them not
	 * seen before.
	 */
	void (*searched)(void *arg, const char *dir, unsigned found, unsigned used);
	void (*processing)(void *arg, const char *path);
	void *arg;
};

/*
 * Searches the directories, and loads or builds the index; macro files are parsed when PARSER first
 * needs them (parse_on_macros()), those of strict directories now. *ret is set on success, the only
 * outcome at present: directories that do not exist are passed over.
 */
struct error *library_open(struct arena *arena, struct interner *in, struct parser *parser,
			   const struct library_options *options,
			   struct library **ret) ERROR_MUST_CHECK;
/* A growing list of trees; the array is in the library's arena. */
struct ast_files {
	struct ast_file **data;
	size_t n, cap;
};
/*
 * Append, to *ret, the trees of the pages that define a function or a global of NAME, parsed on
 * first use: every overload of a function is in one of them. A tree that *ret has already is not
 * added again; nothing is added when no page has the name. The index looks into both arms of
 * conditionals, so a page may turn out not to define the name.
 */
void library_find_function(struct library *lib, const struct istr *name, struct ast_files *ret);
void library_find_global(struct library *lib, const struct istr *name, struct ast_files *ret);
/*
 * Aliases whose dotted name could match the first components of the point, wildcards included
 * ("syscall.*").
 */
void library_find_alias(struct library *lib, const struct ast_point *point, struct ast_files *ret);
/* Everything, for --dump-*, near-name hints (names only: no file is parsed) and tests. */
size_t library_function_names(struct library *lib, const char *const **ret);
size_t library_alias_names(struct library *lib, const char *const **ret);
void library_all_files(struct library *lib, struct ast_files *ret);
/*
 * Why kernels of the library's architecture have no target for an alias of it, by its name
 * (gone.def); NULL: not known to be missing. PATTERNS: of names that the library has.
 */
const char *library_why_gone(const struct library *lib, const char *name, bool patterns);
/* Names (no patterns) of which library_why_gone() knows; returns how many. */
size_t library_gone_names(const struct library *lib, const char *const **ret);
/* Files found, parsed or not: what -v names. */
size_t library_file_count(const struct library *lib);

#endif
