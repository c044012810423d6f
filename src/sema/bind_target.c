/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables: $x->f[i], @var, @cast and autocast become fetch programs; in return probes,
 * values saved at entry. The question goes to target/ through context.h as a query: a base and
 * a path. Subscripts that are no literals become operands of the program, bound here and
 * evaluated in the handler.
 */
#include <string.h>

#include "sema/bind.h"
#include "target/types.h"

/* ---- queries ---- */

/* Steps of the path; a subscript that is no literal becomes the next operand. */
static void make_path(struct bind *b, const struct ast_expr *ast, struct target_query *q,
		      struct ir_exprs *operands)
{
	struct target_access *path =
		arena_new_array(b->s->arena, struct target_access, ast->target.path.n + 1);

	for (size_t i = 0; i < ast->target.path.n; i++) {
		const struct ast_access *a = &ast->target.path.data[i];

		path[i].operand = -1;
		if (a->kind == AST_MEMBER) {
			path[i].member = a->member->text;
			continue;
		}
		if (a->index->kind == AST_EXPR_NUMBER) {
			path[i].literal = a->index->number.value;
			continue;
		}
		path[i].operand = (int)operands->n;
		vec_push(b->s->arena, operands, bind_expr(b, a->index));
	}
	q->path = path;
	q->n_path = ast->target.path.n;
}

/* "name@file" of @var */
static void split_atvar(struct bind *b, const struct istr *name, struct target_query *q)
{
	char *text = arena_strdup(b->s->arena, name->text), *at = strchr(text, '@');

	if (at)
		*at++ = '\0';
	q->name = text;
	q->file = at;
}

/* How messages name it: by what the script has in front of the path. */
const char *bind_variable_token(struct bind *b, const struct ast_expr *ast)
{
	if (ast->target.base == AST_TARGET_VAR)
		return arena_printf(b->s->arena, "identifier '$%s'", ast->target.name->text);
	if (ast->target.base == AST_TARGET_ATVAR)
		return "operator '@var'";
	if (ast->target.base == AST_TARGET_ERRNO)
		return "operator '@errno'";
	return ast->target.base == AST_TARGET_CAST ? "operator '@cast'" : "operator '->'";
}

/*
 * A variable of an inner block, which is not known at the point but elsewhere in its function. Not
 * sought for each of many points that the variable may be missing at.
 */
static const char *known_at(struct bind *b, const struct ast_expr *ast,
			    const struct target_value *v)
{
	if (v->tag != DIAG_NO_LOCAL || ast->target.base != AST_TARGET_VAR || b->quiet ||
	    b->s->input->options.skip_badvars || !b->cx || !b->cx->point->entry_scope)
		return NULL;
	return target_readable_at(b->cx->point->entry_scope, ast->target.name->text);
}

/*
 * Says at which point of a wildcard the variable was missing. With --skip-badvars it is a
 * warning.
 */
static struct diagnostic *report(struct bind *b, const struct ast_expr *ast,
				 const struct target_value *v)
{
	struct sema *s = b->s;
	const struct probe_point *point = b->cx ? b->cx->point : NULL;
	const struct diagnostic *before = NULL;
	struct diagnostic *one, *outer = NULL;
	const char *readable, *elsewhere = known_at(b, ast, v);

	if (point && !ir_kind_is(point->kind, IR_KIND_MANY))
		point = NULL; /* its name is what the script has */
	if (point) {
		outer = arena_new(s->arena, struct diagnostic);
		outer->tag = DIAG_WHILE_PROCESSING;
		outer->severity = DIAG_SEMANTIC_ERROR;
		outer->text = arena_printf(s->arena, "while processing probe %s%s%s", point->row.pp,
					   b->cx->probe->chain ? " from: " : "",
					   b->cx->probe->chain ? b->cx->probe->chain + 3 : "");
		before = diag_set_outer(s->sink, outer);
	}
	if (s->input->options.skip_badvars)
		one = diag_report(s->sink, DIAG_BAD_VARIABLE, ast->span, v->message);
	else
		one = diag_report_text(s->sink, v->tag, ast->span, v->message);
	sema_token(s, one, bind_variable_token(b, ast));
	readable = !v->hint && v->lost && b->cx && b->cx->point->entry_scope
			   ? target_readable_at(b->cx->point->entry_scope, v->lost)
			   : NULL;
	if (elsewhere)
		diag_set_hint(s->sink, one,
			      "it is not in scope here; it can be read at statement(\"%s\")",
			      elsewhere);
	else if (v->hint)
		diag_set_hint(s->sink, one, "%s", v->hint);
	else if (readable)
		diag_set_hint(s->sink, one, "it can be read at statement(\"%s\")", readable);
	else if (point && v->lost)
		diag_set_hint(s->sink, one,
			      "others may have it: if (@defined($%s)) ..., or --skip-badvars",
			      v->lost);
	if (point)
		diag_set_outer(s->sink, before);
	return one;
}

