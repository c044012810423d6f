/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step bind, expressions: each kind of AST expression to typed IR, and how messages call it. A
 * name is a local unless a global of that name can be seen. Types are set where a node has only
 * one; the others wait for step infer.
 */
#include <ctype.h>
#include <string.h>

#include "ast/foreign.h"
#include "ast/tree.h"
#include "base/similar.h"
#include "ir/builtins.h"
#include "machine/machine.h"
#include "parse/keywords.h"
#include "sema/bind.h"
#include "sema/embedded.h"
#include "sema/mistakes.h"
#include "target/target.h"

/* Length of the name that TEXT begins with. */
static size_t word_len(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && (isalnum((unsigned char)text[n]) || text[n] == '_'))
		n++;
	return n;
}

/*
 * Constant kinds are spelled from the tree; the rest from the source text, which may lie in a
 * macro.
 */
const char *sema_expr_token(struct sema *s, const struct ast_expr *ast)
{
	switch (ast->kind) {
	case AST_EXPR_NUMBER:
		return arena_printf(s->arena, "number '%lld'", (long long)ast->number.value);
	case AST_EXPR_STRING:
		return arena_printf(s->arena, "string '%s'", ast->string.value->text);
	case AST_EXPR_NAME:
		return sema_name_token(s, ast->name.name);
	case AST_EXPR_INDEX:
		return sema_name_token(s, ast->index.name);
	case AST_EXPR_CALL:
		return sema_name_token(s, ast->call.name);
	case AST_EXPR_UNARY:
		return arena_printf(s->arena, "operator '%s'", ast_op_text(ast->unary.op));
	case AST_EXPR_BINARY:
		return arena_printf(s->arena, "operator '%s'", ast_op_text(ast->binary.op));
	case AST_EXPR_INCDEC:
		return arena_printf(s->arena, "operator '%s'", ast_op_text(ast->incdec.op));
	case AST_EXPR_ASSIGN:
		return arena_printf(
			s->arena, "operator '%s%s'", ast_op_text(ast->assign.op),
			ast->assign.op == AST_OP_SET || ast->assign.op == AST_OP_FEED ? "" : "=");
	case AST_EXPR_TERNARY:
		return "operator '?'";
	case AST_EXPR_MATCH:
		return ast->match.negated ? "operator '!~'" : "operator '=~'";
	case AST_EXPR_IN:
		return "keyword";
	case AST_EXPR_EMBEDDED:
		return "embedded-code";
	default: /* these are quoted as they stand in the script */
		break;
	}
	/* the rest are @words, print operators and $variables: as the script spells them */
	const char *text;
	size_t len;

	text = source_map_text(diag_sink_map(s->sink), ast->span, &len);
	if (text && len && *text == '@')
		len = 1 + word_len(text + 1, len - 1);
	return text && len ? arena_printf(s->arena, "%s '%.*s'",
					  *text == '@' ? "operator" : "identifier", (int)len, text)
			   : NULL;
}

struct ir_expr *bind_new(struct bind *b, enum ir_expr_kind kind, enum ir_type type,
			 const struct ast_expr *ast)
{
	struct ir_expr *e = arena_new(b->s->arena, struct ir_expr);

	e->kind = kind;
	e->type = type;
	e->span = ast->span;
	e->token = sema_expr_token(b->s, ast);
	return e;
}

struct ir_expr *bind_number(struct bind *b, int64_t value, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_NUMBER, IR_LONG, ast);

	e->number = value;
	return e;
}

struct ir_expr *bind_poison(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_number(b, 0, ast);

	e->type = IR_UNKNOWN;
	return e;
}

struct ir_expr *bind_mistake(struct bind *b, const struct ast_expr *ast, struct diagnostic *d)
{
	struct ir_expr *e = bind_poison(b, ast);

	sema_hold(b->s, e, d);
	return e;
}

void bind_exprs(struct bind *b, const struct ast_exprs *list, struct ir_exprs *ret)
{
	vec_foreach(e, list)
		vec_push(b->s->arena, ret, *e ? bind_expr(b, *e) : NULL);
}

/* ---- names ---- */

