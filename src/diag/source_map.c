/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source map: entries in order of their offsets, each a text that was read or the expansion of
 * a macro. Every entry owns one offset more than its text has bytes, so that the end of a file is a
 * place of its own.
 */
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "diag/diag.h"

/*
 * body and invocation are of expansions, whose name is NULL; name, text and library are of real
 * texts.
 */
/* The beginning of a line, and its number. */
struct line_mark {
	const char *at;
	unsigned line;
};

struct source_entry {
	uint32_t start, len;
	const char *name; /* NULL for an expansion */
	const char *text;
	bool library;
	uint32_t body;          /* expansions: where the text really stands */
	struct span invocation; /* expansions: what asked for it */
	struct line_mark *last; /* of a real text: the line asked for last, for those behind it */
};

struct source_map {
	struct arena *arena;
	VEC(struct source_entry) entries;
	uint32_t next;
};

struct source_map *source_map_create(struct arena *arena)
{
	struct source_map *map = arena_new(arena, struct source_map);

	map->arena = arena;
	map->next = 1;
	return map;
}

/* Gives the entry the next offsets; its start is set here. */
static uint32_t source_map_push(struct source_map *map, struct source_entry entry, size_t len)
{
	/* offsets are 32 bits: four gigabytes of scripts are out of memory in any sense */
	if (len >= UINT32_MAX - 1 - map->next)
		arena_out_of_memory();
	entry.start = map->next;
	entry.len = (uint32_t)len;
	vec_push(map->arena, &map->entries, entry);
	map->next += (uint32_t)len + 1;
	return entry.start;
}

uint32_t source_map_add(struct source_map *map, const char *name, const char *text, size_t len,
			bool library)
{
	struct source_entry entry = {
		.name = arena_strdup(map->arena, name),
		.text = text,
		.library = library,
		.last = arena_new(map->arena, struct line_mark),
	};

	*entry.last = (struct line_mark){ text, 1 };
	return source_map_push(map, entry, len);
}

uint32_t source_map_add_expansion(struct source_map *map, struct span body, struct span invocation)
{
	struct source_entry entry = { .body = body.start, .invocation = invocation };

	return source_map_push(map, entry, body.end - body.start);
}

/* The entry that owns an offset, by binary search; NULL for offsets that were never given out. */
static const struct source_entry *source_map_find(const struct source_map *map, uint32_t offset)
{
	size_t lo = 0, hi = map->entries.n;

	if (!offset || offset >= map->next)
		return NULL;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (map->entries.data[mid].start <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return lo < map->entries.n ? &map->entries.data[lo] : NULL;
}

/* The real file behind an offset, which moves to where the text stands. */
static const struct source_entry *source_map_resolve(const struct source_map *map, uint32_t *offset)
{
	const struct source_entry *e = source_map_find(map, *offset);

	while (e && !e->name) {
		*offset = e->body + (*offset - e->start);
		e = source_map_find(map, *offset);
	}
	return e;
}

bool source_map_invocation(const struct source_map *map, uint32_t offset, struct span *ret)
{
	const struct source_entry *e = source_map_find(map, offset);

	if (!e || e->name)
		return false;
	*ret = e->invocation;
	return true;
}

bool source_map_locate(const struct source_map *map, uint32_t offset, struct source_position *ret)
{
	const struct source_entry *e = source_map_resolve(map, &offset);
	const char *line, *end, *at, *nl;

	if (!e)
		return false;
	end = e->text + e->len;
	at = e->text + (offset - e->start);
	ret->file = e->name;
	if (at < e->last->at)
		*e->last = (struct line_mark){ e->text, 1 };
	line = e->last->at;
	ret->line = e->last->line;
	while (line < at && (nl = memchr(line, '\n', (size_t)(at - line)))) {
		line = nl + 1;
		ret->line++;
	}
	*e->last = (struct line_mark){ line, ret->line };
	nl = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
	ret->column = (unsigned)(at - line) + 1;
	ret->line_text = line;
	ret->line_len = (size_t)((nl ? nl : end) - line);
	return true;
}

/* Where LINE and COLUMN are in the text; its end when it has no such line. */
static const char *go_to(const char *at, const char *end, unsigned line, unsigned column)
{
	unsigned here = 1;

	for (; at < end && line > 1; at++)
		line -= *at == '\n';
	for (; at < end && *at != '\n' && here < column; at++)
		here = *at == '\t' ? (here - 1) / 8 * 8 + 9 : here + 1;
	return at;
}

uint32_t source_map_offset(const struct source_map *map, const char *file, size_t len,
			   unsigned line, unsigned column)
{
	for (size_t i = 0; i < map->entries.n; i++) {
		const struct source_entry *e = &map->entries.data[i];
		size_t name_len = e->name ? strlen(e->name) : 0;

		if (name_len && name_len <= len &&
		    !memcmp(file + len - name_len, e->name, name_len))
			return e->start +
			       (uint32_t)(go_to(e->text, e->text + e->len, line, column) - e->text);
	}
	return 0;
}

bool source_map_is_library(const struct source_map *map, uint32_t offset)
{
	const struct source_entry *e = source_map_resolve(map, &offset);

	return e && e->library;
}

const char *source_map_text(const struct source_map *map, struct span span, size_t *len)
{
	uint32_t start = span.start, room;
	const struct source_entry *e = source_map_resolve(map, &start);

	*len = 0;
	if (!e || span.end < span.start)
		return "";
	room = e->len - (start - e->start);
	*len = span.end - span.start < room ? span.end - span.start : room;
	return e->text + (start - e->start);
}