/* In a trial it counts as a mistake in any case, so that @defined gives 0. */
struct ir_expr *bind_unresolved(struct bind *b, const struct ast_expr *ast,
				const struct target_value *v)
{
	struct diagnostic *d;
	struct ir_expr *text;

	if (!b->quiet || !b->s->input->options.skip_badvars) {
		d = report(b, ast, v);
	} else {
		/* @defined wants to know even when the mistake would be forgiven */
		d = diag_report_text(b->s->sink, v->tag, ast->span, v->message);
	}
	if (!b->s->input->options.skip_badvars)
		return bind_mistake(b, ast, d);
	if (!ast->target.pretty)
		return bind_number(b, 0, ast);
	text = bind_new(b, IR_STRING_LITERAL, IR_STRING, ast);
	text->string = intern(b->s->in, "0");
	return text;
}

const char bind_no_variables_hint[] =
	"nothing is probed here that has variables: one of the script is written without $";

struct ir_expr *bind_failed(struct bind *b, const struct ast_expr *ast, enum diag_tag tag, ...)
{
	struct target_value v = { .status = TARGET_NO_VARIABLE, .tag = tag };
	va_list ap;

	if (tag == DIAG_NO_VARIABLES)
		v.hint = bind_no_variables_hint;
	va_start(ap, tag);
	v.message = diag_vtext(b->s->arena, tag, ap);
	va_end(ap);
	return bind_unresolved(b, ast, &v);
}

/* ---- values saved at entry ---- */

/* Equal programs without operands share one value of the event. */
struct ir_expr *bind_saved(struct bind *b, struct ir_expr *value, const struct ast_expr *ast)
{
	struct ir_exprs *saved = &b->cx->probe->saved;
	struct ir_expr *e = bind_new(b, IR_SAVED, IR_UNKNOWN, ast);
	uint32_t index = (uint32_t)saved->n;

	for (size_t i = 0; i < saved->n; i++) {
		const struct ir_expr *old = saved->data[i];

		if (old->kind == IR_FETCH && value->kind == IR_FETCH && !old->fetch.operands.n &&
		    !value->fetch.operands.n && old->fetch.varying == value->fetch.varying &&
		    fetch_equal(&old->fetch.load, &value->fetch.load))
			index = (uint32_t)i;
	}
	if (index == saved->n)
		vec_push(b->s->arena, saved, value);
	e->ttype = value->ttype;
	e->saved.probe = b->cx->probe;
	e->saved.index = index;
	return e;
}

/* What is evaluated at entry sees the variables of the entry scope only. */
struct ir_expr *bind_entry(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *value;
	struct diagnostic *d = NULL;

	if (!b->cx || !b->cx->is_return)
		d = diag_report(b->s->sink, DIAG_ENTRY_OUTSIDE, ast->span);
	else if (b->in_entry)
		d = diag_report(b->s->sink, DIAG_ENTRY_NESTED, ast->span);
	if (d)
		return bind_mistake(b, ast, sema_token(b->s, d, "operator '@entry'"));
	b->in_entry = true;
	value = bind_expr(b, ast->defined.operand);
	b->in_entry = false;
	return bind_saved(b, value, ast);
}

