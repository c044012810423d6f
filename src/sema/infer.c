/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step infer: types of expressions and symbols. Requires bound bodies; ensures that every type
 * which can be known is, and that all uses of a symbol agree. Rounds go over the whole program
 * until one decides nothing: each decides at least one of finitely many types. A last round reports
 * what does not fit. What stays unknown is looked at after the optimiser, when unused things are
 * gone.
 */
#include "sema/infer.h"
#include "target/types.h"

#include "ir/names.h"
#include "sema/bind.h"

bool infer_reports(struct infer *in, struct span span)
{
	const void *key = (const void *)(uintptr_t)(span.start + 1);

	if (!in->report || map_has(&in->reported, key))
		return false;
	map_put(&in->reported, key, in);
	return true;
}

/* Where the type of the symbol that E stands for was decided, or NULL. */
static const struct sema_origin *origin_of(const struct ir_expr *e)
{
	const struct sema_origin *ret = NULL;

	if (e->kind == IR_LOCAL)
		ret = &sema_local(e->local)->type;
	else if (e->kind == IR_GLOBAL)
		ret = &sema_global(e->global)->type;
	else if (e->kind == IR_ELEMENT)
		ret = &sema_global(e->element.array)->type;
	else if (e->kind == IR_CALL)
		ret = &sema_function(e->call.callee)->type;
	return ret && ret->span.start && ret->span.start != e->span.start ? ret : NULL;
}

static void also_at(struct infer *in, struct diagnostic *d, const struct sema_origin *origin)
{
	if (origin && origin->span.start)
		diag_set_second(in->s->sink, d, origin->span, origin->token);
}

/* A pointer to characters is a number: what reads them. NULL: E is none. */
static const char *reader_of(const struct ir_expr *e)
{
	const struct target_type *to = e->ttype && target_type_kind(e->ttype) == TARGET_TYPE_POINTER
					       ? target_type_pointee(e->ttype)
					       : NULL;

	if (!to || target_type_kind(to) != TARGET_TYPE_CHAR)
		return NULL;
	return target_type_is_user(e->ttype)
		       ? "user_string()"
		       : "kernel_string(), or of a process's memory user_string(),";
}

/*
 * Reports E, of type FOUND, where WANT was expected; with where that type of it was decided, or
 * where the expectation comes from.
 */
static void mismatch(struct infer *in, const struct ir_expr *e, enum ir_type want,
		     enum ir_type found)
{
	const struct sema_origin *origin = origin_of(e);
	struct diagnostic *d;

	if (!infer_reports(in, e->span))
		return;
	d = diag_report(in->s->sink, DIAG_TYPE_MISMATCH, e->span, ir_type_name(want),
			ir_type_name(found));
	sema_token(in->s, d, e->token);
	if (in->hint.text && (e == in->hint.of[0] || e == in->hint.of[1])) {
		diag_set_hint(in->s->sink, d, "%s", in->hint.text);
		in->hint.text = NULL;
	} else if (want == IR_STRING && reader_of(e)) {
		diag_set_hint(in->s->sink, d, "the text it points to is %s of it", reader_of(e));
	}
	also_at(in, d, !origin && in->wanted == e ? in->why : origin);
}

/* Reports two operands that should be of one type; with where that of one of them was decided. */
static void sides(struct infer *in, const struct ir_expr *e, const struct ir_expr *left,
		  const struct ir_expr *right)
{
	const struct sema_origin *origin = origin_of(right) ? origin_of(right) : origin_of(left);
	struct diagnostic *d;

	if (!infer_reports(in, e->span))
		return;
	d = diag_report(in->s->sink, DIAG_TYPE_SIDES, e->span, ir_type_name(left->type),
			ir_type_name(right->type));
	sema_token(in->s, d, e->token);
	also_at(in, d, origin);
}

