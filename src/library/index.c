/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index: which file may define what. It says "may", because it looks into both arms of
 * every conditional and so depends on nothing but the files: their paths, sizes and times are
 * its key, and part of its name in the cache.
 *
 * On disk, in this machine's byte order: header, then per symbol its kind (1 byte), file number
 * (4), length (4), text. A file that does not fit is reported to base/seal.h as damaged and
 * built again.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "library/files.h"
#include "parse/parse.h"

#define INDEX_MAGIC 0x31584449454c4950ull /* "PILEIDX1" */

struct index_header {
	uint64_t magic, key, n_symbols, sum; /* sum: of what follows */
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

/*
 * Callers go through the files in order, so that looking at the last number is enough to keep
 * the list free of repetitions.
 */
static void symbol_add(struct library *lib, enum symbol_kind kind, const struct istr *name,
		       uint32_t number)
{
	struct file_numbers *files = map_get(&lib->symbols[kind], name);

	if (!files) {
		files = arena_new(lib->arena, struct file_numbers);
		map_put(&lib->symbols[kind], name, files);
	}
	if (!files->n || files->data[files->n - 1] != number)
		vec_push(lib->arena, files, number);
}

/* Add the symbols, or only check them when LIB is NULL. False for a damaged index. */
static bool read_symbols(struct library *lib, const unsigned char *s, size_t len, uint64_t n,
			 size_t n_files)
{
	const unsigned char *end = s + len;

	for (; n; n--) {
		uint32_t number, name_len;
		unsigned char kind;

		if ((size_t)(end - s) < 1 + sizeof(number) + sizeof(name_len))
			return false;
		kind = *s++;
		memcpy(&number, s, sizeof(number));
		s += sizeof(number);
		memcpy(&name_len, s, sizeof(name_len));
		s += sizeof(name_len);
		if (kind >= SYMBOL_KINDS || number >= n_files || name_len > (size_t)(end - s))
			return false;
		if (lib)
			symbol_add(lib, kind, intern_n(lib->in, (const char *)s, name_len), number);
		s += name_len;
	}
	return s == end;
}

/*
 * Fills lib->symbols from the file at PATH; false, with the symbols untouched, when there is
 * none or it does not fit. The whole file is checked before its first symbol is added.
 */
static bool index_load(struct library *lib, const char *path, uint64_t key)
{
	struct index_header header;
	struct file_map map;
	struct error *err;
	const unsigned char *body;
	bool good = false;

	err = file_map_open(path, &map);
	if (err) {
		error_destroy(err);
		return false;
	}
	if (map.len >= sizeof(header)) {
		size_t len = map.len - sizeof(header);

		memcpy(&header, map.data, sizeof(header));
		body = map.data + sizeof(header);
		good = header.magic == INDEX_MAGIC && header.key == key &&
		       header.sum == hash_bytes64(body, len, key) &&
		       read_symbols(NULL, body, len, header.n_symbols, lib->files.n);
		if (good)
			read_symbols(lib, body, len, header.n_symbols, lib->files.n);
	}
	file_map_close(&map);
	if (!good)
		seal_report(path, "its contents do not fit its sum");
	return good;
}

/* Into the file's text and, at once, into the tables of this session. */
static void put_symbol(struct library *lib, struct strbuf *out, enum symbol_kind kind,
		       const struct istr *name, uint32_t number)
{
	strbuf_addc(out, (char)kind);
	strbuf_add(out, (const char *)&number, sizeof(number));
	strbuf_add(out, (const char *)&name->len, sizeof(name->len));
	strbuf_add(out, name->text, name->len);
	symbol_add(lib, kind, name, number);
}

/*
 * Reads every script file; appends the body of the index to OUT and returns the number of its
 * symbols. Macro files define no symbols. Files that cannot be read have been warned about.
 */
static uint64_t index_build(struct library *lib, struct strbuf *out)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < lib->files.n; i++) {
		const struct library_file *file = &lib->files.data[i];
		struct parse_outline outline = { 0 };
		const char *text;
		size_t len;

		text = file->macros ? NULL : library_read(lib, file, &len);
		if (!text)
			continue;
		parse_outline(lib->parser, file->path, text, len, &outline);
		vec_foreach(name, &outline.functions)
			put_symbol(lib, out, SYMBOL_FUNCTION, *name, i);
		vec_foreach(name, &outline.globals)
			put_symbol(lib, out, SYMBOL_GLOBAL, *name, i);
		vec_foreach(name, &outline.aliases)
			put_symbol(lib, out, SYMBOL_ALIAS, *name, i);
		n += outline.functions.n + outline.globals.n + outline.aliases.n;
	}
	return n;
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
	strbuf_init(&data);
	strbuf_add(&data, (const char *)&header, sizeof(header));
	header.n_symbols = index_build(lib, &data);
	header.sum = hash_bytes64(data.s + sizeof(header), data.len - sizeof(header), header.key);
	memcpy(data.s, &header, sizeof(header));
	if (path)
		index_store(cache_dir, path, &data);
	strbuf_deinit(&data);
}