/* $x in a return probe is the value from entry, which users may not expect. */
static void warn_confusing(struct bind *b, const struct ast_expr *ast)
{
	if (b->quiet || b->file->library)
		return;
	sema_token(
		b->s,
		diag_report(b->s->sink, DIAG_CONFUSING_RETURN, ast->span, ast->target.name->text),
		bind_variable_token(b, ast));
}

/* ---- values ---- */

/* The IR_FETCH of an answer. VARYING as from context_resolve(). */
struct ir_expr *bind_fetch(struct bind *b, const struct ast_expr *ast, const struct target_value *v,
			   const struct ir_exprs *operands, struct ir_varying *varying)
{
	struct ir_expr *e = bind_new(b, IR_FETCH, IR_LONG, ast);

	e->token = bind_variable_token(b, ast);
	e->fetch.load = v->load;
	e->fetch.address = v->address;
	e->fetch.operands = *operands;
	e->fetch.size = v->size;
	e->fetch.field = v->field;
	e->fetch.is_signed = v->is_signed;
	e->fetch.type = v->type;
	e->fetch.varying = varying;
	e->ttype = context_pointer(v->type);
	if (v->full_regs && b->cx)
		b->cx->probe->full_regs = true;
	return e;
}

/* The answer as a node; why there is none was reported. */
static struct ir_expr *resolve(struct bind *b, const struct ast_expr *ast,
			       const struct target_query *q, bool entry,
			       const struct ir_exprs *operands)
{
	struct ir_varying *varying;
	struct target_value v = context_resolve(b->s, b->cx, q, entry, &varying);

	return v.status == TARGET_OK ? bind_fetch(b, ast, &v, operands, varying)
				     : bind_unresolved(b, ast, &v);
}

/* What is an aggregate, or has no place of its own, cannot be stored to. */
void bind_check_write(struct sema *s, const struct ast_expr *ast, const struct ir_expr *e)
{
	if (e->kind != IR_FETCH)
		return;
	if (e->fetch.varying)
		e->fetch.varying->fixed = true; /* the handler stores in the one way it knows */
	if (e->fetch.type && target_type_kind(e->fetch.type) == TARGET_TYPE_ARRAY)
		sema_token(s, diag_report(s->sink, DIAG_WRITE_ARRAY, ast->span), e->token);
	else if (!e->fetch.address.n && fetch_register(&e->fetch.load) < 0)
		sema_token(s, diag_report(s->sink, DIAG_WRITE_NO_ADDRESS, ast->span), e->token);
}

static struct ir_expr *check_write(struct bind *b, const struct ast_expr *ast, struct ir_expr *e)
{
	bind_check_write(b->s, ast, e);
	return e;
}

/*
 * A store to a register that nothing reads any more: whoever wrote it expects something of it.
 * SCOPE: the point's.
 */
static void warn_lost(struct bind *b, const struct ast_expr *ast, const struct ir_expr *e,
		      const struct target_scope *scope)
{
	int reg = e->kind == IR_FETCH && !e->fetch.address.n ? fetch_register(&e->fetch.load) : -1;
	struct diagnostic *d;
	const char *name;
	uint64_t addr;

	if (b->quiet || reg < 0 || !scope)
		return;
	name = target_store_is_lost(scope, (unsigned)reg, &addr);
	if (!name)
		return;
	d = diag_report(b->s->sink, DIAG_WRITE_NO_EFFECT, ast->span, (unsigned long long)addr);
	sema_token(b->s, d, bind_variable_token(b, ast));
	diag_set_hint(b->s->sink, d,
		      "nothing behind the probe reads register %s, which has it there", name);
}