/* The first type to come decides; whether others agree is the caller's to report. */
bool infer_meet(struct infer *in, enum ir_type *known, struct sema_origin *origin,
		enum ir_type type, struct span span, const char *token)
{
	if (type == IR_UNKNOWN)
		return true;
	if (*known == IR_UNKNOWN) {
		*known = type;
		if (origin)
			*origin = (struct sema_origin){ span, token };
		in->changed = true;
		return true;
	}
	return *known == type;
}

/* e is of a fixed type. */
static void fixed(struct infer *in, struct ir_expr *e, enum ir_type type, enum ir_type want)
{
	e->type = type;
	if (want != IR_UNKNOWN && want != type)
		mismatch(in, e, want, type);
}

void infer_expr_for(struct infer *in, struct ir_expr *e, enum ir_type want,
		    const struct sema_origin *why)
{
	const struct sema_origin *outer_why = in->why;
	const struct ir_expr *outer = in->wanted;

	in->wanted = e;
	in->why = why;
	infer_expr(in, e, want);
	in->wanted = outer;
	in->why = outer_why;
}

/* e stands for a symbol whose type may be known. */
static void symbol(struct infer *in, struct ir_expr *e, enum ir_type *known,
		   struct sema_origin *origin, enum ir_type want)
{
	if (!infer_meet(in, known, origin, want, e->span, e->token))
		mismatch(in, e, want, *known);
	e->type = *known;
}

/* There are no local statistics. */
static void infer_local(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct sema_local *l = sema_local(e->local);

	if (want == IR_STATS) {
		if (infer_reports(in, e->span))
			sema_token(in->s, diag_report(in->s->sink, DIAG_STAT_LOCAL, e->span),
				   e->token);
		return;
	}
	symbol(in, e, &l->ir.type, &l->type, want);
}

/*
 * Both ways: the array's key types are expected of the expressions, and theirs decide what is
 * open.
 */
void infer_keys(struct infer *in, struct ir_global *array, const struct ir_exprs *keys)
{
	struct sema_global *g = sema_global(array);

	for (size_t i = 0; i < keys->n && i < array->n_keys; i++) {
		struct ir_expr *k = keys->data[i];

		if (!k)
			continue;
		infer_expr_for(in, k, array->keys[i], &g->keys[i]);
		if (k->type != IR_STATS)
			infer_meet(in, &array->keys[i], &g->keys[i], k->type, k->span, k->token);
		else if (array->keys[i] == IR_UNKNOWN)
			mismatch(in, k, IR_LONG, IR_STATS);
	}
}

void infer_key_variable(struct infer *in, struct ir_global *array, unsigned i,
			struct ir_expr *variable)
{
	struct sema_global *g = sema_global(array);
	struct diagnostic *d;

	infer_expr(in, variable, IR_UNKNOWN);
	if (infer_meet(in, &array->keys[i], &g->keys[i], variable->type, variable->span,
		       variable->token)) {
		infer_expr(in, variable, array->keys[i]);
	} else if (infer_reports(in, variable->span)) {
		d = diag_report(in->s->sink, DIAG_INDEX_MISMATCH, variable->span);
		sema_token(in->s, d, variable->token);
		if (g->keys[i].span.start)
			diag_set_second(in->s->sink, d, g->keys[i].span, g->keys[i].token);
	}
}

/* Keys as well as the element's own type. */
static void infer_element(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct sema_global *g = sema_global(e->element.array);

	infer_keys(in, e->element.array, &e->element.keys);
	symbol(in, e, &g->ir.type, &g->type, want);
}

/* Operators whose operands and result have types of their own. */
static void infer_operands(struct infer *in, struct ir_expr *e, enum ir_type operand,
			   enum ir_type result, enum ir_type want)
{
	infer_expr(in, e->binary.left, operand);
	infer_expr(in, e->binary.right, operand);
	fixed(in, e, result, want);
}

/* Do two operands that must be numbers look as if texts were to be joined? */
static const char *join_hint(const struct ir_expr *left, const struct ir_expr *right,
			     const char *operator)
{
	return left->type == IR_STRING || right->type == IR_STRING ? operator: NULL;
}

