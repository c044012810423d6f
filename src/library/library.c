/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking symbols up, and parsing the pages that define them. A page is parsed when it is first
 * asked for, at most once, whatever comes of it; its tree stays with the library. Macro files
 * are parsed when the first text uses a macro that may be theirs; files of strict directories at
 * once, because their errors count.
 */
#include "library/library.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "library/files.h"
#include "parse/parse.h"

const char *library_read(struct library *lib, const struct library_file *file, size_t *len)
{
	struct error *err;
	char *text, *copy;

	err = file_read(file->path, &text, len);
	if (err) {
		diag_report(lib->sink, DIAG_LIBRARY_SKIPPED, (struct span){ 0 }, file->path,
			    err->text);
		error_destroy(err);
		return NULL;
	}
	copy = arena_strndup(lib->arena, text, *len);
	free(text);
	return copy;
}

/* A file that does not parse is left out: what it says about itself becomes one warning. */
static void skip_bad_file(struct library *lib, const struct library_file *file, size_t first)
{
	const char *why = "parse error";
	struct span span = { 0 };
	struct diagnostic *d;

	for (size_t i = first; i < diag_count(lib->sink); i++) {
		const struct diagnostic *bad = diag_get(lib->sink, i);

		if (bad->severity != DIAG_WARNING) {
			why = bad->text;
			span = bad->span;
			break;
		}
	}
	diag_truncate(lib->sink, first);
	d = diag_report(lib->sink, DIAG_LIBRARY_SKIPPED, (struct span){ 0 }, file->path, why);
	if (span.start)
		diag_add_note(lib->sink, d, span, "parse error: %s", why);
}

/*
 * Parses a file unless that was tried before. Leaves file->tree NULL, and one warning in the
 * sink, or the errors of a strict file, when the file is not usable.
 */
static void load(struct library *lib, struct library_file *file)
{
	size_t first = diag_count(lib->sink), len;
	const char *text;
	bool good;

	if (file->tried)
		return;
	file->tried = true;
	if (lib->processing)
		lib->processing(lib->arg, file->path);
	text = library_read(lib, file, &len);
	if (!text)
		return;
	if (file->macros) {
		good = parse_macro_file(lib->parser, file->path, text, len);
	} else {
		file->tree = parse_text(lib->parser, file->path, text, len, true);
		good = file->tree != NULL;
	}
	if (!good && !file->strict)
		skip_bad_file(lib, file, first);
}

/* The file's text is read and mapped with the first of its pages. */
static bool read_pages(struct library *lib, struct library_file *file)
{
	if (!file->text) {
		if (lib->processing)
			lib->processing(lib->arg, file->path);
		file->text = library_read(lib, file, &file->text_len);
		if (file->text)
			file->start = source_map_add(diag_sink_map(lib->sink), file->path,
						     file->text, file->text_len, true);
	}
	return file->text != NULL;
}

/* Is the page in the text that was read? The file may have changed since it was found. */
static bool has_page(struct library *lib, const struct library_file *file,
		     const struct stored_page *stored)
{
	bool ret = (uint64_t)stored->offset + stored->len <= file->text_len;

	if (!ret)
		diag_report(lib->sink, DIAG_LIBRARY_SKIPPED, (struct span){ 0 }, file->path,
			    "it was changed meanwhile");
	return ret;
}

/* As load(), of a page. */
static struct ast_file *load_page(struct library *lib, uint32_t number)
{
	const struct stored_page *stored = &lib->stored[number];
	struct library_page *page = &lib->pages[number];
	struct library_file *file = &lib->files.data[stored->file];
	size_t first = diag_count(lib->sink);

	if (page->tried)
		return page->tree;
	page->tried = true;
	if (file->tried || stored->len == file->size) {
		load(lib, file);
		page->tree = file->tree;
	} else if (read_pages(lib, file) && has_page(lib, file, stored)) {
		page->tree = parse_page(lib->parser, file->path, file->start + stored->offset,
					file->text + stored->offset, stored->len);
		if (!page->tree)
			skip_bad_file(lib, file, first);
	}
	return page->tree;
}

void library_load_macros(void *library)
{
	struct library *lib = library;

	vec_foreach(file, &lib->files) {
		if (file->macros)
			load(lib, file);
	}
}

struct error *library_open(struct arena *arena, struct interner *in, struct parser *parser,
			   const struct library_options *options, struct library **ret)
{
	struct library *lib = arena_new(arena, struct library);

	lib->arena = arena;
	lib->in = in;
	lib->parser = parser;
	lib->sink = parse_sink(parser);
	lib->arch = options->arch;
	lib->processing = options->processing;
	lib->arg = options->arg;
	library_search(lib, options);
	parse_on_macros(parser, library_load_macros, lib);
	/* what a user gave with -I is looked at whether or not a script reaches it */
	vec_foreach(file, &lib->files) {
		if (file->strict)
			load(lib, file);
	}
	library_index(lib, options->cache_dir);
	*ret = lib;
	return NULL;
}

/* Appends the tree of the page, once; nothing when it does not parse. */
static void add_page(struct library *lib, uint32_t number, struct ast_files *ret)
{
	struct ast_file *tree = load_page(lib, number);
	bool known = false;

	for (size_t i = ret->n; i > 0 && !known; i--)
		known = ret->data[i - 1] == tree;
	if (tree && !known)
		vec_push(lib->arena, ret, tree);
}