/* What a pointer leads to, whose type QUERY names; operand 0 is the pointer. */
static struct ir_expr *bind_follow(struct bind *b, const struct ast_expr *ast,
				   struct target_query *q, struct ir_expr *pointer, bool write)
{
	struct ir_exprs operands = { 0 };
	struct ir_expr *e;

	vec_push(b->s->arena, &operands, pointer);
	make_path(b, ast, q, &operands);
	if (ast->target.pretty)
		return bind_pretty(b, ast, q, &operands);
	e = resolve(b, ast, q, true, &operands);
	return write ? check_write(b, ast, e) : e;
}

/* A variable of the point itself: one that builtins store to does not come here for that. */
static struct ir_expr *bind_own(struct bind *b, const struct ast_expr *ast,
				const struct probe_variable *own, bool write)
{
	struct target_query q = { .base = TARGET_CAST,
				  .name = own->ctype,
				  .address_of = ast->target.address_of };
	bool whole = !ast->target.path.n && !ast->target.address_of;
	struct ir_expr *e;

	if (own->type == IR_STRING && !whole)
		return bind_failed(b, ast, DIAG_STRING_PARTS);
	e = bind_own_value(b, ast, own);
	if (!whole || (ast->target.pretty && own->type != IR_STRING))
		return bind_follow(b, ast, &q, e, write);
	if (write && e->kind != IR_FETCH)
		sema_token(b->s, diag_report(b->s->sink, DIAG_WRITE_READ_ONLY, ast->span),
			   bind_variable_token(b, ast));
	return write ? check_write(b, ast, e) : e;
}

/* What a point has that has only variables of its own, for messages. */
static const char *own_alternatives(struct bind *b)
{
	const struct probe_point *point = b->cx->point;
	const char *text = " (alternatives:";

	for (size_t i = 0; i < point->n_variables; i++)
		text = arena_printf(b->s->arena, "%s $%s", text, point->variables[i].name);
	return arena_printf(b->s->arena, "%s)", text);
}

/* $return; and of a language whose results have names, at the return, those. */
static bool is_result(const struct bind *b, const char *name)
{
	return !strcmp(name, "return") || (b->cx && b->cx->is_return && b->cx->scope &&
					   target_scope_has_result(b->cx->scope, name));
}

/*
 * $x of the probe's scope. In a return probe everything but results is read at entry and saved.
 */
static struct ir_expr *bind_local_variable(struct bind *b, const struct ast_expr *ast, bool write)
{
	bool is_return = is_result(b, ast->target.name->text);
	const struct probe_variable *own;
	bool capturing, entry;
	struct target_query q = { .base = TARGET_LOCAL,
				  .name = ast->target.name->text,
				  .address_of = ast->target.address_of };
	struct ir_exprs operands = { 0 };
	struct ir_expr *e;

	if (!context_has_variables(b->cx))
		return bind_failed(b, ast, DIAG_NO_VARIABLES);
	own = context_own(b->cx->point, q.name);
	if (own)
		return bind_own(b, ast, own, write);
	if (!b->cx->scope && !b->cx->entry_scope)
		return bind_failed(b, ast, DIAG_NO_LOCAL, q.name, own_alternatives(b));
	if (is_return && (!b->cx->is_return || b->in_entry))
		return bind_failed(b, ast, DIAG_NO_LOCAL, q.name, "");
	capturing = b->cx->is_return && !is_return && !b->in_entry &&
		    !(b->cx->point && b->cx->point->entry_visible);
	entry = capturing || b->in_entry || !b->cx->is_return;
	if (capturing && write)
		return bind_failed(b, ast, DIAG_WRITE_AT_RETURN);
	if (capturing)
		b->in_entry = true; /* subscripts are evaluated there too */
	make_path(b, ast, &q, &operands);
	e = ast->target.pretty ? bind_pretty(b, ast, &q, &operands)
			       : resolve(b, ast, &q, entry, &operands);
	if (capturing) {
		b->in_entry = false;
		if (e->kind != IR_FETCH && e->kind != IR_PRINT)
			return e;
		warn_confusing(b, ast);
		return bind_saved(b, e, ast);
	}
	if (!write || ast->target.pretty)
		return e;
	warn_lost(b, ast, e, entry ? b->cx->entry_scope : b->cx->scope);
	return check_write(b, ast, e);
}

