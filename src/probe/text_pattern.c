/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taking FUNC@FILE:LINES apart. The line part begins at the last colon or plus of the file part
 * that has no slash behind it, so that files may have either in their name's directories.
 */
#include "probe/text_pattern.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "probe/point.h"
#include "target/functions.h"

/* The number at *P, which moves behind it; false: there is none, or no line has it. */
static bool read_number(const char **p, unsigned *ret)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)**p))
		return false;
	n = strtoul(*p, &end, 10);
	if (n > INT_MAX)
		return false;
	*p = end;
	*ret = (unsigned)n;
	return true;
}

/* A or A-B. */
static bool read_range(const char **p, struct target_line_range *ret)
{
	if (!read_number(p, &ret->first))
		return false;
	ret->last = ret->first;
	if (**p != '-')
		return true;
	++*p;
	return read_number(p, &ret->last) && ret->last >= ret->first;
}

/* RANGE[,RANGE...] */
static bool read_ranges(struct arena *arena, const char *text, struct target_lines *ret)
{
	VEC(struct target_line_range) ranges = { 0 };
	struct target_line_range one;

	do {
		if (!read_range(&text, &one))
			return false;
		vec_push(arena, &ranges, one);
	} while (*text++ == ',');
	ret->kind = TARGET_LINES_ABSOLUTE;
	ret->ranges = ranges.data;
	ret->n = ranges.n;
	return text[-1] == '\0';
}

/* TEXT begins with the colon or plus. */
static bool read_lines(struct arena *arena, const char *text, struct target_lines *ret)
{
	if (!strcmp(text, ":*")) {
		ret->kind = TARGET_LINES_ALL;
		return true;
	}
	if (!read_ranges(arena, text + 1, ret))
		return false;
	if (*text == '+')
		ret->kind = TARGET_LINES_RELATIVE;
	return *text == ':' || (ret->n == 1 && ret->ranges[0].first == ret->ranges[0].last);
}

/* Where the line part of FILE begins; NULL: it has none. A plus without a digit is the file's. */
static char *find_lines(char *file)
{
	char *colon = strrchr(file, ':'), *plus = strrchr(file, '+');
	char *at = colon ? colon : plus && isdigit((unsigned char)plus[1]) ? plus : NULL;

	return at && !strchr(at, '/') ? at : NULL;
}

bool text_pattern_parse(struct probe_env *env, const struct ast_component *c,
			struct target_function_query *ret)
{
	char *text = arena_strdup(env->arena, component_string(c));
	char *file = strchr(text, '@'), *lines;
	struct diagnostic *d;

	if (!*text || file == text) {
		diag_report(env->sink, DIAG_PROBE_MALFORMED, c->param->span, text);
		return false;
	}
	ret->name = text;
	if (!file)
		return true;
	*file++ = '\0';
	ret->file = file;
	lines = find_lines(file);
	if (!lines)
		return true;
	if (!read_lines(env->arena, lines, &ret->lines)) {
		d = diag_report(env->sink, DIAG_PROBE_LINES, c->param->span, lines);
		diag_set_hint(env->sink, d,
			      "lines are written :N, :FIRST-LAST, :N,FIRST-LAST, :* or +N");
		return false;
	}
	*lines = '\0';
	if (!strcmp(c->name->text, "function") && ret->lines.kind != TARGET_LINES_ALL)
		diag_report(env->sink, DIAG_PROBE_FUNCTION_LINE, c->param->span);
	return true;
}
