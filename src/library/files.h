/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of library/: the files found, and the symbols that the index knows of them. Everything
 * lives in the arena of library_open(); files are numbered by their place in the list, and
 * neither their number nor their place changes after library_search().
 */
#ifndef SPILE_LIBRARY_FILES_H
#define SPILE_LIBRARY_FILES_H

#include <sys/types.h>

#include "base/map.h"
#include "library/library.h"

/* One tapset file. search.c fills it, all but the fields behind strict, which belong to library.c. */
struct library_file {
	const char *path;
	/* below the directory it was found in: an earlier file of the same tail hides it */
	const struct istr *tail;
	uint64_t size, mtime_ns;
	dev_t dev;
	ino_t inode;
	bool macros; /* .stpm */
	bool strict; /* of a strict directory (library_options): parsed as a whole */
	bool tried;  /* parsed as a whole, or found bad */
	struct ast_file *tree;
	/* its text once it was read, for pages, and its place in the source map */
	const char *text;
	uint32_t start;
};

/*
 * What is parsed at once: a file from one form feed to the next, a form feed being a line of its own.
 * Most files are one page; large families of aliases have a page each.
 */
struct library_page {
	uint32_t file;        /* number */
	uint32_t offset, len; /* in it */
	bool tried;           /* parsed, or found bad */
	struct ast_file *tree;
};

/*
 * Kinds have tables of their own. The numbers are stored in the index file. Aliases are kept by the
 * first component of their names, and read when a probe point begins with it.
 */
enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_GLOBAL, SYMBOL_ALIAS, SYMBOL_KINDS };

/* Pages of one symbol, ascending. */
struct page_numbers {
	uint32_t *data;
	size_t n, cap;
};

/* Aliases whose names have one first component, "**" for those whose names are no plain text. */
struct alias_group {
	const unsigned char *stored; /* as the index has them; NULL: they are in names */
	size_t stored_len;
	uint32_t n_stored;
	struct map names; /* istr -> struct page_numbers */
};

/* The object behind library.h. */
struct library {
	struct arena *arena;
	struct interner *in;
	struct parser *parser;
	struct diag_sink *sink;
	VEC(struct library_file) files;
	VEC(struct library_page) pages;
	struct map symbols[SYMBOL_ALIAS];                /* istr -> struct page_numbers */
	struct map aliases;                              /* istr -> struct alias_group */
	void (*processing)(void *arg, const char *path); /* library_options'; NULL: nobody asks */
	void *arg;
};

/* search.c: fill lib->files, most specific first. */
void library_search(struct library *lib, const struct library_options *options);
/* index.c: fill lib->pages, lib->symbols and lib->aliases from the stored index, or from the files, storing it then. */
void library_index(struct library *lib, const char *cache_dir);
/* The group's names, read from the index now if they were not yet. */
const struct map *library_group_names(struct library *lib, struct alias_group *group);
/* The text of a file in the arena; NULL when it cannot be read (a warning was reported). */
const char *library_read(struct library *lib, const struct library_file *file, size_t *len);

#endif
