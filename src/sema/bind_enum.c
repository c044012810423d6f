/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * @enum("NAME") and @enumname(VALUE, "enum e"): enumerators by name and by value. Enumerations
 * come from the debug information of the probe's scope, and become tables of the program.
 */
#include <stdlib.h>

#include "sema/bind.h"
#include "target/types.h"

struct ir_expr *bind_enum(struct bind *b, const struct ast_expr *ast)
{
	const struct target_scope *scope = context_scope(b->s, b->cx);
	int64_t value;

	context_object(b->s, b->cx);
	if (scope && target_enumerator(scope, ast->text.text->text, &value))
		return bind_number(b, value, ast);
	sema_token(b->s,
		   diag_report(b->s->sink, DIAG_NO_ENUMERATOR, ast->span, ast->text.text->text),
		   sema_expr_token(b->s, ast));
	return bind_poison(b, ast);
}

/* There is no table, and D says why; HINT may be NULL. */
static struct ir_expr *bad_type(struct bind *b, const struct ast_expr *ast, struct diagnostic *d,
				const char *hint)
{
	sema_token(b->s, d, sema_expr_token(b->s, ast));
	if (hint)
		diag_set_hint(b->s->sink, d, "%s", hint);
	return bind_poison(b, ast);
}

/* The type that is named. */
static void find_type(struct bind *b, const struct ast_expr *ast, const struct target_scope *scope,
		      struct target_type_result *ret)
{
	const char *name = ast->enumname.type->text;
	const char *module = ast->enumname.module ? ast->enumname.module->text : NULL;
	struct error *err = target_find_type(scope, name, module, ret);

	if (!module)
		context_object(b->s, b->cx);
	if (!err)
		return;
	ret->tag = DIAG_UNREADABLE;
	ret->message = diag_text(b->s->arena, ret->tag, name, err->text);
	error_destroy(err);
}

/* The type of a context expression, also of one that was saved at entry. */
static const struct target_type *type_of(struct bind *b, const struct ir_expr *value)
{
	if (value->kind == IR_SAVED)
		value = value->saved.probe->saved.data[value->saved.index];
	if (value->kind != IR_FETCH || !value->fetch.type)
		return NULL;
	context_by_type(b->cx);
	return value->fetch.type;
}

/* For qsort: the runtime looks names up by bisection. */
static int by_value(const void *a, const void *b)
{
	const struct target_enumerator *const *x = a, *const *y = b;

	if ((*x)->value != (*y)->value)
		return (*x)->value < (*y)->value ? -1 : 1;
	return *x < *y ? -1 : *x > *y; /* the first of synonyms stays first */
}

/* Fills the table T: names of whole values are sorted, one for each value. */
static void fill_table(struct arena *arena, struct ir_enumeration *t,
		       const struct target_enumerator *list, size_t n)
{
	const struct target_enumerator **sorted =
		arena_new_array(arena, const struct target_enumerator *, n + 1);

	for (size_t i = 0; i < n; i++)
		sorted[i] = &list[i];
	if (n && !t->delimiter)
		qsort(sorted, n, sizeof(*sorted), by_value);
	t->values = arena_alloc(arena, (n + 1) * sizeof(*t->values));
	for (size_t i = 0; i < n; i++) {
		if (!t->delimiter && t->n && t->values[t->n - 1].value == sorted[i]->value)
			continue;
		t->values[t->n].value = sorted[i]->value;
		t->values[t->n++].name = sorted[i]->name;
	}
}

/* Do both name values alike? Types are told apart, names of a format by what they are. */
static bool is_same(const struct sema_names *a, const struct sema_names *b)
{
	return a->type == b->type && target_names_same(a->names, b->names);
}

/* Number of the table in program.enumerations that is made of OF; T, with LIST, when it is new. */
static uint32_t table_of(struct bind *b, struct sema_names of, const struct ir_enumeration *t,
			 const struct target_enumerator *list, size_t n)
{
	struct arena *arena = b->s->arena;
	struct ir_program *program = b->s->program;

	for (size_t i = 0; i < b->s->named.n; i++)
		if (is_same(&b->s->named.data[i], &of))
			return (uint32_t)i;
	vec_push(arena, &b->s->named, of);
	vec_push(arena, &program->enumerations, *t);
	fill_table(arena, &program->enumerations.data[program->enumerations.n - 1], list, n);
	return (uint32_t)program->enumerations.n - 1;
}

static uint32_t table_of_type(struct bind *b, const struct target_type *type)
{
	const struct ir_enumeration t = { .name = target_type_name(type) };
	const struct target_enumerator *list;
	size_t n = target_type_enumerators(type, &list);

	return table_of(b, (struct sema_names){ .type = type }, &t, list, n);
}

struct ir_expr *bind_names_of(struct bind *b, const struct target_names *names,
			      struct ir_expr *value, const struct ast_expr *ast)
{
	const struct ir_enumeration t = { .name = names->name,
					  .delimiter = names->delimiter,
					  .none = names->none ? names->none : "0" };
	struct ir_expr *e = bind_new(b, IR_ENUMNAME, IR_STRING, ast);

	e->enumname.value = value;
	e->enumname.table =
		table_of(b, (struct sema_names){ .names = names }, &t, names->list, names->n);
	return e;
}

/* The type is named, or that of the value when it is a target variable. */
struct ir_expr *bind_enumname(struct bind *b, const struct ast_expr *ast)
{
	const struct target_scope *scope = context_scope(b->s, b->cx);
	struct ir_expr *e = bind_new(b, IR_ENUMNAME, IR_STRING, ast);
	struct diag_sink *sink = b->s->sink;
	struct target_type_result found = { 0 };

	e->enumname.value = bind_expr(b, ast->enumname.value);
	if (e->enumname.value->kind == IR_NUMBER && e->enumname.value->type == IR_UNKNOWN)
		return e->enumname.value; /* said already */
	if (!scope)
		return bad_type(b, ast,
				diag_report(sink, DIAG_NEEDS_KERNEL, ast->span,
					    context_no_target_reason(b->s)),
				NULL);
	if (ast->enumname.type)
		find_type(b, ast, scope, &found);
	else
		found.type = type_of(b, e->enumname.value);
	if (!found.type && !ast->enumname.type)
		return bad_type(b, ast, diag_report(sink, DIAG_ENUM_UNNAMED, ast->span), NULL);
	if (!found.type)
		return bad_type(b, ast, diag_report_text(sink, found.tag, ast->span, found.message),
				found.hint);
	if (target_type_kind(found.type) != TARGET_TYPE_ENUM)
		return bad_type(
			b, ast,
			diag_report(sink, DIAG_NOT_ENUM, ast->span, target_type_name(found.type)),
			NULL);
	e->enumname.table = table_of_type(b, found.type);
	return e;
}
