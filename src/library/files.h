/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of library/: the files found, and the symbols that the index knows of them. Everything
 * lives in the arena of library_open(); files are numbered by their place in the list, and
 * neither their number nor their place changes after library_search().
 */
#ifndef SPILE_LIBRARY_FILES_H
#define SPILE_LIBRARY_FILES_H

#include <sys/types.h>

#include "library/library.h"

/*
 * One tapset file. search.c fills it, all but the fields behind strict, which belong to library.c.
 */
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
	size_t text_len;
	uint32_t start;
};

/*
 * What is parsed at once: a file from one form feed to the next, a form feed being a line of its
 * own. Most files are one page; large families of aliases have a page each.
 */
struct library_page {
	bool tried; /* parsed, or found bad */
	struct ast_file *tree;
};

/* As the index file has it: the file's number, and where in it. */
struct stored_page {
	uint32_t file, offset, len;
};

/* The numbers are those of the tables in the index file. */
enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_GLOBAL, SYMBOL_ALIAS, SYMBOL_KINDS };

/*
 * As the index file has it: a name that a page may define. text is its place among the names; it is
 * ended by a NUL. An alias whose name is no plain text has "**".
 */
struct stored_symbol {
	uint32_t text, len, page;
};

/* Of one kind, by name, then by page. */
struct symbols {
	const struct stored_symbol *data;
	size_t n;
};

/* The object behind library.h. */
struct library {
	struct arena *arena;
	struct interner *in;
	struct parser *parser;
	struct diag_sink *sink;
	const char *arch; /* library_options' */
	VEC(struct library_file) files;
	struct library_page *pages;
	/* the index, mapped or made: n_pages of them, and what is in them */
	const struct stored_page *stored;
	size_t n_pages;
	struct symbols symbols[SYMBOL_KINDS];
	const char *names;
	void (*processing)(void *arg, const char *path); /* library_options'; NULL: nobody asks */
	void *arg;
};

/* search.c: fill lib->files, most specific first. */
void library_search(struct library *lib, const struct library_options *options);
/*
 * index.c: fill what the index has, from the stored one, or from the files, storing it then. The
 * mapping of a stored index stays as long as the process.
 */
void library_index(struct library *lib, const char *cache_dir);
/* Those whose name is so many bytes of NAME. */
struct symbols library_symbols(const struct library *lib, enum symbol_kind kind, const char *name,
			       size_t len);
/* Those whose names begin with so many bytes of NAME. */
struct symbols library_symbols_from(const struct library *lib, enum symbol_kind kind,
				    const char *name, size_t len);
/* library.c: parse the macro files that were not yet. */
void library_load_macros(void *library);
/* The text of a file in the arena; NULL when it cannot be read (a warning was reported). */
const char *library_read(struct library *lib, const struct library_file *file, size_t *len);

#endif