/* A variable that stands for itself, wherever the probe is. */
static struct ir_expr *bind_named(struct bind *b, const struct ast_expr *ast,
				  struct target_query *q, bool write)
{
	struct ir_exprs operands = { 0 };
	struct ir_expr *e;

	make_path(b, ast, q, &operands);
	if (ast->target.pretty)
		return bind_pretty(b, ast, q, &operands);
	e = resolve(b, ast, q, true, &operands);
	return write ? check_write(b, ast, e) : e;
}

/* @var("name@file", "module"). */
static struct ir_expr *bind_global_variable(struct bind *b, const struct ast_expr *ast, bool write)
{
	struct target_query q = { .base = TARGET_GLOBAL,
				  .address_of = ast->target.address_of,
				  .module = ast->target.module ? ast->target.module->text : NULL };

	split_atvar(b, ast->target.name, &q);
	return bind_named(b, ast, &q, write);
}

static struct ir_expr *bind_errno(struct bind *b, const struct ast_expr *ast, bool write)
{
	struct target_query q = { .base = TARGET_ERRNO,
				  .name = ast->target.name->text,
				  .address_of = ast->target.address_of };

	return bind_named(b, ast, &q, write);
}

/* Operand 0 is the pointer. */
static struct ir_expr *bind_cast(struct bind *b, const struct ast_expr *ast, bool write)
{
	struct target_query q = { .base = TARGET_CAST,
				  .name = ast->target.name->text,
				  .module = ast->target.module ? ast->target.module->text : NULL,
				  .address_of = ast->target.address_of };

	return bind_follow(b, ast, &q, bind_expr(b, ast->target.operand), write);
}

/* ---- autocast ---- */

/* What is known of the variable E, or NULL: it is none. */
static const struct sema_so_far *so_far(const struct ir_expr *e)
{
	return e->kind == IR_LOCAL    ? &sema_local(e->local)->so_far
	       : e->kind == IR_GLOBAL ? &sema_global(e->global)->so_far
				      : NULL;
}

/* What assignments so far gave a variable is good enough for @defined only: others may follow. */
static const struct target_type *type_now(const struct bind *b, const struct ir_expr *e)
{
	const struct sema_so_far *known = so_far(e);

	return !known ? e->ttype : b->quiet ? known->type : NULL;
}

/* Joins TYPE, which may be NULL, with what is known. */
static void note_type(struct sema_so_far *known, const struct target_type *type)
{
	if (!known->any)
		known->type = type;
	else if (type && known->type && !target_type_same(type, known->type))
		known->type = NULL;
	known->any |= type != NULL;
}

/*
 * Follows the pointers stored to a variable in the order of the text; two different types leave
 * none. A global hands its type to other handlers: points at which it would be another one do not
 * share this one.
 */
void bind_note_type(struct bind *b, const struct ir_expr *lvalue, const struct ir_expr *value)
{
	const struct sema_so_far *known = so_far(value);
	const struct target_type *type = known ? known->type : value->ttype;

	if (lvalue->kind == IR_LOCAL) {
		sema_before_change(b->s, sema_local(lvalue->local), sizeof(struct sema_local));
		note_type(&sema_local(lvalue->local)->so_far, type);
	} else if (lvalue->kind == IR_GLOBAL) {
		sema_before_change(b->s, sema_global(lvalue->global), sizeof(struct sema_global));
		note_type(&sema_global(lvalue->global)->so_far, type);
		if (type && b->cx)
			b->cx->typed = true;
	}
}

bool bind_is_pointer_index(struct bind *b, const struct ast_expr *ast)
{
	return ast->kind == AST_EXPR_INDEX && ast->index.keys.n == 1 && ast->index.keys.data[0] &&
	       map_has(&b->locals, ast->index.name);
}