/* The hint that was there before, to be put back when A and B have been inferred. */
static struct infer_hint hint_for(struct infer *in, const char *text, const struct ir_expr *a,
				  const struct ir_expr *b)
{
	struct infer_hint before = in->hint;

	in->hint = (struct infer_hint){ text, { a, b } };
	return before;
}

/* Arithmetic; other languages join strings by a plus. */
static void infer_arithmetic(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct ir_expr *l = e->binary.left, *r = e->binary.right;
	const char *text =
		e->kind == IR_BINARY && e->binary.op == IR_OP_ADD
			? join_hint(l, r,
				    "a dot joins strings: a . b; sprint(n) is a number as text")
			: NULL;
	struct infer_hint before = hint_for(in, text, l, r);

	infer_operands(in, e, IR_LONG, IR_LONG, want);
	in->hint = before;
}

/* A dot joins strings; what else people write it for, when the left side cannot be one. */
static void infer_concat(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	enum ir_expr_kind l = e->binary.left->kind, r = e->binary.right->kind;
	struct infer_hint before;
	const char *text = NULL;

	if (l == IR_NUMBER && r == IR_NUMBER)
		text = "numbers have no fraction; a dot joins strings";
	else if (l == IR_FETCH && (r == IR_LOCAL || r == IR_GLOBAL))
		text = "members are reached with '->'; a dot joins strings";
	before = hint_for(in, text, e->binary.left, e->binary.right);
	infer_operands(in, e, IR_STRING, IR_STRING, want);
	in->hint = before;
}

/* Both sides of one type, long or string; whichever is known first tells the other. */
static void infer_compare(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct ir_expr *l = e->binary.left, *r = e->binary.right;

	infer_expr(in, l, IR_UNKNOWN);
	infer_expr(in, r, IR_UNKNOWN);
	if (l->type == IR_UNKNOWN && r->type != IR_UNKNOWN)
		infer_expr(in, l, r->type);
	else if (r->type == IR_UNKNOWN && l->type != IR_UNKNOWN)
		infer_expr(in, r, l->type);
	if (l->type != IR_UNKNOWN && r->type != IR_UNKNOWN && l->type != r->type)
		sides(in, e, l, r);
	else if (l->type == IR_STATS)
		mismatch(in, l, IR_LONG, IR_STATS);
	fixed(in, e, IR_LONG, want);
}

/* Either arm may tell the other its type, as may the surroundings. */
static void infer_ternary(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct ir_expr *yes = e->ternary.yes, *no = e->ternary.no;
	const struct sema_origin *why = in->wanted == e ? in->why : NULL;
	enum ir_type arm = want != IR_UNKNOWN        ? want
			   : yes->type != IR_UNKNOWN ? yes->type
						     : no->type;

	infer_expr(in, e->ternary.cond, IR_LONG);
	if (want == IR_UNKNOWN && yes->type != IR_UNKNOWN && no->type != IR_UNKNOWN &&
	    yes->type != no->type) {
		sides(in, e, yes, no);
		e->type = yes->type;
		return;
	}
	infer_expr_for(in, yes, arm, why);
	infer_expr_for(in, no, arm != IR_UNKNOWN ? arm : yes->type, why);
	e->type = yes->type != IR_UNKNOWN ? yes->type : no->type;
}

