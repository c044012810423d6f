/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a member defines is found by reading it, once per kernel: as much of C's lexical grammar as
 * tells the names of file-scope definitions. A unit test compares with what compilers put into the
 * objects.
 */
#include "module/units.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define PREFIX "stp_"

/* ---- the list ---- */

/* The next word of a line, cut off in place; "" at its end. */
static const char *word(char **line)
{
	char *p = *line + strspn(*line, " \t"), *end = p + strcspn(p, " \t\r");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return p;
}

/* "WHAT [CONFIG_NAME]": the option is cut off in place; NULL when there is none. */
static const char *cut_option(char *what)
{
	char *open = strstr(what, " [CONFIG_"), *end = what + strlen(what);

	if (!open || end[-1] != ']')
		return NULL;
	*open = end[-1] = '\0';
	return open + strlen(" [CONFIG_");
}

/* One line of the list; nothing for an empty one or a comment. */
static struct error *add_row(struct units *units, char *line, const char *path, unsigned number)
{
	struct unit unit = { 0 };
	const char *kind;
	char *stem;

	line[strcspn(line, "#\r")] = '\0';
	for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]); n--)
		line[n - 1] = '\0';
	kind = word(&line);
	if (!*kind)
		return NULL;
	unit.source = arena_strdup(units->arena, word(&line));
	line += strspn(line, " \t");
	if (!strcmp(kind, "member") && *line) {
		char *what = arena_strdup(units->arena, line);

		unit.config = cut_option(what);
		unit.what = what;
	} else if (strcmp(kind, "core") || *line)
		return error_create("%s:%u: expected \"core FILE\" or \"member FILE WHAT\"", path,
				    number);
	stem = arena_strdup(units->arena, unit.source);
	if (strrchr(stem, '.'))
		*strrchr(stem, '.') = '\0';
	for (char *p = stem; *p; p++)
		if (*p == '/')
			*p = '_';
	unit.stem = stem;
	vec_push(units->arena, &units->list, unit);
	return NULL;
}

struct error *units_read(const char *runtime_dir, struct arena *arena, struct units *ret)
{
	const char *path = path_join(arena, runtime_dir, "runtime.list");
	char *text, *line, *save;
	unsigned number = 0;
	size_t len;
	struct error *err = file_read(path, &text, &len);

	if (err)
		return error_hint(err, "the installation is incomplete, or -R or SYSTEMTAP_RUNTIME "
				       "names another directory");
	memset(ret, 0, sizeof(*ret));
	ret->arena = arena;
	for (save = text; !err && (line = strsep(&save, "\n"));)
		err = add_row(ret, line, path, ++number);
	free(text);
	if (!err && !ret->list.n)
		err = error_create("%s is empty", path);
	return err;
}

/* ---- names that a C text defines ---- */

static const char *skip_comment(const char *p)
{
	const char *end;

	if (p[1] == '/') {
		end = strchr(p, '\n');
		return end ? end : p + strlen(p);
	}
	end = strstr(p + 2, "*/");
	return end ? end + 2 : p + strlen(p);
}