static void add_symbols(struct library *lib, struct symbols symbols, struct ast_files *ret)
{
	for (size_t i = 0; i < symbols.n; i++)
		add_page(lib, symbols.data[i].page, ret);
}

void library_find_function(struct library *lib, const struct istr *name, struct ast_files *ret)
{
	add_symbols(lib, library_symbols(lib, SYMBOL_FUNCTION, name->text, name->len), ret);
}

void library_find_global(struct library *lib, const struct istr *name, struct ast_files *ret)
{
	add_symbols(lib, library_symbols(lib, SYMBOL_GLOBAL, name->text, name->len), ret);
}

/* Whether the first parts of the point, from I on, spell the dotted NAME. */
static bool spells(const struct ast_point *point, size_t i, const char *name)
{
	const struct ast_component *part;
	const char *dot;

	if (!*name)
		return true;
	if (i == point->parts.n)
		return false;
	part = &point->parts.data[i];
	if (part->param)
		return false;
	dot = strchrnul(name, '.');
	if (strstr(part->name->text, "**")) {
		/* across dots: as many components as it takes */
		for (;; dot = strchrnul(dot + 1, '.')) {
			char *head = strndup(name, (size_t)(dot - name));
			bool match = !head || !fnmatch(part->name->text, head, 0);

			free(head);
			if (match && spells(point, i + 1, *dot ? dot + 1 : dot))
				return true;
			if (!*dot)
				return false;
		}
	}
	if (strpbrk(part->name->text, "*?[")) {
		char *head = strndup(name, (size_t)(dot - name));
		bool match = !head || !fnmatch(part->name->text, head, 0);

		free(head);
		if (!match)
			return false;
	} else if (part->name->len != (size_t)(dot - name) ||
		   memcmp(part->name->text, name, part->name->len)) {
		return false;
	}
	return spells(point, i + 1, *dot ? dot + 1 : dot);
}

static int number_cmp(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Whether NAME is plain and begins with the component FIRST. */
static bool begins_with(const char *name, const struct istr *first)
{
	return !first || !name[first->len] || name[first->len] == '.';
}

/*
 * Aliases that the point, which has wildcards, matches, in the order of pages. Only those that
 * begin like it are looked at, unless it begins with a wildcard.
 */
static void add_matching(struct library *lib, const struct ast_point *point, struct ast_files *ret)
{
	const struct istr *first = point->parts.data[0].name;
	struct symbols all = lib->symbols[SYMBOL_ALIAS];
	VEC(uint32_t) pages = { 0 };

	if (strpbrk(first->text, "*?["))
		first = NULL;
	else
		all = library_symbols_from(lib, SYMBOL_ALIAS, first->text, first->len);
	for (size_t i = 0; i < all.n; i++) {
		const char *name = lib->names + all.data[i].text;

		if (strcmp(name, "**") && begins_with(name, first) && spells(point, 0, name))
			vec_push(lib->arena, &pages, all.data[i].page);
	}
	if (pages.n)
		qsort(pages.data, pages.n, sizeof(*pages.data), number_cmp);
	vec_foreach(page, &pages)
		add_page(lib, *page, ret);
}

/* Aliases whose names are the first so many components of the point, which has no wildcards. */
static void add_named(struct library *lib, const struct ast_point *point, struct ast_files *ret)
{
	const char *name = point->parts.data[0].name->text;

	for (size_t i = 0; i < point->parts.n && !point->parts.data[i].param; i++) {
		if (i)
			name = arena_printf(lib->arena, "%s.%s", name,
					    point->parts.data[i].name->text);
		add_symbols(lib, library_symbols(lib, SYMBOL_ALIAS, name, strlen(name)), ret);
	}
}

static bool has_wildcard(const struct ast_point *point)
{
	vec_foreach(part, &point->parts)
		if (strpbrk(part->name->text, "*?["))
			return true;
	return false;
}

void library_find_alias(struct library *lib, const struct ast_point *point, struct ast_files *ret)
{
	add_symbols(lib, library_symbols(lib, SYMBOL_ALIAS, "**", 2), ret);
	if (has_wildcard(point))
		add_matching(lib, point, ret);
	else
		add_named(lib, point, ret);
}

/* Each once, sorted; the array is in the arena. */
static size_t names_of(struct library *lib, enum symbol_kind kind, const char *const **ret)
{
	const struct symbols *all = &lib->symbols[kind];
	const char **names = arena_new_array(lib->arena, const char *, all->n);
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (!i || all->data[i].text != all->data[i - 1].text)
			names[n++] = lib->names + all->data[i].text;
	*ret = names;
	return n;
}

size_t library_function_names(struct library *lib, const char *const **ret)
{
	return names_of(lib, SYMBOL_FUNCTION, ret);
}

size_t library_alias_names(struct library *lib, const char *const **ret)
{
	return names_of(lib, SYMBOL_ALIAS, ret);
}

void library_all_files(struct library *lib, struct ast_files *ret)
{
	for (uint32_t i = 0; i < lib->n_pages; i++) {
		struct ast_file *tree = load_page(lib, i);

		if (tree)
			vec_push(lib->arena, ret, tree);
	}
}

size_t library_file_count(const struct library *lib)
{
	return lib->files.n;
}
