/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builders of declarations: globals, functions, probe points, probes and aliases. All add to
 * b->file; checks report and go on.
 */
#include "ast/declare.h"

#include <string.h>

/*
 * One name of a `global` or `private` line; ast_global_add() says later which of the two it was. Of
 * several faults each is reported, at the name, and the declaration stands as it was written.
 */
struct ast_global *ast_global(struct ast_builder *b, struct span span, const struct istr *name,
			      bool wrap, bool has_size, int64_t size, struct ast_expr *init)
{
	struct ast_global *g = arena_new(b->arena, struct ast_global);

	g->name = name;
	g->span = span;
	g->wrap = wrap;
	g->has_size = has_size;
	g->size = size;
	g->init = init;
	if (has_size && !size)
		diag_report(b->sink, DIAG_PARSE_GLOBAL_SIZE, span)->about_token = true;
	/* as MAXMAPENTRIES; numbers from 2^63 on are negative */
	if (has_size && (size < 0 || size > INT32_MAX))
		diag_report(b->sink, DIAG_PARSE_GLOBAL_SIZE_MAX, span, INT32_MAX)->about_token =
			true;
	if (has_size && init)
		diag_report(b->sink, DIAG_PARSE_GLOBAL_INIT, span)->about_token = true;
	return g;
}

/*
 * A second one of the name is reported and left out: the first stays what the rest of the file
 * means.
 */
void ast_global_add(struct ast_builder *b, bool is_private, struct ast_global *global)
{
	global->is_private = is_private;
	vec_foreach(old, &b->file->globals) {
		enum diag_tag tag = (*old)->is_private == is_private ? DIAG_PARSE_GLOBAL_TWICE
								     : DIAG_PARSE_GLOBAL_PRIVATE;

		if ((*old)->name == global->name) {
			diag_report(b->sink, tag, global->span)->about_token = true;
			return;
		}
	}
	vec_push(b->arena, &b->file->globals, global);
}

/*
 * A name given twice is reported and still added, so that calls are not blamed for their number of
 * arguments too.
 */
void ast_params_add(struct ast_builder *b, struct ast_params *list, struct span span,
		    const struct istr *name, enum ast_type type)
{
	struct ast_param param = { .name = name, .span = span, .type = type };

	for (size_t i = 0; i < list->n; i++) {
		if (list->data[i].name == name)
			diag_report(b->sink, DIAG_PARSE_DUPLICATE_PARAM, span)->about_token = true;
	}
	vec_push(b->arena, list, param);
}

/* Functions of one name are overloads, told apart by sema: none is a duplicate here. */
void ast_function_add(struct ast_builder *b, bool is_private, struct span span,
		      const struct istr *name, enum ast_type type, struct ast_params params,
		      struct ast_priority priority, struct ast_stmt *body)
{
	struct ast_function *f = arena_new(b->arena, struct ast_function);

	f->name = name;
	f->span = span;
	f->is_private = is_private;
	f->has_priority = priority.given;
	f->priority = priority.value;
	f->type = type;
	f->params.data = params.data;
	f->params.n = params.n;
	f->params.cap = params.cap;
	f->body = body;
	if (priority.given && priority.value <= 0)
		diag_report(b->sink, DIAG_PARSE_FUNCTION_PRIORITY, priority.span)->about_token =
			true;
	vec_push(b->arena, &b->file->functions, f);
}

/* A set of one point of one component: what ast_points_join() makes longer points of. */
struct ast_points ast_point_component(struct ast_builder *b, struct span span,
				      const struct istr *name, struct ast_expr *param)
{
	struct ast_component part = { .name = name, .span = span, .param = param };
	struct ast_point *point = arena_new(b->arena, struct ast_point);
	struct ast_points set = { 0 };

	point->span = span;
	vec_push(b->arena, &point->parts, part);
	vec_push(b->arena, &set, point);
	return set;
}

/* A new point; components are copied, their parameters shared. */
static struct ast_point *point_concat(struct ast_builder *b, const struct ast_point *prefix,
				      const struct ast_point *suffix)
{
	struct ast_point *point = arena_new(b->arena, struct ast_point);

	point->span = prefix->span;
	vec_foreach(part, &prefix->parts)
		vec_push(b->arena, &point->parts, *part);
	vec_foreach(part, &suffix->parts)
		vec_push(b->arena, &point->parts, *part);
	point->optional = prefix->optional || suffix->optional;
	point->sufficient = prefix->sufficient || suffix->sufficient;
	return point;
}