/* A name is used with that many keys, 0 as a scalar; all uses must agree. */
bool bind_arity(struct bind *b, struct sema_global *g, size_t n_keys, struct span span,
		const struct istr *name)
{
	struct sema *s = b->s;
	struct diagnostic *d;

	if (g->arity_set && g->ir.n_keys != n_keys) {
		d = diag_report(s->sink, DIAG_INCONSISTENT_ARITY, span, (size_t)g->ir.n_keys,
				n_keys);
		sema_identifier(s, d, name);
		diag_set_second(s->sink, d, g->arity.span, g->arity.token);
		if (b->file->library && !g->file->library)
			diag_set_hint(s->sink, d,
				      "the alias has a variable of that name, for which it takes "
				      "the script's global: another name keeps the global apart");
		return false;
	}
	if (n_keys == 0 && g->ir.wrap && !g->wrap_refused) {
		sema_before_change(s, g, sizeof(*g));
		g->wrap_refused = true;
		sema_identifier(s, diag_report(s->sink, DIAG_WRAP_SCALAR, g->ir.span), name);
	}
	if (g->arity_set)
		return true;
	if (n_keys > IR_MAX_KEYS) {
		sema_identifier(s, diag_report(s->sink, DIAG_TOO_MANY_KEYS, span, IR_MAX_KEYS),
				name);
		return false;
	}
	if (n_keys == 0 && g->ast->has_size) {
		d = diag_report(s->sink, DIAG_INCONSISTENT_ARITY, span, (size_t)1, n_keys);
		sema_identifier(s, d, name);
		diag_set_second(s->sink, d, g->ir.span, sema_name_token(s, name));
		return false;
	}
	sema_before_change(s, g, sizeof(*g));
	g->arity_set = true;
	g->arity = (struct sema_origin){ span, sema_name_token(s, name) };
	g->ir.n_keys = (uint8_t)n_keys;
	g->ir.is_array = n_keys > 0;
	return true;
}

struct sema_local *bind_new_local(struct bind *b, const struct istr *name, struct span span)
{
	struct sema *s = b->s;
	struct sema_local *l = arena_new(s->arena, struct sema_local);

	l->ir.name = name;
	l->ir.span = span;
	l->type.span = span;
	if (b->fn) {
		l->ir.index = (uint32_t)b->fn->ir.locals.n;
		vec_push(s->arena, &b->fn->ir.locals, &l->ir);
	} else if (b->probe) {
		l->ir.index = (uint32_t)b->probe->locals.n;
		vec_push(s->arena, &b->probe->locals, &l->ir);
	}
	return l;
}

/* A node for a name whose span is not that of a tree node. */
static struct ir_expr *name_node(struct bind *b, enum ir_expr_kind kind, const struct istr *name,
				 struct span span)
{
	struct ir_expr *e = arena_new(b->s->arena, struct ir_expr);

	e->kind = kind;
	e->span = span;
	e->token = sema_name_token(b->s, name);
	return e;
}

static bool declares(const struct ast_file *file, const struct istr *name)
{
	vec_foreach(g, &file->globals)
		if ((*g)->name == name)
			return true;
	return false;
}

/* Is it of a file of the library that has one of that name, but of a script? */
static bool is_replaced(const struct bind *b, const struct sema_global *g, const struct istr *name)
{
	return b->file->library && !g->file->library && declares(b->file, name);
}

struct sema_global *bind_global(struct bind *b, const struct istr *name, struct span span)
{
	struct sema_global *g = sema_find_global(b->s, b->file, name);
	struct diagnostic *d;

	if (!g || g->crossed || b->quiet || !is_replaced(b, g, name))
		return g;
	g->crossed = true;
	d = diag_report(b->s->sink, DIAG_CROSS_FILE, span, sema_name_token(b->s, name),
			sema_place(b->s, g->ir.span));
	sema_identifier(b->s, d, name);
	return g;
}

/*
 * The global of that name. A function of the library has variables of its own, whatever globals a
 * script has, but for those it shares with its file.
 */
static struct sema_global *visible_global(struct bind *b, const struct istr *name, struct span span)
{
	struct sema_global *g = bind_global(b, name, span);

	if (g && b->fn && b->file->library && !g->file->library && !is_replaced(b, g, name))
		return NULL;
	return g;
}

struct ir_expr *bind_variable(struct bind *b, const struct istr *name, struct span span)
{
	struct sema_local *l = map_get(&b->locals, name);
	struct sema_global *g = l ? NULL : visible_global(b, name, span);
	struct ir_expr *e;

