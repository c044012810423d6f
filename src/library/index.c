/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index: which page of which file may define what. It says "may", because it looks into both arms
 * of every conditional and so depends on nothing but the files: their paths, sizes and times are
 * its key, and part of its name in the cache.
 *
 * On disk, in this machine's byte order: header, pages (file number, offset, length, 4 bytes each), then
 * functions and globals: kind (1 byte) and symbol, which is page number (4), length (4), text; then groups
 * of aliases: number of symbols (4), their bytes (4), length (4) and text of the first component, and the
 * symbols, which stay as they are until the group is asked for. A file that does not fit is reported to
 * base/seal.h as damaged and built again.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "library/files.h"
#include "parse/parse.h"

#define INDEX_MAGIC 0x32584449454c4950ull /* "PILEIDX2" */

struct index_header {
	uint64_t magic, key, n_pages, n_symbols, n_groups, sum; /* sum: of what follows */
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

/* ---- tables ---- */

/*
 * Callers go through the pages in order, so that looking at the last number is enough to keep
 * the list free of repetitions.
 */
static void name_add(struct library *lib, struct map *names, const struct istr *name,
		     uint32_t number)
{
	struct page_numbers *pages = map_get(names, name);

	if (!pages) {
		pages = arena_new(lib->arena, struct page_numbers);
		map_put(names, name, pages);
	}
	if (!pages->n || pages->data[pages->n - 1] != number)
		vec_push(lib->arena, pages, number);
}

/* The group of a first component, made when it is new. */
static struct alias_group *group_of(struct library *lib, const struct istr *first)
{
	struct alias_group *group = map_get(&lib->aliases, first);

