/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index: which page of which file may define what. It says "may", because it looks into both
 * arms of every conditional and so depends on nothing but the files: their paths, sizes and times
 * are its key, and part of its name in the cache.
 *
 * On disk, in this machine's byte order: header, pages, symbols of each kind (files.h), names. It
 * is looked up where it is mapped: most scripts ask for a handful of three thousand names.
 * base/seal.h finds what was damaged.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "library/files.h"
#include "parse/parse.h"

#define INDEX_MAGIC 0x33584449454c4950ull /* "PILEIDX3" */

struct index_header {
	uint64_t magic, key, n_pages, n_symbols[SYMBOL_KINDS], n_bytes; /* of names */
};

/*
 * Covers every file that was found, in the order of precedence: another set of directories,
 * kernel release or architecture gives another key.
 */
static uint64_t index_key(const struct library *lib)
{
	uint64_t key = INDEX_MAGIC;

	vec_foreach(file, &lib->files) {
		uint64_t facts[] = { file->size, file->mtime_ns, file->inode };

		key = hash_bytes64(file->path, strlen(file->path) + 1, key);
		key = hash_bytes64(facts, sizeof(facts), key);
	}
	return key;
}

/* ---- looking up ---- */

/* As memcmp() of a symbol's name with NAME; a longer one goes behind its beginning. */
static int compare(const struct library *lib, const struct stored_symbol *symbol, const char *name,
		   size_t len)
{
	int c = memcmp(lib->names + symbol->text, name, symbol->len < len ? symbol->len : len);

	return c ? c : (symbol->len > len) - (symbol->len < len);
}

/* The number of the first symbol that is not before NAME. */
static size_t lower_bound(const struct library *lib, enum symbol_kind kind, const char *name,
			  size_t len)
{
	const struct symbols *all = &lib->symbols[kind];

	return bisect(i, all->n, compare(lib, &all->data[i], name, len) < 0);
}

struct symbols library_symbols_from(const struct library *lib, enum symbol_kind kind,
				    const char *name, size_t len)
{
	const struct symbols *all = &lib->symbols[kind];
	size_t first = lower_bound(lib, kind, name, len), end = first;

	while (end < all->n && all->data[end].len >= len &&
	       !memcmp(lib->names + all->data[end].text, name, len))
		end++;
	return (struct symbols){ all->data + first, end - first };
}

struct symbols library_symbols(const struct library *lib, enum symbol_kind kind, const char *name,
			       size_t len)
{
	struct symbols ret = library_symbols_from(lib, kind, name, len);
	size_t n = 0;

	while (n < ret.n && ret.data[n].len == len)
		n++;
	ret.n = n;
	return ret;
}

/* ---- the index as bytes ---- */

/* Do all parts have their sizes? */
static bool is_sized(const struct index_header *h, const struct library *lib, size_t len)
{
	const struct stored_symbol *symbol = lib->symbols[0].data;
	const size_t limit = len / sizeof(*symbol) + 1;
	size_t n_symbols = 0;

	for (int kind = 0; kind < SYMBOL_KINDS; kind++) {
		if (h->n_symbols[kind] > limit)
			return false;
		n_symbols += h->n_symbols[kind];
	}
	return h->n_pages <= limit && h->n_bytes <= len &&
	       len == sizeof(*h) + h->n_pages * sizeof(*lib->stored) + n_symbols * sizeof(*symbol) +
			       h->n_bytes;
}

/*
 * Are the pages in their files, and have the symbols names and pages? A seal that was not summed
 * again does not say so.
 */
static bool is_sound(const struct library *lib, size_t n_bytes)
{
	if (n_bytes && lib->names[n_bytes - 1])
		return false;
	for (size_t i = 0; i < lib->n_pages; i++) {
		const struct stored_page *page = &lib->stored[i];

		if (page->file >= lib->files.n ||
		    (uint64_t)page->offset + page->len > lib->files.data[page->file].size)
			return false;
	}
	for (int kind = 0; kind < SYMBOL_KINDS; kind++)
		for (size_t i = 0; i < lib->symbols[kind].n; i++) {
			const struct stored_symbol *symbol = &lib->symbols[kind].data[i];

			if (symbol->page >= lib->n_pages ||
			    (uint64_t)symbol->text + symbol->len >= n_bytes)
				return false;
		}
	return true;
}

/*
 * Points the library into the LEN bytes of an index. False, and nothing is changed, when it is
 * none.
 */