	if (g) {
		bind_arity(b, g, 0, span, name);
		e = name_node(b, IR_GLOBAL, name, span);
		e->global = &g->ir;
		return e;
	}
	if (b->in_condition) {
		sema_identifier(b->s, diag_report(b->s->sink, DIAG_CONDITION_LOCAL, span), name);
		e = name_node(b, IR_NUMBER, name, span);
		return e;
	}
	if (b->in_entry && !b->quiet)
		sema_identifier(b->s, diag_report(b->s->sink, DIAG_ENTRY_LOCAL, span), name);
	if (!l) {
		l = bind_new_local(b, name, span);
		map_put(&b->locals, name, l);
	}
	e = name_node(b, IR_LOCAL, name, span);
	e->local = &l->ir;
	return e;
}

/*
 * name[keys]: an element of a global, or, of a local with one key, an access through its
 * pointer.
 */
static struct ir_expr *bind_index(struct bind *b, const struct ast_expr *ast)
{
	const struct istr *name = ast->index.name;
	struct sema_global *g = map_has(&b->locals, name) ? NULL : bind_global(b, name, ast->span);
	struct ir_expr *e;

	if (bind_is_pointer_index(b, ast))
		return bind_target(b, bind_pointer_index(b, ast, NULL), false);
	if (!g) {
		sema_report_no_global(b->s, DIAG_ARRAY_LOCAL, ast->span, name);
		return bind_poison(b, ast);
	}
	vec_foreach(k, &ast->index.keys)
		if (!*k) {
			sema_identifier(b->s, diag_report(b->s->sink, DIAG_WILDCARD_KEY, ast->span),
					name);
			return bind_poison(b, ast);
		}
	if (!bind_arity(b, g, ast->index.keys.n, ast->span, name))
		return bind_poison(b, ast);
	e = bind_new(b, IR_ELEMENT, IR_UNKNOWN, ast);
	e->element.array = &g->ir;
	bind_exprs(b, &ast->index.keys, &e->element.keys);
	return e;
}

/* Keys may be wildcards, which stay NULL. */
static struct ir_expr *bind_in(struct bind *b, const struct ast_expr *ast)
{
	struct sema_global *g = bind_global(b, ast->in.array, ast->in.array_span);
	struct ir_expr *e;

	if (!g) {
		sema_report_no_global(b->s, DIAG_ARRAY_LOCAL, ast->in.array_span, ast->in.array);
		return bind_poison(b, ast);
	}
	if (!bind_arity(b, g, ast->in.keys.n, ast->in.array_span, ast->in.array))
		return bind_poison(b, ast);
	e = bind_new(b, IR_IN, IR_LONG, ast);
	e->in.array = &g->ir;
	bind_exprs(b, &ast->in.keys, &e->in.keys);
	return e;
}

/* ---- calls ---- */

/* All overloads that a call of F may come to; each is bound once. */
static void queue_chain(struct sema *s, struct sema_function *f)
{
	for (; f; f = f->ir.next_overload ? sema_function(f->ir.next_overload) : NULL) {
		if (f->queued)
			continue;
		sema_before_change(s, f, sizeof(*f));
		f->queued = true;
		vec_push(s->arena, &s->queue, f);
	}
}

/* Why a function of the language's library is not there; NULL when it has none of that name. */
static const char *why_not_built(const char *name)
{
	static const struct {
		const char *name, *why;
	} functions[] = {
#define FUNCTION(name, why) { #name, why },
#include "sema/not_built.def"
#undef FUNCTION
	};

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name))
			return functions[i].why;
	return NULL;
}

static bool is_loop(const char *keyword)
{
	return keyword && (!strcmp(keyword, "for") || !strcmp(keyword, "foreach") ||
			   !strcmp(keyword, "while"));
}

/* Has a file of the script the macro? */
static bool has_macro(const struct sema *s, const struct istr *name)
{
	for (size_t i = 0; i < s->input->n_files; i++)
		if (s->input->files[i]->macros && map_has(s->input->files[i]->macros, name))
			return true;
	return false;
}