/* Value and variable tell each other; the value of the assignment is the variable's. */
static void infer_set(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct ir_expr *lvalue = e->assign.lvalue, *value = e->assign.value;

	infer_expr(in, lvalue, IR_UNKNOWN);
	if (lvalue->type == IR_STATS) {
		mismatch(in, lvalue, IR_LONG, IR_STATS);
		infer_expr(in, value, IR_UNKNOWN);
		return;
	}
	if (lvalue->type == IR_UNKNOWN && want != IR_UNKNOWN)
		infer_expr(in, lvalue, want);
	infer_expr(in, value, IR_UNKNOWN);
	if (value->type == IR_UNKNOWN)
		infer_expr(in, value, lvalue->type);
	else if (value->type == IR_STATS)
		mismatch(in, value, lvalue->type != IR_UNKNOWN ? lvalue->type : IR_LONG, IR_STATS);
	else
		/* reports at the variable, with where its type came from */
		infer_expr(in, lvalue, value->type);
	e->type = lvalue->type;
	if (want != IR_UNKNOWN && e->type != IR_UNKNOWN && want != e->type &&
	    lvalue->type == value->type)
		mismatch(in, e, want, e->type);
}

/* op= fixes the type of both sides, as the operator would. */
static void infer_assign(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	enum ir_type type = e->assign.op == IR_OP_CONCAT ? IR_STRING : IR_LONG;
	struct infer_hint before;

	if (e->assign.op == IR_OP_NONE) {
		infer_set(in, e, want);
		return;
	}
	before = hint_for(in,
			  e->assign.op == IR_OP_ADD ? join_hint(e->assign.lvalue, e->assign.value,
								"strings are joined by .=")
						    : NULL,
			  e->assign.lvalue, e->assign.value);
	infer_expr(in, e->assign.lvalue, type);
	infer_expr(in, e->assign.value, type);
	in->hint = before;
	fixed(in, e, type, want);
}

/* False: what the compiler itself calls, of which the user has never heard. */
static bool has_public_name(const struct ir_function *f)
{
	return !f->builtin || f->name->text[0] != '_';
}

/*
 * Arguments decide the types of parameters that nothing else has decided. A function that
 * returns nothing has the type that its use as a value asks for, and gives 0 or "".
 */
static void infer_call(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct ir_function *f = e->call.callee;

	for (size_t i = 0; i < e->call.args.n; i++) {
		struct ir_expr *arg = e->call.args.data[i];
		struct sema_local *param = sema_local(f->params.data[i]);

		infer_expr_for(in, arg, param->ir.type, has_public_name(f) ? &param->type : NULL);
		if (arg->type == IR_STATS)
			mismatch(in, arg, IR_LONG, IR_STATS);
		else if (param->ir.type == IR_UNKNOWN)
			infer_meet(in, &param->ir.type, &param->type, arg->type, arg->span,
				   arg->token);
	}
	if (!sema_function(f)->returns_value && want == IR_UNKNOWN)
		e->type = IR_UNKNOWN;
	else
		symbol(in, e, &f->type, &sema_function(f)->type, want);
}

/* A name that turns out not to be a statistic is reported where it is used as one. */
void infer_stat(struct infer *in, struct ir_expr *stat)
{
	bool other = stat->type == IR_LONG || stat->type == IR_STRING;
	struct infer_hint before = hint_for(
		in,
		other ? "a statistic gets its values by <<< and by nothing else: NAME <<< value"
		      : NULL,
		stat, stat);

	infer_expr(in, stat, IR_STATS);
	in->hint = before;
}

/* Expected type of the i-th value of printf; print takes what comes, but no statistics. */
static enum ir_type printf_type(const struct ast_expr *ast, size_t at)
{
	size_t i = 0;

	vec_foreach(c, &ast->print.format) {
		if (c->kind == AST_CONV_TEXT)
			continue;
		if (c->width_arg && i++ == at)
			return IR_LONG;
		if (c->prec_arg && i++ == at)
			return IR_LONG;
		if (i++ == at)
			return c->kind == AST_CONV_STRING ? IR_STRING : IR_LONG;
	}
	return IR_UNKNOWN;
}

