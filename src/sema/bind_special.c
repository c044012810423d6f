/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * $$vars, $$parms, $$locals, $$return: all variables at once, as text; $$name and $$system (or
 * $$provider) of tracepoints. What is the same for all points of a handler is an ordinary sprintf;
 * what differs stands in the points' rows (IR_POINT_TEXT, share.c).
 */
#include <string.h>

#include "base/strbuf.h"
#include "sema/bind.h"
#include "sema/trial.h"

/* A sprintf in the making: its format and its values. */
struct special {
	struct strbuf text;
	struct ir_exprs args;
};

/* A text that is known at translation time. */
static struct ir_expr *string_node(struct bind *b, const char *text, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_STRING_LITERAL, IR_STRING, ast);

	e->string = intern(b->s->in, text);
	return e;
}

/* The script text $NAME, with the special's own pretty suffix. */
static struct ast_expr *variable_ast(struct bind *b, const char *name, const struct ast_expr *ast)
{
	struct ast_expr *e = arena_new(b->s->arena, struct ast_expr);

	e->kind = AST_EXPR_TARGET;
	e->span = ast->span;
	e->target.base = AST_TARGET_VAR;
	e->target.name = intern(b->s->in, name);
	e->target.pretty = ast->target.pretty;
	return e;
}

/*
 * The value of $NAME, or NULL when it cannot be read here: one such variable must not spoil the
 * others.
 */
static struct ir_expr *try_variable(struct bind *b, const char *name, const struct ast_expr *ast)
{
	struct sema_trial trial;
	struct ir_expr *e;

	sema_trial_begin(b, &trial);
	e = bind_target(b, variable_ast(b, name, ast), false);
	if (sema_trial_failed(b, &trial)) {
		sema_trial_undo(b, &trial);
		return NULL;
	}
	sema_trial_keep(b, &trial);
	return e;
}

/* Appends " NAME=VALUE", or what stands for a value that cannot be shown. */
static void add_variable(struct bind *b, const struct target_variable *v,
			 const struct ast_expr *ast, struct special *sp)
{
	struct ir_expr *value = NULL;

	if (sp->args.n == IR_POINT_TEXT_MAX)
		return;
	context_text_name(v->name, &sp->text);
	if (v->readable && (ast->target.pretty || context_text_shows(b->cx->point, v)))
		value = try_variable(b, v->name, ast);
	if (!value) {
		strbuf_adds(&sp->text, ast->target.pretty ? "?" : context_text_instead(v));
		return;
	}
	strbuf_adds(&sp->text, value->type != IR_STRING ? "%#x"
			       : ast->target.pretty     ? "%s"
							: "\"%s\"");
	vec_push(b->s->arena, &sp->args, value);
}

/* A sprintf without values is a literal. */
static struct ir_expr *finish(struct bind *b, struct special *sp, const struct ast_expr *ast)
{
	const char *text = arena_strndup(b->s->arena, strbuf_cstr(&sp->text), sp->text.len);

	strbuf_deinit(&sp->text);
	return sp->args.n ? bind_sprint(b, text, &sp->args, ast) : string_node(b, text, ast);
}

static struct ir_expr *bind_all(struct bind *b, const struct ast_expr *ast, bool parms, bool locals)
{
	struct target_variables variables = context_variables(b->s, b->cx, true);
	struct special sp = { 0 };

	strbuf_init(&sp.text);
	for (size_t i = 0; i < variables.n; i++)
		if (variables.data[i].is_param ? parms : locals)
			add_variable(b, &variables.data[i], ast, &sp);
	return finish(b, &sp, ast);
}

/* In a return probe text is made at the entry, where what pointers lead to is still the same. */
static struct ir_expr *bind_all_at_entry(struct bind *b, const struct ast_expr *ast, bool parms,
					 bool locals)
{
	struct ir_expr *e;

	if (!b->cx->is_return || b->in_entry || !ast->target.pretty)
		return bind_all(b, ast, parms, locals);
	b->in_entry = true;
	e = bind_all(b, ast, parms, locals);
	b->in_entry = false;
	return e->kind == IR_PRINT ? bind_saved(b, e, ast) : e;
}

/* $$return: of the variables after the call only $return is shown. */
static struct ir_expr *bind_all_return(struct bind *b, const struct ast_expr *ast)
{
	struct target_variables variables = context_variables(b->s, b->cx, false);
	struct special sp = { 0 };