/* What was called is written otherwise, as far as the name tells. */
static void hint_at_name(struct bind *b, struct diagnostic *d, const struct istr *name)
{
	const char *keyword = parser_near_keyword(name->text);
	struct diag_sink *sink = b->s->sink;

	if (parser_at_operator(name->text, name->len) || has_macro(b->s, name))
		diag_set_hint(sink, d, "did you mean @%s?", name->text);
	else if (keyword)
		diag_set_hint(sink, d, "did you mean '%s'?", keyword);
	b->loop_misspelt |= is_loop(keyword);
}

/*
 * No function takes the call: the number of arguments is wrong, or the name. ANY as from
 * sema_find_function().
 */
static void report_unknown(struct bind *b, const struct istr *name, const struct sema_function *any,
			   const struct ast_expr *ast)
{
	struct sema *s = b->s;
	struct diagnostic *d;
	const char *similar, *why, *foreign;

	if (any) {
		d = diag_report(s->sink, DIAG_ARITY_MISMATCH, ast->span, name->text,
				any->ir.params.n, any->ir.params.n == 1 ? "" : "s");
		if (any->ir.span.start)
			diag_set_second(s->sink, d, any->ir.span, sema_name_token(s, name));
	} else {
		why = why_not_built(name->text);
		foreign = ast_foreign(name->text, name->len, NULL);
		similar = why || foreign ? NULL : sema_similar_functions(s, name->text);
		d = diag_report(s->sink, DIAG_UNRESOLVED_FUNCTION, ast->span, name->text,
				similar ? " (similar: " : "", similar ? similar : "",
				similar ? ")" : "");
		hint_at_name(b, d, name);
		if (why || foreign)
			diag_set_hint(s->sink, d, "%s%s", why ? "not built: " : "",
				      why ? why : foreign);
	}
	sema_identifier(s, d, name);
}

/* A builtin's argument that names a table becomes the number of that. */
static void bind_tables(struct bind *b, struct ir_expr *call, const struct ast_expr *ast)
{
	struct ir_builtin_param params[IR_BUILTIN_MAX_PARAMS];
	size_t n = ir_builtin_params(call->call.callee->builtin, params);

	for (size_t i = 0; i < n && i < call->call.args.n; i++) {
		const struct ir_expr *arg = call->call.args.data[i];
		int64_t table = -1;

		if (!params[i].is_table)
			continue;
		if (arg->kind == IR_STRING_LITERAL)
			table = ir_name_table(arg->string->text);
		if (table < 0)
			sema_identifier(b->s, diag_report(b->s->sink, DIAG_NAME_TABLE, ast->span),
					call->call.callee->name);
		call->call.args.data[i] = bind_number(b, table, ast);
	}
}

struct ir_expr *bind_call(struct bind *b, const struct istr *name, const struct ir_exprs *args,
			  const struct ast_expr *ast)
{
	struct sema *s = b->s;
	const struct sema_function *any;
	struct sema_function *f = sema_find_function(s, b->file, name, args->n, &any);
	struct ir_expr *e;

	if (!f) {
		report_unknown(b, name, any, ast);
		return bind_poison(b, ast);
	}
	if (f->guru && !b->file->library && !s->input->options.guru)
		sema_identifier(s, diag_report(s->sink, DIAG_GURU_FUNCTION, ast->span, name->text),
				name);
	f = sema_specialise(s, f, b->cx);
	queue_chain(s, f);
	e = bind_new(b, f->ir.builtin ? IR_BUILTIN_CALL : IR_CALL, f->ir.type, ast);
	e->token = sema_name_token(s, name);
	e->call.callee = &f->ir;
	e->call.args = *args;
	if (f->ir.builtin)
		bind_tables(b, e, ast);
	return e;
}

static struct ir_expr *bind_ast_call(struct bind *b, const struct ast_expr *ast)
{
	struct ir_exprs args = { 0 };

	bind_exprs(b, &ast->call.args, &args);
	return bind_call(b, ast->call.name, &args, ast);
}

/* ---- operators ---- */