/*
 * The parts of PREFIX are not copied in the case that matters, one point and one component more.
 */
struct ast_points ast_points_join(struct ast_builder *b, struct span span, struct ast_points prefix,
				  struct ast_points suffix)
{
	struct ast_points set = { 0 };

	vec_foreach(point, &prefix)
		if ((*point)->optional || (*point)->sufficient) {
			diag_report(b->sink, DIAG_PARSE_MARK, (*point)->span)->about_token = true;
			break;
		}
	/* the usual case keeps a long dotted name linear */
	if (prefix.n == 1 && suffix.n == 1) {
		vec_foreach(part, &suffix.data[0]->parts)
			vec_push(b->arena, &prefix.data[0]->parts, *part);
		ast_points_mark(prefix, suffix.data[0]->optional, suffix.data[0]->sufficient, NULL);
		return prefix;
	}
	if (prefix.n * suffix.n > AST_POINTS_MAX) {
		if (!b->too_many_points)
			diag_report(b->sink, DIAG_PARSE_TOO_MANY_POINTS, span, AST_POINTS_MAX);
		b->too_many_points = true;
		return prefix;
	}
	for (size_t i = 0; i < prefix.n; i++) {
		for (size_t j = 0; j < suffix.n; j++)
			vec_push(b->arena, &set, point_concat(b, prefix.data[i], suffix.data[j]));
	}
	return set;
}

void ast_points_append(struct ast_builder *b, struct ast_points *list, struct ast_points more)
{
	for (size_t i = 0; i < more.n; i++)
		vec_push(b->arena, list, more.data[i]);
}

/*
 * Marks add to those that an inner pair of braces has set; the condition is that of the whole
 * point.
 */
void ast_points_mark(struct ast_points points, bool optional, bool sufficient,
		     struct ast_expr *condition)
{
	for (size_t i = 0; i < points.n; i++) {
		points.data[i]->optional |= optional;
		points.data[i]->sufficient |= sufficient;
		points.data[i]->condition = condition;
	}
}

void ast_probe_add(struct ast_builder *b, struct span span, struct ast_points points,
		   struct ast_stmt *body)
{
	struct ast_probe *probe = arena_new(b->arena, struct ast_probe);

	probe->span = span;
	probe->points.data = points.data;
	probe->points.n = points.n;
	probe->points.cap = points.cap;
	probe->body = body;
	vec_push(b->arena, &b->file->probes, probe);
}

/* Reports one reason why a name cannot be an alias', none when it can. */
static void check_alias_name(struct ast_builder *b, const struct ast_point *name)
{
	const char *what = NULL;

	if (name->optional)
		what = "the mark '?'";
	else if (name->sufficient)
		what = "the mark '!'";
	else if (name->condition)
		what = "a condition";
	vec_foreach(part, &name->parts) {
		if (memchr(part->name->text, '*', part->name->len))
			what = "a wildcard";
		else if (part->param)
			what = "a parameter";
	}
	if (what)
		diag_report(b->sink, DIAG_PARSE_ALIAS_NAME, name->span, what)->about_token = true;
}

/* An alias for each name. They share points and bodies: sema clones what it changes. */
void ast_alias_add(struct ast_builder *b, struct span span, struct ast_points names,
		   struct ast_points points, struct ast_stmt *prologue, struct ast_stmt *epilogue)
{
	for (size_t i = 0; i < names.n; i++) {
		struct ast_alias *alias = arena_new(b->arena, struct ast_alias);

		check_alias_name(b, names.data[i]);
		alias->span = span;
		alias->name = names.data[i];
		alias->points.data = points.data;
		alias->points.n = points.n;
		alias->points.cap = points.cap;
		alias->prologue = prologue;
		alias->epilogue = epilogue;
		vec_push(b->arena, &b->file->aliases, alias);
	}
}

/* Embedded C outside of functions: needs what embedded functions need. */
void ast_embedded_add(struct ast_builder *b, struct span span, const struct istr *text)
{
	struct ast_embedded *code = arena_new(b->arena, struct ast_embedded);

	if (!b->privileged)
		diag_report(b->sink, DIAG_PARSE_EMBEDDED_PRIVILEGE, span)->about_token = true;
	code->span = span;
	code->text = text;
	vec_push(b->arena, &b->file->embedded, code);
}