	strbuf_init(&sp.text);
	for (size_t i = 0; i < variables.n; i++)
		if (!strcmp(variables.data[i].name, "return"))
			add_variable(b, &variables.data[i], ast, &sp);
	return finish(b, &sp, ast);
}

/* What stands in the rows of the handler's points. */
static struct ir_expr *bind_text(struct bind *b, const struct ast_expr *ast, enum sema_text text)
{
	struct ir_expr *e = bind_new(b, IR_POINT_TEXT, IR_STRING, ast);

	e->token = arena_printf(b->s->arena, "identifier '$%s'", ast->target.name->text);
	e->point_text.text = context_text(b->s, b->cx, text);
	e->point_text.literal = text == SEMA_NAME || text == SEMA_SYSTEM;
	return e;
}

/* $$name and $$system, of points that have them: "sched_switch" and "sched". */
static struct ir_expr *bind_name(struct bind *b, const struct ast_expr *ast, const char *name,
				 enum sema_text text)
{
	return b->cx->many ? bind_text(b, ast, text) : string_node(b, name, ast);
}

/* Has the point variables that only a call can read? They are in no row. */
static bool has_served(const struct probe_point *point)
{
	for (size_t i = 0; i < point->n_variables; i++)
		if (!point->variables[i].load.n)
			return true;
	return false;
}

/*
 * All variables as text. One point's are an ordinary sprintf, as are those whose form is their
 * type's.
 */
static struct ir_expr *bind_variables(struct bind *b, const struct ast_expr *ast,
				      enum sema_text text)
{
	if (b->cx->many && !b->cx->is_return && !ast->target.pretty && !has_served(b->cx->point))
		return bind_text(b, ast, text);
	return bind_all_at_entry(b, ast, text != SEMA_LOCALS, text != SEMA_PARMS);
}

/* Reports a $$ name that does not exist at this point. */
static struct ir_expr *refuse(struct bind *b, const struct ast_expr *ast)
{
	const char *name = ast->target.name->text;
	bool is_return = !strcmp(name, "$return");
	struct diagnostic *d;

	if (!is_return && !context_has_variables(b->cx))
		d = diag_report(b->s->sink, DIAG_NO_VARIABLES, ast->span);
	else
		d = diag_report(b->s->sink, DIAG_NO_LOCAL, ast->span,
				is_return ? name : arena_printf(b->s->arena, "$%s", name), "");
	sema_token(b->s, d, arena_printf(b->s->arena, "identifier '$%s'", name));
	return bind_poison(b, ast);
}

/* They are texts that are made for the script: NULL, or what is wrong with the use of one. */
static struct ir_expr *refuse_use(struct bind *b, const struct ast_expr *ast, bool write)
{
	const char *name = ast->target.name->text;

	if (write) {
		sema_token(b->s, diag_report(b->s->sink, DIAG_WRITE_CONTEXT, ast->span),
			   bind_variable_token(b, ast));
		return bind_poison(b, ast);
	}
	if (ast->target.address_of)
		return bind_failed(b, ast, DIAG_ADDRESS_CONTEXT);
	if (ast->target.path.n)
		return bind_failed(b, ast, DIAG_CONTEXT_PARTS, name,
				   ast->target.path.data[0].kind == AST_MEMBER ? "a structure"
									       : "array");
	return NULL;
}

/* By the name behind $$; each is refused where the point has nothing of the kind. */
struct ir_expr *bind_special(struct bind *b, const struct ast_expr *ast, bool write)
{
	const char *name = ast->target.name->text + 1;
	bool is_return = b->cx && b->cx->is_return;
	struct ir_expr *refused;

	if (!context_has_variables(b->cx))
		return refuse(b, ast);
	refused = refuse_use(b, ast, write);
	if (refused)
		return refused;
	if (!strcmp(name, "parms"))
		return bind_variables(b, ast, SEMA_PARMS);
	if (!strcmp(name, "locals"))
		return bind_variables(b, ast, SEMA_LOCALS);
	if (!strcmp(name, "vars"))
		return bind_variables(b, ast, SEMA_VARS);
	if (!strcmp(name, "return") && is_return)
		return bind_all_return(b, ast);
	if (!strcmp(name, "name") && b->cx->point->row.name)
		return bind_name(b, ast, b->cx->point->row.name, SEMA_NAME);
	/* of a mark it is called its provider */
	if ((!strcmp(name, "system") || !strcmp(name, "provider")) && b->cx->point->row.system)
		return bind_name(b, ast, b->cx->point->row.system, SEMA_SYSTEM);
	return refuse(b, ast);
}