/* Operators that assign (=, <<<, --) give IR_OP_NONE. */
static enum ir_op op_of(enum ast_op op)
{
	static const enum ir_op ops[] = {
		[AST_OP_ADD] = IR_OP_ADD,       [AST_OP_SUB] = IR_OP_SUB,
		[AST_OP_MUL] = IR_OP_MUL,       [AST_OP_DIV] = IR_OP_DIV,
		[AST_OP_MOD] = IR_OP_MOD,       [AST_OP_SHL] = IR_OP_SHL,
		[AST_OP_SHR] = IR_OP_SHR,       [AST_OP_USHR] = IR_OP_USHR,
		[AST_OP_AND] = IR_OP_AND,       [AST_OP_OR] = IR_OP_OR,
		[AST_OP_XOR] = IR_OP_XOR,       [AST_OP_CONCAT] = IR_OP_CONCAT,
		[AST_OP_LOGAND] = IR_OP_LOGAND, [AST_OP_LOGOR] = IR_OP_LOGOR,
		[AST_OP_LT] = IR_OP_LT,         [AST_OP_GT] = IR_OP_GT,
		[AST_OP_LE] = IR_OP_LE,         [AST_OP_GE] = IR_OP_GE,
		[AST_OP_EQ] = IR_OP_EQ,         [AST_OP_NE] = IR_OP_NE,
		[AST_OP_NEG] = IR_OP_NEG,       [AST_OP_NOT] = IR_OP_NOT,
		[AST_OP_BITNOT] = IR_OP_BITNOT, [AST_OP_PLUS] = IR_OP_PLUS,
		[AST_OP_SET] = IR_OP_NONE,      [AST_OP_DEC] = IR_OP_NONE,
	};

	return ops[op];
}

static enum ir_expr_kind binary_kind(enum ast_op op)
{
	switch (op) {
	case AST_OP_LOGAND:
	case AST_OP_LOGOR:
		return IR_LOGICAL;
	case AST_OP_LT:
	case AST_OP_GT:
	case AST_OP_LE:
	case AST_OP_GE:
	case AST_OP_EQ:
	case AST_OP_NE:
		return IR_COMPARE;
	case AST_OP_CONCAT:
		return IR_CONCAT;
	default: /* the rest computes a number */
		break;
	}
	return IR_BINARY;
}

/* && and || that @defined decides are a constant, and the right side is not looked at. */
static struct ir_expr *bind_binary(struct bind *b, const struct ast_expr *ast)
{
	struct bind_arms arms = { .expr = { ast->binary.right, ast->binary.right } };
	enum ir_expr_kind kind = binary_kind(ast->binary.op);
	struct ir_expr *e;
	int64_t value;

	if (kind == IR_LOGICAL && bind_static(b, ast, &arms, &value))
		return bind_number(b, value != 0, ast);
	e = bind_new(b, kind, kind == IR_CONCAT ? IR_STRING : IR_LONG, ast);
	e->binary.op = op_of(ast->binary.op);
	e->binary.left = bind_expr(b, ast->binary.left);
	e->binary.right = bind_expr(b, ast->binary.right);
	return e;
}

/*
 * A pattern with a mistake leaves a poisoned node, so that nothing later meets a match without
 * one.
 */
static struct ir_expr *bind_match(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_MATCH, IR_LONG, ast);

	e->match.negated = ast->match.negated;
	e->match.subject = bind_expr(b, ast->match.left);
	e->match.regex = sema_regex(b->s, ast);
	return e->match.regex ? e : bind_poison(b, ast);
}

/* A literal with a sign is a constant here, so that it may stand where only constants may. */
static struct ir_expr *bind_unary(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *operand = bind_expr(b, ast->unary.operand), *e;

	if (ast->unary.op == AST_OP_PLUS && operand->kind == IR_NUMBER)
		return operand;
	if (ast->unary.op == AST_OP_NEG && operand->kind == IR_NUMBER)
		return bind_number(b, (int64_t) - (uint64_t)operand->number, ast);
	e = bind_new(b, IR_UNARY, IR_LONG, ast);
	e->unary.op = op_of(ast->unary.op);
	e->unary.operand = operand;
	return e;
}

static struct ir_expr *bind_ternary(struct bind *b, const struct ast_expr *ast)
{
	struct bind_arms arms = { .expr = { ast->ternary.no, ast->ternary.yes } };
	struct ir_expr *e;
	int64_t value;

	if (bind_static(b, ast->ternary.cond, &arms, &value))
		return bind_expr(b, value ? ast->ternary.yes : ast->ternary.no);
	e = bind_new(b, IR_TERNARY, IR_UNKNOWN, ast);
	e->ternary.cond = bind_expr(b, ast->ternary.cond);
	e->ternary.yes = bind_expr(b, ast->ternary.yes);
	e->ternary.no = bind_expr(b, ast->ternary.no);
	return e;
}