	if (!group) {
		group = arena_new(lib->arena, struct alias_group);
		map_init(&group->names, lib->arena);
		map_put(&lib->aliases, first, group);
	}
	return group;
}

static struct map *names_for(struct library *lib, enum symbol_kind kind, const struct istr *name)
{
	if (kind != SYMBOL_ALIAS)
		return &lib->symbols[kind];
	return &group_of(lib, intern_n(lib->in, name->text, strcspn(name->text, ".")))->names;
}

/* ---- reading ---- */

/* What is left of the body. */
struct reading {
	const unsigned char *s, *end;
};

static bool take(struct reading *r, void *ret, size_t len)
{
	if ((size_t)(r->end - r->s) < len)
		return false;
	memcpy(ret, r->s, len);
	r->s += len;
	return true;
}

/* A length and so many bytes, which stay where they are. */
static bool take_text(struct reading *r, const char **text, uint32_t *len)
{
	if (!take(r, len, sizeof(*len)) || *len > (size_t)(r->end - r->s))
		return false;
	*text = (const char *)r->s;
	r->s += *len;
	return true;
}

/* One symbol; into NAMES unless LIB is NULL. */
static bool read_name(struct library *lib, struct map *names, struct reading *r, uint64_t n_pages)
{
	uint32_t number, len;
	const char *text;

	if (!take(r, &number, sizeof(number)) || number >= n_pages || !take_text(r, &text, &len))
		return false;
	if (lib)
		name_add(lib, names, intern_n(lib->in, text, len), number);
	return true;
}

const struct map *library_group_names(struct library *lib, struct alias_group *group)
{
	struct reading r = { group->stored, group->stored + group->stored_len };

	for (uint32_t i = 0; group->stored && i < group->n_stored; i++)
		read_name(lib, &group->names, &r, lib->pages.n);
	group->stored = NULL;
	return &group->names;
}

static bool read_pages(struct library *lib, struct reading *r, uint64_t n, size_t n_files)
{
	for (; n; n--) {
		struct library_page page = { 0 };

		if (!take(r, &page.file, 4) || !take(r, &page.offset, 4) ||
		    !take(r, &page.len, 4) || page.file >= n_files)
			return false;
		if (lib)
			vec_push(lib->arena, &lib->pages, page);
	}
	return true;
}

/* Its symbols are checked only when there is no library to keep them for. */
static bool read_group(struct library *lib, struct reading *r, uint64_t n_pages)
{
	uint32_t n, bytes, len;
	const char *first;
	struct reading inside;

	if (!take(r, &n, sizeof(n)) || !take(r, &bytes, sizeof(bytes)) ||
	    !take_text(r, &first, &len) || bytes > (size_t)(r->end - r->s))
		return false;
	inside = (struct reading){ r->s, r->s + bytes };
	r->s += bytes;
	if (lib) {
		struct alias_group *group = group_of(lib, intern_n(lib->in, first, len));

		group->stored = arena_alloc(lib->arena, bytes);
		memcpy((void *)group->stored, inside.s, bytes);
		group->stored_len = bytes;
		group->n_stored = n;
		return true;
	}
	for (; n; n--)
		if (!read_name(NULL, NULL, &inside, n_pages))
			return false;
	return inside.s == inside.end;
}

/* Fills the tables, or only checks when LIB is NULL. False for a damaged index. */
static bool read_body(struct library *lib, struct reading r, const struct index_header *header,
		      size_t n_files)
{
	if (!read_pages(lib, &r, header->n_pages, n_files))
		return false;
	for (uint64_t n = header->n_symbols; n; n--) {
		unsigned char kind;

		if (!take(&r, &kind, 1) || kind >= SYMBOL_ALIAS ||
		    !read_name(lib, lib ? &lib->symbols[kind] : NULL, &r, header->n_pages))
			return false;
	}
	for (uint64_t n = header->n_groups; n; n--)
		if (!read_group(lib, &r, header->n_pages))
			return false;
	return r.s == r.end;
}

/*
 * Fills the tables from the file at PATH; false, with them untouched, when there is
 * none or it does not fit. The whole file is checked before its first symbol is added.
 */
static bool index_load(struct library *lib, const char *path, uint64_t key)
{
	struct index_header header;
	struct file_map map;
	struct error *err;
	bool good = false;

	err = file_map_open(path, &map);
	if (err) {
		error_destroy(err);
		return false;
	}
	if (map.len >= sizeof(header)) {
		struct reading body = { map.data + sizeof(header), map.data + map.len };

		memcpy(&header, map.data, sizeof(header));
		good = header.magic == INDEX_MAGIC && header.key == key &&
		       header.sum == hash_bytes64(body.s, map.len - sizeof(header), key) &&
		       read_body(NULL, body, &header, lib->files.n);
		if (good)
			read_body(lib, body, &header, lib->files.n);
	}
	file_map_close(&map);
	if (!good)
		seal_report(path, "its contents do not fit its sum");
	return good;
}

/* ---- making ---- */

static void put_number(struct strbuf *out, uint32_t n)
{
	strbuf_add(out, (const char *)&n, sizeof(n));
}

/* The names of a page into the tables. */
static void add_names(struct library *lib, const struct parse_outline *outline, uint32_t number)
{
	vec_foreach(name, &outline->functions)
		name_add(lib, names_for(lib, SYMBOL_FUNCTION, *name), *name, number);
	vec_foreach(name, &outline->globals)
		name_add(lib, names_for(lib, SYMBOL_GLOBAL, *name), *name, number);
	vec_foreach(name, &outline->aliases)
		name_add(lib, names_for(lib, SYMBOL_ALIAS, *name), *name, number);
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
static void index_build(struct library *lib)
{
	for (uint32_t i = 0; i < lib->files.n; i++) {
		const struct library_file *file = &lib->files.data[i];
		size_t len, at = 0;
		const char *text = file->macros ? NULL : library_read(lib, file, &len);

		while (text && at < len) {
			struct parse_outline outline = { 0 };
			size_t n = page_length(text + at, text + len);

			parse_outline(lib->parser, file->path, text + at, n, &outline);
			vec_push(lib->arena, &lib->pages,
				 ((struct library_page){
					 .file = i, .offset = (uint32_t)at, .len = (uint32_t)n }));
			add_names(lib, &outline, (uint32_t)lib->pages.n - 1);
			at += n + 2; /* the form feed and its newline */
		}
	}
}

/* A symbol for each page that has it; returns how many. */
static uint32_t put_names(struct strbuf *out, const struct map *names, int kind)
{
	uint32_t n = 0;

	map_foreach(it, names) {
		const struct istr *name = it->key;
		const struct page_numbers *pages = it->value;

		vec_foreach(number, pages) {
			if (kind >= 0)
				strbuf_addc(out, (char)kind);
			put_number(out, *number);
			put_number(out, name->len);
			strbuf_add(out, name->text, name->len);
			n++;
		}
	}
	return n;
}

static void put_groups(struct strbuf *out, const struct map *groups)
{
	map_foreach(it, groups) {
		const struct istr *first = it->key;
		const struct alias_group *group = it->value;
		struct strbuf names;
		uint32_t n;

		strbuf_init(&names);
		n = put_names(&names, &group->names, -1);
		put_number(out, n);
		put_number(out, (uint32_t)names.len);
		put_number(out, first->len);
		strbuf_add(out, first->text, first->len);
		strbuf_add(out, names.s, names.len);
		strbuf_deinit(&names);
	}
}

/* The body of the index that the tables make; fills the counts of the header. */
static void index_write(const struct library *lib, struct index_header *header, struct strbuf *out)
{
	vec_foreach(page, &lib->pages) {
		put_number(out, page->file);
		put_number(out, page->offset);
		put_number(out, page->len);
	}
	header->n_pages = lib->pages.n;
	for (int kind = 0; kind < SYMBOL_ALIAS; kind++)
		header->n_symbols += put_names(out, &lib->symbols[kind], kind);
	put_groups(out, &lib->aliases);
	header->n_groups = lib->aliases.n;
}

/* A cache that cannot be written only costs time: errors are dropped. */
static void index_store(const char *dir, const char *path, const struct strbuf *data)
{
	struct error *err = dir_create_all(dir);

	if (!err)
		err = file_write_atomic(path, data->s, data->len, 0644);
	error_destroy(err);
}

/* The header goes first as it is and is written again when the sum is known. */
void library_index(struct library *lib, const char *cache_dir)
{
	struct index_header header = { .magic = INDEX_MAGIC, .key = index_key(lib) };
	const char *path = NULL;
	struct strbuf data;

	if (cache_dir) {
		path = path_join(lib->arena, cache_dir,
				 arena_printf(lib->arena, "tapset-%016llx.index",
					      (unsigned long long)header.key));
		if (index_load(lib, path, header.key))
			return;
	}
	index_build(lib);
	if (!path)
		return;
	strbuf_init(&data);
	strbuf_add(&data, (const char *)&header, sizeof(header));
	index_write(lib, &header, &data);
	header.sum = hash_bytes64(data.s + sizeof(header), data.len - sizeof(header), header.key);
	memcpy(data.s, &header, sizeof(header));
	index_store(cache_dir, path, &data);
	strbuf_deinit(&data);
}