/* A new tree node: the old one belongs to the parser. */
const struct ast_expr *bind_pointer_index(struct bind *b, const struct ast_expr *index,
					  const struct ast_expr *rest)
{
	struct arena *arena = b->s->arena;
	struct ast_expr *name = arena_new(arena, struct ast_expr),
			*e = arena_new(arena, struct ast_expr);
	struct ast_access access = { .kind = AST_SUBSCRIPT,
				     .span = index->span,
				     .index = index->index.keys.data[0] };

	name->kind = AST_EXPR_NAME;
	name->span = index->span;
	name->name.name = index->index.name;
	if (rest)
		*e = *rest;
	else
		e->span = index->span;
	e->kind = AST_EXPR_TARGET;
	e->target.base = AST_TARGET_AUTO;
	e->target.operand = name;
	memset(&e->target.path, 0, sizeof(e->target.path));
	vec_push(arena, &e->target.path, access);
	if (rest)
		vec_foreach(a, &rest->target.path)
			vec_push(arena, &e->target.path, *a);
	return e;
}

/* Text of a value whose type is found later; what it may call is wanted now. */
static struct ir_expr *open_pretty(struct bind *b, const struct ast_expr *ast,
				   const struct ir_exprs *operands)
{
	struct ir_expr *e = bind_sprint(b, "", operands, ast);

	bind_pretty_functions(b, ast, operands->data[0]);
	e->token = bind_variable_token(b, ast);
	return e;
}

/*
 * p->f of a plain value: resolved now when the type is known, else left to step autocast
 * (sema.pending). In a trial nothing can be left open.
 */
static struct ir_expr *bind_auto(struct bind *b, const struct ast_expr *ast, bool write)
{
	struct target_query q = { .base = TARGET_CAST, .address_of = ast->target.address_of };
	struct ir_exprs operands = { 0 };
	struct ir_expr *e, *operand = bind_expr(b, ast->target.operand);
	struct target_value none = { 0 };
	struct sema_pending pending = { .ast = ast, .write = write };

	if (b->cx)
		b->cx->typed = true;
	vec_push(b->s->arena, &operands, operand);
	make_path(b, ast, &q, &operands);
	q.type = type_now(b, operand);
	if (q.type && ast->target.pretty)
		return bind_pretty(b, ast, &q, &operands);
	if (q.type) {
		e = resolve(b, ast, &q, true, &operands);
		return write ? check_write(b, ast, e) : e;
	}
	if (b->quiet)
		return bind_failed(b, ast, DIAG_AUTOCAST_TYPE);
	e = ast->target.pretty ? open_pretty(b, ast, &operands)
			       : bind_fetch(b, ast, &none, &operands, NULL);
	pending.expr = e;
	pending.file = b->file;
	pending.scope = b->cx ? b->cx->scope : NULL;
	pending.probe = b->cx ? b->cx->probe : NULL;
	vec_push(b->s->arena, &b->s->pending, pending);
	return e;
}

struct ir_expr *bind_target(struct bind *b, const struct ast_expr *ast, bool write)
{
	if (ast->target.base == AST_TARGET_VAR && ast->target.name->text[0] == '$')
		return bind_special(b, ast, write);
	if (ast->target.address_of && ast->target.pretty)
		return bind_failed(b, ast, DIAG_ADDRESS_PRETTY);
	switch (ast->target.base) {
	case AST_TARGET_VAR:
		return bind_local_variable(b, ast, write);
	case AST_TARGET_ATVAR:
		return bind_global_variable(b, ast, write);
	case AST_TARGET_ERRNO:
		return bind_errno(b, ast, write);
	case AST_TARGET_CAST:
		return bind_cast(b, ast, write);
	case AST_TARGET_AUTO:
		if (bind_is_pointer_index(b, ast->target.operand))
			ast = bind_pointer_index(b, ast->target.operand, ast);
		return bind_auto(b, ast, write);
	}
	return bind_poison(b, ast);
}