const char bind_nested_index_hint[] = "the keys of an array stand in one bracket: NAME[k1, k2]";

bool bind_is_nested_index(const struct ast_expr *ast)
{
	return ast->kind == AST_EXPR_TARGET && ast->target.base == AST_TARGET_AUTO &&
	       ast->target.operand->kind == AST_EXPR_INDEX && ast->target.path.n == 1 &&
	       ast->target.path.data[0].kind == AST_SUBSCRIPT;
}

/* A store to what is a target variable by its form, and was maybe meant to be none. */
static void report_write(struct bind *b, const struct ast_expr *ast)
{
	struct sema *s = b->s;
	struct diagnostic *d = sema_token(s, diag_report(s->sink, DIAG_WRITE_TARGET, ast->span),
					  sema_expr_token(s, ast));

	if (bind_is_nested_index(ast))
		diag_set_hint(s->sink, d, "%s", bind_nested_index_hint);
	else if (ast->kind == AST_EXPR_TARGET && ast->target.base == AST_TARGET_VAR &&
		 !context_has_variables(b->cx))
		diag_set_hint(s->sink, d, "%s", bind_no_variables_hint);
}

/* Target variables may be stored to by = only, and by user scripts only with -g. */
static struct ir_expr *bind_lvalue(struct bind *b, const struct ast_expr *ast, enum ast_op op)
{
	struct sema *s = b->s;

	if (bind_is_pointer_index(b, ast)) {
		if (!b->file->library && !s->input->options.guru) {
			sema_report_no_global(s, DIAG_ARRAY_LOCAL, ast->span, ast->index.name);
			return bind_poison(b, ast);
		}
		ast = bind_pointer_index(b, ast, NULL);
	}
	if (ast->kind != AST_EXPR_TARGET && ast->kind != AST_EXPR_DEREF)
		return bind_expr(b, ast);
	if ((ast->kind == AST_EXPR_TARGET || ast->deref.user) && !b->file->library &&
	    !s->input->options.guru)
		report_write(b, ast);
	else if (op != AST_OP_SET)
		sema_token(s, diag_report(s->sink, DIAG_WRITE_TARGET_OP, ast->span),
			   sema_expr_token(s, ast));
	else
		return ast->kind == AST_EXPR_DEREF ? bind_expr(b, ast) : bind_target(b, ast, true);
	return bind_poison(b, ast);
}

/* An alias of the library takes the script's global for its own variable, as for all globals. */
static void warn_of_capture(struct bind *b, const struct ir_expr *lvalue)
{
	struct sema *s = b->s;
	const struct ir_global *g = lvalue->kind == IR_GLOBAL ? lvalue->global : NULL;
	struct diagnostic *d;

	if (!g || !g->user_script || !b->file->library || b->fn || s->n_trials ||
	    map_has(&s->captured, g))
		return;
	map_put(&s->captured, g, s);
	d = diag_report(s->sink, DIAG_GLOBAL_CAPTURED, lvalue->span, g->name->text);
	diag_set_hint(s->sink, d, "another name keeps the global apart");
}

void bind_mark_assigned(struct bind *b, const struct ir_expr *lvalue)
{
	if (lvalue->kind != IR_LOCAL || lvalue->local->assigned)
		return;
	sema_before_change(b->s, lvalue->local, sizeof(*lvalue->local));
	lvalue->local->assigned = true;
}

/* The left side is bound first: the order in which locals come to be. */
static struct ir_expr *bind_assign(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e;

	if (ast->assign.op == AST_OP_FEED) {
		e = bind_new(b, IR_FEED, IR_LONG, ast);
		e->feed.stat = bind_stat_operand(b, ast->assign.left);
		e->feed.value = bind_expr(b, ast->assign.right);
		return e;
	}
	if (bind_own_assign(b, ast, op_of(ast->assign.op), &e))
		return e;
	e = bind_new(b, IR_ASSIGN, IR_UNKNOWN, ast);
	e->assign.op = op_of(ast->assign.op);
	e->assign.lvalue = bind_lvalue(b, ast->assign.left, ast->assign.op);
	warn_of_capture(b, e->assign.lvalue);
	e->assign.value = bind_expr(b, ast->assign.right);
	/*
	 * there is no such variable: a mistake that is forgiven, or one that stays, as a store has
	 * effects
	 */
	if (e->assign.lvalue->kind == IR_NUMBER)
		return e->assign.lvalue->type == IR_UNKNOWN ? e : e->assign.value;
	bind_mark_assigned(b, e->assign.lvalue);
	bind_note_type(b, e->assign.lvalue, e->assign.value);
	return e;
}