/* Texts made by the compiler have no tree: their arguments may be of any type. */
static void infer_print(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	const struct sema_print *print = map_get(&in->s->prints, e);
	const struct ast_expr *ast = print ? print->ast : NULL;

	for (size_t i = 0; i < e->print.args.n; i++) {
		struct ir_expr *arg = e->print.args.data[i];

		infer_expr(in, arg,
			   ast && ast->print.has_format ? printf_type(ast, i) : IR_UNKNOWN);
		if (arg->type == IR_STATS)
			mismatch(in, arg, IR_LONG, IR_STATS);
	}
	if (e->print.otherwise)
		infer_expr(in, e->print.otherwise, IR_STRING);
	fixed(in, e, e->print.to_string ? IR_STRING : IR_LONG, want);
}

static void infer_longs(struct infer *in, const struct ir_exprs *list)
{
	for (size_t i = 0; i < list->n; i++)
		infer_expr(in, list->data[i], IR_LONG);
}

static void infer_global(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	symbol(in, e, &e->global->type, &sema_global(e->global)->type, want);
}

/* The value stands in the probe's list; the node only refers to it. */
static void infer_saved(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	struct ir_expr *value = e->saved.probe->saved.data[e->saved.index];

	infer_expr(in, value, want);
	e->type = value->type;
}

/* A switch over all kinds: a new one must be thought of here. */
void infer_expr(struct infer *in, struct ir_expr *e, enum ir_type want)
{
	switch (e->kind) {
	case IR_NUMBER:
		fixed(in, e, IR_LONG, want);
		break;
	case IR_SAVED:
		infer_saved(in, e, want);
		break;
	case IR_STRING_LITERAL:
	case IR_POINT_TEXT:
		fixed(in, e, IR_STRING, want);
		break;
	case IR_EMBEDDED:
		for (size_t i = 0; i < e->named.n; i++)
			infer_expr(in, e->named.data[i], IR_UNKNOWN);
		fixed(in, e, e->type, want);
		break;
	case IR_LOCAL:
		infer_local(in, e, want);
		break;
	case IR_GLOBAL:
		infer_global(in, e, want);
		break;
	case IR_ELEMENT:
		infer_element(in, e, want);
		break;
	case IR_UNARY:
		infer_expr(in, e->unary.operand, IR_LONG);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_BINARY:
	case IR_LOGICAL:
		infer_arithmetic(in, e, want);
		break;
	case IR_COMPARE:
		infer_compare(in, e, want);
		break;
	case IR_CONCAT:
		infer_concat(in, e, want);
		break;
	case IR_MATCH:
		infer_expr(in, e->match.subject, IR_STRING);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_TERNARY:
		infer_ternary(in, e, want);
		break;
	case IR_ASSIGN:
		infer_assign(in, e, want);
		break;
	case IR_FEED:
		infer_stat(in, e->feed.stat);
		infer_expr(in, e->feed.value, IR_LONG);
		fixed(in, e, IR_STATS, want);
		break;
	case IR_INCDEC:
		infer_expr(in, e->incdec.lvalue, IR_LONG);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_IN:
		infer_keys(in, e->in.array, &e->in.keys);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		infer_call(in, e, want);
		break;
	case IR_FETCH:
		infer_longs(in, &e->fetch.operands);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_DEREF:
		infer_expr(in, e->deref.size, IR_LONG);
		infer_expr(in, e->deref.address, IR_LONG);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_REGISTER:
		infer_expr(in, e->reg.number, IR_LONG);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_EXTRACT:
		infer_stat(in, e->extract.stat);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_HIST_BUCKET:
		infer_stat(in, e->bucket.stat);
		infer_expr(in, e->bucket.index, IR_LONG);
		fixed(in, e, IR_LONG, want);
		break;
	case IR_PRINT:
		infer_print(in, e, want);
		break;
	case IR_ENUMNAME:
		infer_expr(in, e->enumname.value, IR_LONG);
		fixed(in, e, IR_STRING, want);
		break;
	case IR_PRINT_HIST:
		infer_stat(in, e->print_hist.stat);
		fixed(in, e, e->print_hist.to_string ? IR_STRING : IR_LONG, want);
		break;
	}
}
