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

/* One tapset file. search.c fills it, all but the last two fields, which belong to library.c. */
struct library_file {
	const char *path;
	/* below the directory it was found in: an earlier file of the same tail hides it */
	const struct istr *tail;
	uint64_t size, mtime_ns;
	dev_t dev;
	ino_t inode;
	bool macros; /* .stpm */
	bool strict; /* of a strict directory (library_options) */
	bool tried;  /* parsed, or found bad */
	struct ast_file *tree;
};

/* Kinds have tables of their own. The numbers are stored in the index file. */
enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_GLOBAL, SYMBOL_ALIAS, SYMBOL_KINDS };

/* Files of one symbol, ascending. */
struct file_numbers {
	uint32_t *data;
	size_t n, cap;
};

/* The object behind library.h. */
struct library {
	struct arena *arena;
	struct interner *in;
	struct parser *parser;
	struct diag_sink *sink;
	VEC(struct library_file) files;
	struct map symbols[SYMBOL_KINDS];                /* istr -> struct file_numbers */
	void (*processing)(void *arg, const char *path); /* library_options'; NULL: nobody asks */
	void *arg;
};

/* search.c: fill lib->files, most specific first. */
void library_search(struct library *lib, const struct library_options *options);
/* index.c: fill lib->symbols from the stored index, or from the files, storing it then. */
void library_index(struct library *lib, const char *cache_dir);
/* The text of a file in the arena; NULL when it cannot be read (a warning was reported). */
const char *library_read(struct library *lib, const struct library_file *file, size_t *len);

#endif