/* The variable need not have a value before: it begins as 0, which makes it a number. */
static struct ir_expr *bind_incdec(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e;

	if (bind_own_incdec(b, ast, &e))
		return e;
	e = bind_new(b, IR_INCDEC, IR_LONG, ast);
	e->incdec.delta = ast->incdec.op == AST_OP_INC ? 1 : -1;
	e->incdec.prefix = ast->incdec.prefix;
	e->incdec.lvalue = bind_lvalue(b, ast->incdec.operand, ast->incdec.op);
	bind_mark_assigned(b, e->incdec.lvalue);
	return e;
}

/* ---- the rest ---- */

/* Size and address are values of the handler; check sees to constant sizes. */
static struct ir_expr *bind_deref(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_DEREF, IR_LONG, ast);

	e->deref.user = ast->deref.user;
	e->deref.size = bind_expr(b, ast->deref.size);
	e->deref.address = bind_expr(b, ast->deref.address);
	return e;
}

/* The DWARF number of the register that has the name, of those with a value at a probe. */
static struct ir_expr *register_by_name(struct bind *b, const struct ast_expr *ast)
{
	const struct machine *m = target_system_machine(b->s->input->env->target);
	const char *name = ast->string.value->text, **names, *near[5];
	size_t n = 0, n_near;

	names = arena_new_array(b->s->arena, const char *, m ? m->n_registers : 0);
	for (size_t i = 0; m && i < m->n_registers; i++) {
		if (!m->registers[i].field)
			continue;
		if (!strcmp(m->registers[i].name, name))
			return bind_number(b, (int64_t)i, ast);
		names[n++] = m->registers[i].name;
	}
	n_near = similar_names(name, names, n, near, 5);
	diag_report(b->s->sink, DIAG_NO_REGISTER, ast->span, name, n_near ? " (similar: " : "",
		    n_near ? similar_join(b->s->arena, near, n_near) : "", n_near ? ")" : "");
	return bind_number(b, 0, ast);
}

/* A literal number must be of one that has a value at a probe; others are asked for at run time. */
static struct ir_expr *register_by_number(struct bind *b, const struct ast_expr *ast)
{
	const struct machine *m = target_system_machine(b->s->input->env->target);
	const struct machine_register *r;

	if (m && ast->kind == AST_EXPR_NUMBER) {
		r = machine_register(m, (uint64_t)ast->number.value);
		if (!r || !r->field)
			diag_report(
				b->s->sink, DIAG_NO_REGISTER, ast->span,
				r ? r->name
				  : arena_printf(b->s->arena, "%lld", (long long)ast->number.value),
				"", "", "");
	}
	return bind_expr(b, ast);
}

/* Any register may be asked for by number, so all must be saved. */
static struct ir_expr *bind_register(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_REGISTER, IR_LONG, ast);

	e->reg.user = ast->reg.user;
	e->reg.number = ast->reg.number->kind == AST_EXPR_STRING
				? register_by_name(b, ast->reg.number)
				: register_by_number(b, ast->reg.number);
	if (b->cx)
		b->cx->probe->full_regs = true;
	return e;
}

static struct ir_expr *bind_string(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_STRING_LITERAL, IR_STRING, ast);
	const struct istr *s = ast->string.value;

	/* A string ends at its first NUL, as everywhere at run time. */
	e->string = strlen(s->text) < s->len ? intern(b->s->in, s->text) : s;
	return e;
}

/* The compiler of the module knows what the text means: C, and nothing but its value matters. */
static struct ir_expr *bind_const(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_EMBEDDED, IR_LONG, ast);

	sema_embedded_expr(
		b->s, b->file,
		intern(b->s->in, arena_printf(b->s->arena, "%s /* pure */", ast->text.text->text)),
		e);
	return e;
}

/*
 * Step check looks whether there is a counter of that name: it may be in a probe that is bound
 * later.
 */