static bool use(struct library *lib, const unsigned char *data, size_t len, uint64_t key)
{
	struct library with = *lib;
	struct index_header header;

	if (len < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	if (header.magic != INDEX_MAGIC || header.key != key || !is_sized(&header, lib, len))
		return false;
	data += sizeof(header);
	with.n_pages = header.n_pages;
	with.stored = (const void *)data;
	data += header.n_pages * sizeof(*with.stored);
	for (int kind = 0; kind < SYMBOL_KINDS; kind++) {
		with.symbols[kind] = (struct symbols){ (const void *)data, header.n_symbols[kind] };
		data += header.n_symbols[kind] * sizeof(struct stored_symbol);
	}
	with.names = (const char *)data;
	if (!is_sound(&with, header.n_bytes))
		return false;
	with.pages = arena_new_array(lib->arena, struct library_page, header.n_pages);
	*lib = with;
	return true;
}

/*
 * From the file at PATH; false, with the library untouched, when there is none or it does not fit.
 */
static bool index_load(struct library *lib, const char *path, uint64_t key)
{
	struct file_map map;
	struct error *err;

	if (!seal_holds(path))
		return false;
	err = file_map_open(path, &map);
	if (err) {
		error_destroy(err);
		return false;
	}
	if (use(lib, map.data, map.len, key))
		return true;
	file_map_close(&map);
	seal_report(path, "it is no index of these files");
	return false;
}

/* ---- making ---- */

/* A symbol before it has its place. */
struct found {
	const struct istr *name;
	uint32_t page;
};

struct making {
	VEC(struct stored_page) pages;
	struct {
		struct found *data;
		size_t n, cap;
	} symbols[SYMBOL_KINDS];
};

static void add_names(struct library *lib, struct making *m, const struct parse_outline *outline)
{
	uint32_t page = (uint32_t)m->pages.n - 1;

	vec_foreach(name, &outline->functions)
		vec_push(lib->arena, &m->symbols[SYMBOL_FUNCTION], ((struct found){ *name, page }));
	vec_foreach(name, &outline->globals)
		vec_push(lib->arena, &m->symbols[SYMBOL_GLOBAL], ((struct found){ *name, page }));
	vec_foreach(name, &outline->aliases)
		vec_push(lib->arena, &m->symbols[SYMBOL_ALIAS], ((struct found){ *name, page }));
}

/* The bytes of a page that begins at TEXT: to the next line that is a form feed. */
static size_t page_length(const char *text, const char *end)
{
	const char *p = text;

	while ((p = memchr(p, '\f', (size_t)(end - p)))) {
		if ((p == text || p[-1] == '\n') && p + 1 < end && p[1] == '\n')
			return (size_t)(p - text);
		p++;
	}
	return (size_t)(end - text);
}

/* Reads every script file, page by page. Files that cannot be read have been warned about. */
static void read_files(struct library *lib, struct making *m)
{
	library_load_macros(lib);
	for (uint32_t i = 0; i < lib->files.n; i++) {
		const struct library_file *file = &lib->files.data[i];
		size_t len, at = 0;
		const char *text = file->macros ? NULL : library_read(lib, file, &len);

		while (text && at < len) {
			struct parse_outline outline = { 0 };
			size_t n = page_length(text + at, text + len);

			parse_outline(lib->parser, file->path, text + at, n, &outline);
			vec_push(lib->arena, &m->pages,
				 ((struct stored_page){ i, (uint32_t)at, (uint32_t)n }));
			add_names(lib, m, &outline);
			at += n + 2; /* the form feed and its newline */
		}
	}
}

/* As compare() orders names; then by page. */
static int found_cmp(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	uint32_t len = x->name->len < y->name->len ? x->name->len : y->name->len;
	int c = memcmp(x->name->text, y->name->text, len);

	if (!c)
		c = (x->name->len > y->name->len) - (x->name->len < y->name->len);
	return c ? c : (x->page > y->page) - (x->page < y->page);
}

/* The symbols of a kind, each once for a page, and their names. */
static uint64_t put_symbols(struct strbuf *out, struct strbuf *names, struct found *found, size_t n)
{
	struct stored_symbol symbol = { 0 };
	uint64_t count = 0;

	if (n)
		qsort(found, n, sizeof(*found), found_cmp);
	for (size_t i = 0; i < n; i++) {
		bool same = i && found[i].name == found[i - 1].name;

		if (same && found[i].page == found[i - 1].page)
			continue;
		if (!same) {
			symbol.text = (uint32_t)names->len;
			symbol.len = found[i].name->len;
			strbuf_add(names, found[i].name->text, found[i].name->len + 1);
		}
		symbol.page = found[i].page;
		strbuf_add(out, (const char *)&symbol, sizeof(symbol));
		count++;
	}
	return count;
}

/* The bytes of an index of the files, in the arena. */
static const unsigned char *index_build(struct library *lib, uint64_t key, size_t *len)
{
	struct index_header header = { .magic = INDEX_MAGIC, .key = key };
	struct making m = { 0 };
	struct strbuf out, names;
	unsigned char *ret;

	read_files(lib, &m);
	strbuf_init(&out);
	strbuf_init(&names);
	strbuf_add(&out, (const char *)&header, sizeof(header));
	header.n_pages = m.pages.n;
	strbuf_add(&out, (const char *)m.pages.data, m.pages.n * sizeof(*m.pages.data));
	for (int kind = 0; kind < SYMBOL_KINDS; kind++)
		header.n_symbols[kind] =
			put_symbols(&out, &names, m.symbols[kind].data, m.symbols[kind].n);
	header.n_bytes = names.len;
	strbuf_add(&out, names.s, names.len);
	memcpy(out.s, &header, sizeof(header));
	*len = out.len;
	ret = arena_alloc(lib->arena, out.len);
	memcpy(ret, out.s, out.len);
	strbuf_deinit(&out);
	strbuf_deinit(&names);
	return ret;
}

/* A cache that cannot be written only costs time: errors are dropped. */
static void index_store(const char *dir, const char *path, const unsigned char *data, size_t len)
{
	struct error *err = dir_create_all(dir);

	if (!err)
		err = seal_write_data(path, data, len);
	error_destroy(err);
}

void library_index(struct library *lib, const char *cache_dir)
{
	uint64_t key = index_key(lib);
	const char *path = NULL;
	const unsigned char *data;
	size_t len;

	if (cache_dir) {
		path = path_join(
			lib->arena, cache_dir,
			arena_printf(lib->arena, "tapset-%016llx.index", (unsigned long long)key));
		if (index_load(lib, path, key))
			return;
	}
	data = index_build(lib, key, &len);
	use(lib, data, len, key);
	if (path)
		index_store(cache_dir, path, data, len);
}
