/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking symbols up, and parsing the pages that define them. A page is parsed when it is first
 * asked for, at most once, whatever comes of it; its tree stays with the library. Macro files
 * are parsed at once, because their macros may be used by any text that follows, and so are files of
 * strict directories, because their errors count.
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
	size_t len;

	if (!file->text) {
		if (lib->processing)
			lib->processing(lib->arg, file->path);
		file->text = library_read(lib, file, &len);
		if (file->text)
			file->start = source_map_add(diag_sink_map(lib->sink), file->path,
						     file->text, len, true);
	}
	return file->text != NULL;
}

/* As load(), of a page. */
static void load_page(struct library *lib, struct library_page *page)
{
	struct library_file *file = &lib->files.data[page->file];
	size_t first = diag_count(lib->sink);

	if (page->tried)
		return;
	page->tried = true;
	if (file->tried || page->len == file->size) {
		load(lib, file);
		page->tree = file->tree;
		return;
	}
	if (!read_pages(lib, file))
		return;
	page->tree = parse_page(lib->parser, file->path, file->start + page->offset,
				file->text + page->offset, page->len);
	if (!page->tree)
		skip_bad_file(lib, file, first);
}

struct error *library_open(struct arena *arena, struct interner *in, struct parser *parser,
			   const struct library_options *options, struct library **ret)
{
	struct library *lib = arena_new(arena, struct library);

	lib->arena = arena;
	lib->in = in;
	lib->parser = parser;
	lib->sink = parse_sink(parser);
	lib->processing = options->processing;
	lib->arg = options->arg;
	for (int i = 0; i < SYMBOL_ALIAS; i++)
		map_init(&lib->symbols[i], arena);
	map_init(&lib->aliases, arena);
	library_search(lib, options);
	/* macros first: everything else may use them */
	vec_foreach(file, &lib->files) {
		if (file->macros)
			load(lib, file);
	}
	/* what a user gave with -I is looked at whether or not a script reaches it */
	vec_foreach(file, &lib->files) {
		if (file->strict)
			load(lib, file);
	}
	library_index(lib, options->cache_dir);
	*ret = lib;
	return NULL;
}

/* Appends the trees of the pages, each once; those that do not parse are left out. */
static void add_pages(struct library *lib, const struct page_numbers *numbers,
		      struct ast_files *ret)
{
	for (size_t i = 0; numbers && i < numbers->n; i++) {
		struct library_page *page = &lib->pages.data[numbers->data[i]];
		bool known = false;

		load_page(lib, page);
		for (size_t j = ret->n; j > 0 && !known; j--)
			known = ret->data[j - 1] == page->tree;
		if (page->tree && !known)
			vec_push(lib->arena, ret, page->tree);
	}
}

void library_find_function(struct library *lib, const struct istr *name, struct ast_files *ret)
{
	add_pages(lib, map_get(&lib->symbols[SYMBOL_FUNCTION], name), ret);
}

void library_find_global(struct library *lib, const struct istr *name, struct ast_files *ret)
{
	add_pages(lib, map_get(&lib->symbols[SYMBOL_GLOBAL], name), ret);
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

/* Aliases of the group that the point, which has wildcards, matches. */
static void add_matching(struct library *lib, struct alias_group *group,
			 const struct ast_point *point, struct ast_files *ret)
{
	const struct map *names = library_group_names(lib, group);

	map_foreach(it, names) {
		const struct istr *name = it->key;

		if (spells(point, 0, name->text))
			add_pages(lib, it->value, ret);
	}
}

/* Aliases whose names are the first so many components of the point, which has no wildcards. */
static void add_named(struct library *lib, const struct ast_point *point, struct ast_files *ret)
{
	struct alias_group *group = map_get(&lib->aliases, point->parts.data[0].name);
	const struct istr *name = point->parts.data[0].name;
	const struct map *names = group ? library_group_names(lib, group) : NULL;

	for (size_t i = 0; names && i < point->parts.n && !point->parts.data[i].param; i++) {
		if (i)
			name = intern(lib->in, arena_printf(lib->arena, "%s.%s", name->text,
							    point->parts.data[i].name->text));
		add_pages(lib, map_get(names, name), ret);
	}
}

static bool has_wildcard(const struct ast_point *point)
{
	vec_foreach(part, &point->parts)
		if (strpbrk(part->name->text, "*?["))
			return true;
	return false;
}

/* Only the aliases that begin like the point are looked at, unless it begins with a wildcard. */
void library_find_alias(struct library *lib, const struct ast_point *point, struct ast_files *ret)
{
	struct alias_group *wild = map_get(&lib->aliases, intern(lib->in, "**"));

	if (wild)
		map_foreach(it, library_group_names(lib, wild))
			add_pages(lib, it->value, ret);
	if (!has_wildcard(point)) {
		add_named(lib, point, ret);
		return;
	}
	map_foreach(it, &lib->aliases) {
		const struct istr *first = it->key;

		if (it->value != wild && (strpbrk(point->parts.data[0].name->text, "*?[") ||
					  point->parts.data[0].name == first))
			add_matching(lib, it->value, point, ret);
	}
}

/* In the order of the table, not sorted; the array is in the arena. */
static size_t names_of(struct library *lib, enum symbol_kind kind, const char *const **ret)
{
	const struct map *map = &lib->symbols[kind];
	const char **names = arena_new_array(lib->arena, const char *, map->n);
	size_t n = 0;

	map_foreach(it, map)
		names[n++] = ((const struct istr *)it->key)->text;
	*ret = names;
	return n;
}

size_t library_function_names(struct library *lib, const char *const **ret)
{
	return names_of(lib, SYMBOL_FUNCTION, ret);
}

size_t library_alias_names(struct library *lib, const char *const **ret)
{
	VEC(const char *) names = { 0 };

	map_foreach(group, &lib->aliases)
		map_foreach(it, library_group_names(lib, group->value))
			vec_push(lib->arena, &names, ((const struct istr *)it->key)->text);
	*ret = names.data;
	return names.n;
}

void library_all_files(struct library *lib, struct ast_files *ret)
{
	vec_foreach(page, &lib->pages) {
		load_page(lib, page);
		if (page->tree)
			vec_push(lib->arena, ret, page->tree);
	}
}

size_t library_file_count(const struct library *lib)
{
	return lib->files.n;
}