static const char *skip_quoted(const char *p)
{
	char quote = *p++;

	for (; *p && *p != quote; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* A directive with its continued lines. */
static const char *skip_directive(const char *p)
{
	for (; *p && *p != '\n'; p++)
		if (*p == '\\' && p[1])
			p++;
	return p;
}

/* A declaration at file scope, as far as it was read. */
struct declaration {
	const char *name; /* what it declares, if that begins with the prefix */
	size_t len;
	unsigned words;  /* before its first bracket or '=' */
	bool tag;        /* the next word is the name of a struct, union or enum */
	bool hidden;     /* static, extern or typedef */
	bool parameters; /* '(' came */
	bool macro;      /* behind a single word: its arguments are names of definitions */
	bool value;      /* '=' came */
	bool body;       /* the '{' of a function came */
};

/* The scanner's state: the declaration being read, and how deep in brackets it is. */
struct scan {
	struct declaration d;
	unsigned depth; /* of brackets */
	void (*each)(void *arg, const char *name, size_t len);
	void *arg;
};

static bool is_word(const char *p, size_t n, const char *const *words)
{
	for (; *words; words++)
		if (n == strlen(*words) && !memcmp(p, *words, n))
			return true;
	return false;
}

/* A word or number. The last word before brackets, '=' or ';' is what the declaration names. */
static void see_word(struct scan *s, const char *p, size_t n)
{
	static const char *const hiding[] = { "static", "extern", "typedef", NULL };
	static const char *const tags[] = { "struct", "union", "enum", NULL };
	struct declaration *d = &s->d;
	bool ours = n > strlen(PREFIX) && !memcmp(p, PREFIX, strlen(PREFIX)) && !d->tag;

	d->tag = is_word(p, n, tags);
	if (s->depth) {
		if (ours && d->macro && s->depth == 1)
			s->each(s->arg, p, n);
		return;
	}
	d->hidden |= is_word(p, n, hiding);
	if (d->parameters || d->value)
		return;
	d->words++;
	d->name = ours ? p : NULL;
	d->len = n;
}

static void report(struct scan *s)
{
	if (s->d.name && !s->d.hidden)
		s->each(s->arg, s->d.name, s->d.len);
}

/* What is no part of a word, at file scope. */
static void see_mark(struct scan *s, char c)
{
	struct declaration *d = &s->d;

	if (c == '(' && !d->parameters) {
		d->parameters = true;
		d->macro = d->words == 1 && !d->name;
	} else if (c == '=' && !d->value) {
		d->value = true;
		report(s);
	} else if (c == '{' && d->parameters && !d->value) {
		d->body = true;
		report(s);
	} else if (c == ';') {
		if (!d->parameters && !d->value)
			report(s);
		*d = (struct declaration){ 0 };
	}
}

/* A byte that is neither word, comment, string nor directive; keeps count of the brackets. */
static void see_other(struct scan *s, char c)
{
	if (!s->depth)
		see_mark(s, c);
	if (strchr("({[", c))
		s->depth++;
	else if (strchr(")}]", c) && s->depth)
		s->depth--;
	if (!s->depth && ((c == '}' && s->d.body) || (c == ')' && s->d.macro)))
		s->d = (struct declaration){ 0 };
}

void units_scan(const char *p, void (*each)(void *arg, const char *name, size_t len), void *arg)
{
	struct scan s = { .each = each, .arg = arg };

	while (*p) {
		const char *start = p;

		if (*p == '/' && (p[1] == '*' || p[1] == '/')) {
			p = skip_comment(p);
		} else if (*p == '"' || *p == '\'') {
			p = skip_quoted(p);
		} else if (*p == '#') {
			p = skip_directive(p);
		} else if (isalnum((unsigned char)*p) || *p == '_') {
			while (isalnum((unsigned char)*p) || *p == '_')
				p++;
			see_word(&s, start, (size_t)(p - start));
		} else {
			see_other(&s, *p++);
		}
	}
}

/* ---- the index ---- */

/* One name: a slice of the text that defines it, which is kept. */
struct row {
	const char *name;
	size_t len, unit;
};

struct indexing {
	struct arena *arena;
	VEC(struct row) rows;
	size_t unit;
};

static void add_name(void *arg, const char *name, size_t len)
{
	struct indexing *x = arg;

	vec_push(x->arena, &x->rows,
		 ((struct row){ arena_strndup(x->arena, name, len), len, x->unit }));
}

/* By name, the end of which goes before any byte; then by place in the list. */
static int row_cmp(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->unit > y->unit) - (x->unit < y->unit);
}

/* Reads what a member defines; nothing for a unit of the core. */
static struct error *add_unit(struct indexing *x, const struct unit *unit, const char *runtime_dir)
{
	char *text;
	size_t len;
	struct error *err;

	if (!unit->what)
		return NULL;
	err = file_read(path_join(x->arena, runtime_dir, unit->source), &text, &len);
	if (err)
		return err;
	units_scan(text, add_name, x);
	free(text);
	return NULL;
}

struct error *units_index(const struct units *units, const char *runtime_dir, struct strbuf *ret)
{
	struct indexing x = { .arena = arena_create() };
	struct error *err = NULL;

	for (; !err && x.unit < units->list.n; x.unit++)
		err = add_unit(&x, &units->list.data[x.unit], runtime_dir);
	if (x.rows.n)
		qsort(x.rows.data, x.rows.n, sizeof(*x.rows.data), row_cmp);
	for (size_t i = 0; !err && i < x.rows.n; i++) {
		const struct row *row = &x.rows.data[i];

		if (i && !strcmp(row->name, row[-1].name))
			err = error_create("%s is defined by %s and by a member before it in "
					   "runtime.list",
					   row->name, units->list.data[row->unit].source);
		strbuf_addf(ret, "%s %zu\n", row->name, row->unit);
	}
	arena_destroy(x.arena);
	return err;
}

/* As strcmp(): NAME with what LINE has before its blank. */
static int compare_line(const char *name, const char *line, const char *end)
{
	while (*name && line < end && *name == *line) {
		name++;
		line++;
	}
	if (line == end || *line == ' ')
		return *name != '\0';
	return (unsigned char)*name - (unsigned char)*line;
}

const struct unit *units_find(const struct units *units, const char *index, size_t len,
			      const char *name)
{
	const char *low = index, *high = index + len; /* both at the beginning of a line */

	while (low < high) {
		const char *line = low + (high - low) / 2, *next;
		int c;

		while (line > low && line[-1] != '\n')
			line--;
		next = memchr(line, '\n', (size_t)(high - line));
		c = compare_line(name, line, high);
		if (!c && next) {
			size_t number = strtoul(line + strlen(name), NULL, 10);

			return number < units->list.n ? &units->list.data[number] : NULL;
		}
		if (c < 0)
			high = line;
		else
			low = next ? next + 1 : high;
	}
	return NULL;
}

/* ---- compiling ---- */

void units_command(struct argv *argv, const char *const *kernel_flags, const char *runtime_dir,
		   const char *dir)
{
	argv_add_all(argv, kernel_flags);
	argv_addf(argv, "-I%s", runtime_dir);
	argv_add_all(argv, (const char *const[]){ "-Winvalid-pch", "-include",
						  path_join(argv->arena, dir, "kernel.h"), NULL });
	argv_addf(argv, "-I%s/uapi", runtime_dir);
	argv_addf(argv, "-I%s", dir);
}