static struct ir_expr *bind_perf(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *name = bind_new(b, IR_STRING_LITERAL, IR_STRING, ast), *e;
	struct ir_exprs args = { 0 };

	name->string = ast->text.text;
	vec_push(b->s->arena, &args, name);
	e = bind_call(b, intern(b->s->in, SEMA_PERF_COUNTER), &args, ast);
	e->token = sema_expr_token(b->s, ast);
	return e;
}

static bool names(const struct ir_exprs *list, const struct ir_local *l)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->data[i]->local == l)
			return true;
	return false;
}

/* Its text has parameters and locals as STAP_ARG_x: those that are known where it stands. */
static void name_locals(struct bind *b, struct ir_expr *e)
{
	static const char prefix[] = "STAP_ARG_";
	const char *at = e->code->text->text;

	while ((at = strstr(at, prefix))) {
		const char *name = at += sizeof(prefix) - 1;
		const struct istr *text;
		struct sema_local *l;
		struct ir_expr *local;

		while (isalnum((unsigned char)*at) || *at == '_')
			at++;
		text = intern_n(b->s->in, name, (size_t)(at - name));
		l = map_get(&b->locals, text);
		if (!l || names(&e->named, &l->ir))
			continue;
		local = bind_variable(b, text, e->span);
		vec_push(b->s->arena, &e->named, local);
	}
}

static struct ir_expr *bind_embedded_expr(struct bind *b, const struct ast_expr *ast)
{
	struct ir_expr *e = bind_new(b, IR_EMBEDDED, IR_UNKNOWN, ast);

	sema_embedded_expr(b->s, b->file, ast->text.text, e);
	name_locals(b, e);
	return e;
}

/* @hist_log and @hist_linear have no value: only print, a subscript and foreach take them. */
static struct ir_expr *misplaced_hist(struct bind *b, const struct ast_expr *ast)
{
	sema_token(b->s, diag_report(b->s->sink, DIAG_HIST_VALUE, ast->span),
		   sema_expr_token(b->s, ast));
	return bind_poison(b, ast);
}

struct ir_expr *bind_expr(struct bind *b, const struct ast_expr *ast)
{
	switch (ast->kind) {
	case AST_EXPR_NUMBER:
		return bind_number(b, ast->number.value, ast);
	case AST_EXPR_STRING:
		return bind_string(b, ast);
	case AST_EXPR_NAME:
		return bind_variable(b, ast->name.name, ast->span);
	case AST_EXPR_INDEX:
		return bind_index(b, ast);
	case AST_EXPR_CALL:
		return bind_ast_call(b, ast);
	case AST_EXPR_UNARY:
		return bind_unary(b, ast);
	case AST_EXPR_BINARY:
		return bind_binary(b, ast);
	case AST_EXPR_MATCH:
		return bind_match(b, ast);
	case AST_EXPR_TERNARY:
		return bind_ternary(b, ast);
	case AST_EXPR_ASSIGN:
		return bind_assign(b, ast);
	case AST_EXPR_INCDEC:
		return bind_incdec(b, ast);
	case AST_EXPR_IN:
		return bind_in(b, ast);
	case AST_EXPR_TARGET:
		return bind_target(b, ast, false);
	case AST_EXPR_DEFINED:
		return bind_defined(b, ast);
	case AST_EXPR_ENTRY:
		return bind_entry(b, ast);
	case AST_EXPR_PERF:
		return bind_perf(b, ast);
	case AST_EXPR_PROBEWRITE:
		return bind_probewrite(b, ast);
	case AST_EXPR_CONST:
		return bind_const(b, ast);
	case AST_EXPR_ENUM:
		return bind_enum(b, ast);
	case AST_EXPR_ENUMNAME:
		return bind_enumname(b, ast);
	case AST_EXPR_DEREF:
		return bind_deref(b, ast);
	case AST_EXPR_REGISTER:
		return bind_register(b, ast);
	case AST_EXPR_EXTRACT:
		return bind_extract(b, ast);
	case AST_EXPR_HIST:
		return misplaced_hist(b, ast);
	case AST_EXPR_HIST_BUCKET:
		return bind_bucket(b, ast);
	case AST_EXPR_PRINT:
		return bind_print(b, ast);
	case AST_EXPR_EMBEDDED:
		return bind_embedded_expr(b, ast);
	}
	return bind_poison(b, ast);
}
