/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Listings. Lines are sorted and each is printed once, so a list is the same whatever order its
 * sources are read in; probe points come from sema in their own order.
 */
#include "driver/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/tree.h"
#include "base/file.h"
#include "driver/kept_list.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "ir/builtins.h"
#include "ir/names.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lines to be sorted; the texts are the arena's. */
struct lines {
	const char **data;
	size_t n, cap;
};

/* The exit status: 0, or 1 when standard output cannot be written. */
static int print_sorted(struct lines *l)
{
	if (l->n)
		qsort(l->data, l->n, sizeof(*l->data), by_text);
	for (size_t i = 0; i < l->n; i++)
		if (i == 0 || strcmp(l->data[i], l->data[i - 1]))
			puts(l->data[i]);
	return session_flush_output() ? 0 : 1;
}

/* The patterns of all probe families that are built; no script or tapset is read. */
static int dump_probe_types(struct session *s)
{
	struct lines l = { 0 };

	for (const struct probe_family *const *f = probe_catalog.families; *f; f++) {
		if ((*f)->refuses)
			continue;
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++)
			vec_push(s->arena, &l, p->text);
	}
	return print_sorted(&l);
}

/* Copies the buffer into the arena and empties it. */
static const char *point_list_text(struct session *s, struct strbuf *b)
{
	const char *text = arena_strndup(s->arena, strbuf_cstr(b), b->len);

	strbuf_reset(b);
	return text;
}

/* With their probe points, from the library and the user's scripts. */
static int dump_aliases(struct session *s, const struct ast_files *files)
{
	struct lines l = { 0 };
	struct strbuf b;

	strbuf_init(&b);
	vec_foreach(file, files)
		vec_foreach(alias, &(*file)->aliases) {
			ast_print_point((*alias)->name, &b);
			if (*strbuf_cstr(&b) == '_' && !s->options.verbose[0]) {
				strbuf_reset(&b);
				continue;
			}
			for (size_t i = 0; i < (*alias)->points.n; i++) {
				strbuf_adds(&b, i ? ", " : " = ");
				ast_print_point((*alias)->points.data[i], &b);
			}
			vec_push(s->arena, &l, point_list_text(s, &b));
		}
	strbuf_deinit(&b);
	return print_sorted(&l);
}

static const char *type_name(enum ast_type type)
{
	return type == AST_TYPE_LONG ? "long" : type == AST_TYPE_STRING ? "string" : "unknown";
}

/* Names that begin with '_' are internal; -v shows them. */
static bool is_listed(const struct session *s, const char *name)
{
	return *name != '_' || s->options.verbose[0];
}

/* Functions that are part of the language's runtime rather than of a tapset file. */
static void add_builtins(struct session *s, struct lines *l, struct strbuf *b)
{
	struct ir_builtin_param params[IR_BUILTIN_MAX_PARAMS];

	for (const struct ir_builtin *row = ir_builtins; row->name || row->subject; row++) {
		if (!row->name || !is_listed(s, row->name))
			continue;
		strbuf_addf(b, "%s:%s (", row->name, ir_type_name(row->result));
		for (size_t i = 0, n = ir_builtin_params(row, params); i < n; i++)
			strbuf_addf(b, "%s%.*s:%s", i ? ", " : "", (int)params[i].name_len,
				    params[i].name, ir_type_name(params[i].type));
		strbuf_addc(b, ')');
		vec_push(s->arena, l, point_list_text(s, b));
	}
}

static int dump_functions(struct session *s, const struct ast_files *files)
{
	struct lines l = { 0 };
	struct strbuf b;

	strbuf_init(&b);
	add_builtins(s, &l, &b);
	vec_foreach(file, files)
		vec_foreach(it, &(*file)->functions) {
			const struct ast_function *f = *it;

			if (!is_listed(s, f->name->text))
				continue;
			strbuf_addf(&b, "%s:%s (", f->name->text, type_name(f->type));
			for (size_t i = 0; i < f->params.n; i++)
				strbuf_addf(&b, "%s%s:%s", i ? ", " : "",
					    f->params.data[i].name->text,
					    type_name(f->params.data[i].type));
			strbuf_addc(&b, ')');
			vec_push(s->arena, &l, point_list_text(s, &b));
		}
	strbuf_deinit(&b);
	return print_sorted(&l);
}

/*
 * Why nothing is listed is told with -vv, except where the list would be longer
 * on another machine or in another version.
 */
static bool worth_telling(struct session *s)
{
	if (s->options.verbose[0] >= 2)
		return true;
	for (size_t i = s->rendered; i < diag_count(s->sink); i++) {
		enum diag_tag tag = diag_get(s->sink, i)->tag;

		if (tag == DIAG_PROBE_UNRESOLVED || tag == DIAG_PROBE_NO_KERNEL ||
		    tag == DIAG_PROBE_OWN_MARK || tag == DIAG_PROBE_NOT_BUILT)
			return true;
	}
	return false;
}

/* The lines of all points of FILE's probes, in the order of the probes. False: of none. */
static bool list_probes(const struct sema_input *input, const struct ast_file *file, bool variables)
{
	struct sema_listing listing = { 0 };
	bool any = false;

	vec_foreach(probe, &file->probes) {
		vec_foreach(point, &(*probe)->points) {
			if (!sema_list(input, *point, variables, &listing))
				continue;
			for (size_t i = 0; i < listing.n; i++)
				puts(listing.lines[i]);
			any |= listing.n > 0;
		}
	}
	return any;
}

/*
 * -l and -L. Diagnostics of points that match nothing are mostly not shown: see worth_telling().
 */
static int list_points(struct session *s)
{
	static char buffer[128 * 1024]; /* lists have megabytes */
	struct ast_file *file = parse_probe_text(s->parser, "<input>", s->options.list_point,
						 strlen(s->options.list_point));
	struct sema_input input;

	if (!session_show_diagnostics(s) || !file)
		return 1;
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	vec_push(s->arena, &s->files, file);
	if (!pass_elaborate_input(s, &input))
		return 1;
	input.kept = kept_lists(s);
	if (!list_probes(&input, file, s->options.list == LIST_VARIABLES)) {
		if (worth_telling(s))
			session_show_diagnostics(s);
		return 1;
	}
	return session_flush_output() ? 0 : 1;
}

int list_run(struct session *s)
{
	struct ast_files files = { 0 };

	if (s->options.list == LIST_PROBE_TYPES)
		return dump_probe_types(s);
	if (!pass_parse(s))
		return 1;
	if (s->options.list == LIST_NAMES || s->options.list == LIST_VARIABLES)
		return list_points(s);
	library_all_files(s->library, &files);
	vec_foreach(file, &s->files)
		vec_push(s->arena, &files, *file);
	return s->options.list == LIST_FUNCTIONS ? dump_functions(s, &files)
						 : dump_aliases(s, &files);
}
