/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builders of expressions and statements. Declarations are in declare.c, the print family in
 * print_family.c. Each makes a zeroed node, fills its arm of the union and accounts for its
 * children; checks report and go on.
 */
#include "ast/build.h"
#include "ast/foreign.h"
#include "ast/tree.h"

#include <assert.h>
#include <string.h>

void ast_exprs_add(struct ast_builder *b, struct ast_exprs *list, struct ast_expr *expr)
{
	vec_push(b->arena, list, expr);
}

void ast_stmts_add(struct ast_builder *b, struct ast_stmts *list, struct ast_stmt *stmt)
{
	if (stmt->kind != AST_STMT_EMPTY)
		vec_push(b->arena, list, stmt);
}

/* A leaf: depth and height 1. Children are accounted for with ast_expr_above(). */
static struct ast_expr *expr_create(struct ast_builder *b, struct span span,
				    enum ast_expr_kind kind)
{
	struct ast_expr *e = arena_new(b->arena, struct ast_expr);

	e->kind = kind;
	e->span = span;
	e->depth = 1;
	e->height = 1;
	return e;
}

static unsigned max_height(const struct ast_builder *b)
{
	return b->max_height ? b->max_height : AST_HEIGHT_DEFAULT;
}

/*
 * Depth is nesting as it was written: the left operand of a binary operator that is one itself (1 +
 * 1 + ...) is not deeper. Height is the way down to the leaf farthest away, which passes recurse
 * by. Both are kept up from below while the parser builds; each limit is reported once, by the node
 * that crosses it, and beyond it the number no longer grows.
 */
void ast_expr_above(struct ast_builder *b, struct ast_expr *e, const struct ast_expr *child)
{
	unsigned max = max_height(b), depth, height;

	if (!child)
		return;
	depth = child->depth + !(e->kind == AST_EXPR_BINARY && e->binary.left == child &&
				 child->kind == AST_EXPR_BINARY);
	height = child->height + 1u;
	/* once, where the limit is crossed: above it numbers stand still */
	if (depth > AST_DEPTH_MAX && child->depth <= AST_DEPTH_MAX)
		diag_report(b->sink, DIAG_PARSE_DEPTH, e->span);
	else if (height == max + 2)
		diag_report(b->sink, DIAG_PARSE_LONG, e->span, max);
	if (depth > e->depth)
		e->depth = depth <= AST_DEPTH_MAX ? depth : AST_DEPTH_MAX + 1;
	if (height > e->height)
		e->height = height <= max + 1 ? height : max + 2;
}

/* The same for all of a list. A NULL in it ('*') is a leaf of no height. */
static void expr_above_all(struct ast_builder *b, struct ast_expr *e, const struct ast_exprs *list)
{
	for (size_t i = 0; i < list->n; i++)
		ast_expr_above(b, e, list->data[i]);
}

/*
 * Embedded C and raw access are for guru mode and tapsets. Text that comes from a macro of the
 * library counts as the library's, wherever the macro is used.
 */
static void require_privilege(struct ast_builder *b, struct span span)
{
	size_t len;
	const char *text = source_map_text(diag_sink_map(b->sink), span, &len);

	if (b->privileged || source_map_is_library(diag_sink_map(b->sink), span.start))
		return;
	if (len >= 2 && !memcmp(text, "%{", 2))
		diag_report(b->sink, DIAG_PARSE_EMBEDDED_PRIVILEGE, span)->about_token = true;
	else
		diag_report(b->sink, DIAG_PARSE_OPERATOR_PRIVILEGE, span,
			    arena_strndup(b->arena, text, len))
			->about_token = true;
}

/*
 * Target variables can be written unless printed or taken the address of; whether this probe may
 * write them is for sema.
 */
static bool is_lvalue(const struct ast_expr *e)
{
	if (e->kind == AST_EXPR_TARGET)
		return !e->target.address_of && !e->target.pretty;
	return e->kind == AST_EXPR_NAME || e->kind == AST_EXPR_INDEX || e->kind == AST_EXPR_DEREF;
}

/* NAME or $NAME, and nothing behind it */
static bool is_plain_variable(const struct ast_expr *e)
{
	return e->kind == AST_EXPR_NAME ||
	       (e->kind == AST_EXPR_TARGET && e->target.base == AST_TARGET_VAR && is_lvalue(e) &&
		!e->target.path.n);
}

static void require_lvalue(struct ast_builder *b, const struct ast_expr *e)
{
	struct diagnostic *d;
	const char *hint = NULL;

	if (is_lvalue(e))
		return;
	d = diag_report(b->sink, DIAG_PARSE_LVALUE, e->span);
	d->about_token = true;
	/* char *p = ... */
	if (e->kind == AST_EXPR_BINARY && e->binary.left->kind == AST_EXPR_NAME)
		hint = ast_foreign(e->binary.left->name.name->text, e->binary.left->name.name->len,
				   NULL);
	if (!hint && e->kind == AST_EXPR_BINARY && e->binary.op == AST_OP_CONCAT)
		hint = "members are reached with '->', elements of arrays by NAME[key]; a dot joins strings";
	if (e->kind == AST_EXPR_CALL)
		hint = "an element of an array is written NAME[key]";
	if (hint)
		diag_set_hint(b->sink, d, "%s", hint);
}

struct ast_expr *ast_number(struct ast_builder *b, struct span span, int64_t value)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_NUMBER);

	e->number.value = value;
	return e;
}

struct ast_expr *ast_string(struct ast_builder *b, struct span span, const struct istr *value)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_STRING);

	e->string.value = value;
	return e;
}

struct ast_expr *ast_name(struct ast_builder *b, struct span span, const struct istr *name)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_NAME);

	e->name.name = name;
	return e;
}

struct ast_expr *ast_variable(struct ast_builder *b, struct span span, const struct istr *name)
{
	if (ast_print_operator(name->text, name->len) >= 0) {
		struct diagnostic *d = diag_report(b->sink, DIAG_PARSE_EXPECTED, span, "'('");

		d->about_token = true;
		diag_set_hint(b->sink, d, "what to print stands in parentheses: %s(...)",
			      name->text);
	}
	return ast_name(b, span, name);
}

struct ast_expr *ast_index(struct ast_builder *b, struct span span, const struct istr *name,
			   struct ast_exprs keys)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_INDEX);

	e->index.name = name;
	e->index.keys = keys;
	expr_above_all(b, e, &keys);
	return e;
}

struct ast_expr *ast_call(struct ast_builder *b, struct span span, const struct istr *name,
			  struct ast_exprs args)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_CALL);

	e->call.name = name;
	e->call.args = args;
	expr_above_all(b, e, &args);
	return e;
}

struct ast_expr *ast_unary(struct ast_builder *b, struct span span, enum ast_op op,
			   struct ast_expr *operand)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_UNARY);

	e->unary.op = op;
	e->unary.operand = operand;
	ast_expr_above(b, e, operand);
	return e;
}

struct ast_expr *ast_binary(struct ast_builder *b, struct span span, enum ast_op op,
			    struct ast_expr *left, struct ast_expr *right)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_BINARY);

	e->binary.op = op;
	e->binary.left = left;
	e->binary.right = right;
	ast_expr_above(b, e, left);
	ast_expr_above(b, e, right);
	return e;
}

struct ast_expr *ast_match(struct ast_builder *b, struct span span, bool negated,
			   struct ast_expr *left, const struct istr *pattern,
			   struct span pattern_span)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_MATCH);

	e->match.negated = negated;
	e->match.left = left;
	e->match.pattern = pattern;
	e->match.pattern_span = pattern_span;
	ast_expr_above(b, e, left);
	return e;
}

struct ast_expr *ast_ternary(struct ast_builder *b, struct span span, struct ast_expr *cond,
			     struct ast_expr *yes, struct ast_expr *no)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_TERNARY);

	e->ternary.cond = cond;
	e->ternary.yes = yes;
	e->ternary.no = no;
	ast_expr_above(b, e, cond);
	ast_expr_above(b, e, yes);
	ast_expr_above(b, e, no);
	return e;
}

struct ast_expr *ast_assign(struct ast_builder *b, struct span span, enum ast_op op,
			    struct ast_expr *left, struct ast_expr *right)
{
	struct ast_expr *e;

	if (b->loose_ternary && left->kind == AST_EXPR_TERNARY) {
		left->ternary.no = ast_assign(b, span, op, left->ternary.no, right);
		ast_expr_above(b, left, left->ternary.no);
		return left;
	}
	e = expr_create(b, span, AST_EXPR_ASSIGN);
	require_lvalue(b, left);
	e->assign.op = op;
	e->assign.left = left;
	e->assign.right = right;
	ast_expr_above(b, e, left);
	ast_expr_above(b, e, right);
	return e;
}

struct ast_expr *ast_incdec(struct ast_builder *b, struct span span, enum ast_op op, bool prefix,
			    struct ast_expr *operand)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_INCDEC);

	require_lvalue(b, operand);
	e->incdec.op = op;
	e->incdec.prefix = prefix;
	e->incdec.operand = operand;
	ast_expr_above(b, e, operand);
	return e;
}

struct ast_expr *ast_in(struct ast_builder *b, struct span span, struct ast_exprs keys,
			const struct istr *array, struct span array_span)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_IN);

	e->in.keys = keys;
	e->in.array = array;
	e->in.array_span = array_span;
	expr_above_all(b, e, &keys);
	return e;
}

/* operand is NULL for the bases that have none. */
static struct ast_expr *target_create(struct ast_builder *b, struct span span,
				      enum ast_target_base base, struct ast_expr *operand)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_TARGET);

	e->target.base = base;
	e->target.operand = operand;
	ast_expr_above(b, e, operand);
	return e;
}

/* How many $ end the name; "$$" alone before a name is no suffix. */
static uint8_t pretty_suffix(const struct istr *name)
{
	uint8_t n = 0;

	while (n < 2 && n + 1u < name->len && name->text[name->len - 1 - n] == '$')
		n++;
	return n;
}

/*
 * A name of its own in the table of strings, so that it compares equal to the one written without.
 */
static const struct istr *without_suffix(struct ast_builder *b, const struct istr *name, uint8_t n)
{
	return n ? intern_n(b->in, name->text, name->len - n) : name;
}

/* text has the '$' in front, and perhaps one or two behind: all one token. */
struct ast_expr *ast_target(struct ast_builder *b, struct span span, const struct istr *text)
{
	struct ast_expr *e = target_create(b, span, AST_TARGET_VAR, NULL);
	const struct istr *name = intern_n(b->in, text->text + 1, text->len - 1);

	e->target.pretty = pretty_suffix(name);
	e->target.name = without_suffix(b, name, e->target.pretty);
	return e;
}

struct ast_expr *ast_atvar(struct ast_builder *b, struct span span, const struct istr *name,
			   const struct istr *module)
{
	struct ast_expr *e = target_create(b, span, AST_TARGET_ATVAR, NULL);

	e->target.name = name;
	e->target.module = module;
	return e;
}

struct ast_expr *ast_errno(struct ast_builder *b, struct span span)
{
	struct ast_expr *e = target_create(b, span, AST_TARGET_ERRNO, NULL);

	e->target.name = intern(b->in, "errno");
	return e;
}

struct ast_expr *ast_cast(struct ast_builder *b, struct span span, struct ast_expr *operand,
			  const struct istr *type, const struct istr *module)
{
	struct ast_expr *e = target_create(b, span, AST_TARGET_CAST, operand);

	e->target.name = type;
	e->target.module = module;
	return e;
}

/* The target that a path step extends: BASE itself, or an autocast of it. */
static struct ast_expr *target_to_extend(struct ast_builder *b, struct span span,
					 struct ast_expr *base)
{
	if (base->kind == AST_EXPR_TARGET && !base->target.address_of && !base->target.pretty)
		return base;
	if (b->no_autocast)
		diag_report(b->sink, DIAG_PARSE_AUTOCAST, span)->about_token = true;
	return target_create(b, span, AST_TARGET_AUTO, base);
}

/*
 * The lexer takes "name$$" for one word, so a suffix comes with the last member. Steps are appended
 * to the base in place: a chain of members is one node with a path, however long.
 */
struct ast_expr *ast_member(struct ast_builder *b, struct span span, struct ast_expr *base,
			    const struct istr *name)
{
	struct ast_expr *e = target_to_extend(b, span, base);
	struct ast_access step = { .kind = AST_MEMBER, .span = span };

	e->target.pretty = pretty_suffix(name);
	step.member = without_suffix(b, name, e->target.pretty);
	vec_push(b->arena, &e->target.path, step);
	return e;
}

/* The index counts for height; the steps of a path do not, as nothing recurses by them. */
struct ast_expr *ast_subscript(struct ast_builder *b, struct span span, struct ast_expr *base,
			       struct ast_expr *index)
{
	struct ast_expr *e = target_to_extend(b, span, base);
	struct ast_access step = { .kind = AST_SUBSCRIPT, .span = span, .index = index };

	vec_push(b->arena, &e->target.path, step);
	ast_expr_above(b, e, index);
	return e;
}

struct ast_expr *ast_pretty(struct ast_builder *b, struct span span, struct ast_expr *base,
			    const struct istr *suffix)
{
	struct ast_expr *e = target_to_extend(b, span, base);

	e->target.pretty = (uint8_t)suffix->len;
	return e;
}

/* An address has no address: then the base is given back as it was, behind a diagnostic. */
struct ast_expr *ast_address(struct ast_builder *b, struct span span, struct ast_expr *base)
{
	if (base->kind != AST_EXPR_TARGET || base->target.address_of) {
		diag_report(b->sink, DIAG_PARSE_ADDRESS, span);
		return base;
	}
	base->target.address_of = true;
	return base;
}

struct ast_expr *ast_operand(struct ast_builder *b, struct span span, enum ast_expr_kind kind,
			     struct ast_expr *operand)
{
	struct ast_expr *e = expr_create(b, span, kind);

	e->defined.operand = operand;
	if (kind == AST_EXPR_PROBEWRITE && !is_plain_variable(operand))
		diag_report(b->sink, DIAG_PARSE_EXPECTED, operand->span, "the name of a variable");
	ast_expr_above(b, e, operand);
	return e;
}

struct ast_expr *ast_text(struct ast_builder *b, struct span span, enum ast_expr_kind kind,
			  const struct istr *text)
{
	struct ast_expr *e = expr_create(b, span, kind);

	if (kind == AST_EXPR_CONST)
		require_privilege(b, span);
	e->text.text = text;
	return e;
}

struct ast_expr *ast_enumname(struct ast_builder *b, struct span span, struct ast_expr *value,
			      const struct istr *type, const struct istr *module)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_ENUMNAME);

	e->enumname.value = value;
	e->enumname.type = type;
	e->enumname.module = module;
	ast_expr_above(b, e, value);
	return e;
}

struct ast_expr *ast_deref(struct ast_builder *b, struct span span, bool user,
			   struct ast_expr *size, struct ast_expr *address)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_DEREF);

	if (!user)
		require_privilege(b, span); /* what programs have may be read by any script */
	e->deref.user = user;
	e->deref.size = size;
	e->deref.address = address;
	ast_expr_above(b, e, size);
	ast_expr_above(b, e, address);
	return e;
}

struct ast_expr *ast_register(struct ast_builder *b, struct span span, bool user,
			      struct ast_expr *number)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_REGISTER);

	if (!user)
		require_privilege(b, span);
	e->reg.user = user;
	e->reg.number = number;
	ast_expr_above(b, e, number);
	return e;
}

struct ast_expr *ast_extract(struct ast_builder *b, struct span span, enum ast_extractor op,
			     struct ast_expr *stat)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_EXTRACT);

	e->extract.op = op;
	e->extract.stat = stat;
	ast_expr_above(b, e, stat);
	return e;
}

struct ast_expr *ast_variance(struct ast_builder *b, struct span span, struct ast_expr *stat,
			      int64_t shift, struct span shift_span)
{
	struct ast_expr *e = ast_extract(b, span, AST_VARIANCE, stat);

	if (shift < 0 || shift > 62)
		diag_report(b->sink, DIAG_PARSE_BIT_SHIFT, shift_span, (long long)shift)
			->about_token = true;
	e->extract.bit_shift = shift;
	e->extract.has_shift = true;
	return e;
}

struct ast_expr *ast_hist_log(struct ast_builder *b, struct span span, struct ast_expr *stat)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_HIST);

	e->hist.stat = stat;
	ast_expr_above(b, e, stat);
	return e;
}

struct ast_expr *ast_hist_linear(struct ast_builder *b, struct span span, struct ast_expr *stat,
				 int64_t low, int64_t high, int64_t step)
{
	struct ast_expr *e = ast_hist_log(b, span, stat);

	e->hist.linear = true;
	e->hist.low = low;
	e->hist.high = high;
	e->hist.step = step;
	return e;
}

struct ast_expr *ast_in_hist(struct ast_builder *b, struct span span, struct ast_expr *index,
			     struct ast_expr *hist)
{
	return ast_binary(b, span, AST_OP_NE, ast_bucket(b, span, hist, index),
			  ast_number(b, span, 0));
}

struct ast_expr *ast_bucket(struct ast_builder *b, struct span span, struct ast_expr *hist,
			    struct ast_expr *index)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_HIST_BUCKET);

	e->bucket.hist = hist;
	e->bucket.index = index;
	ast_expr_above(b, e, hist);
	ast_expr_above(b, e, index);
	return e;
}

struct ast_expr *ast_embedded(struct ast_builder *b, struct span span, const struct istr *text)
{
	struct ast_expr *e = expr_create(b, span, AST_EXPR_EMBEDDED);

	require_privilege(b, span);
	e->text.text = text;
	return e;
}

/* ---- statements ---- */

struct ast_stmt *ast_stmt_simple(struct ast_builder *b, struct span span, enum ast_stmt_kind kind)
{
	struct ast_stmt *s = arena_new(b->arena, struct ast_stmt);

	s->kind = kind;
	s->span = span;
	return s;
}

struct ast_stmt *ast_stmt_block(struct ast_builder *b, struct span span, struct ast_stmts list)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, AST_STMT_BLOCK);

	s->block.list = list;
	return s;
}

struct ast_stmt *ast_stmt_expr(struct ast_builder *b, struct span span, enum ast_stmt_kind kind,
			       struct ast_expr *expr)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, kind);

	s->expr.expr = expr;
	return s;
}

/*
 * A condition that stores a constant is always the same, so a comparison was meant. Of other
 * assignments nobody can tell.
 */
static void check_condition(struct ast_builder *b, const struct ast_expr *cond)
{
	struct diagnostic *d;

	if (!cond || cond->kind != AST_EXPR_ASSIGN || cond->assign.op != AST_OP_SET ||
	    (cond->assign.right->kind != AST_EXPR_NUMBER &&
	     cond->assign.right->kind != AST_EXPR_STRING) ||
	    b->file->library)
		return;
	d = diag_report(b->sink, DIAG_PARSE_CONDITION, cond->span);
	d->about_token = d->each_place = true;
	diag_set_hint(b->sink, d, "did you mean '=='?");
}

struct ast_chain ast_chain(struct ast_builder *b, struct span span, struct ast_expr *cond)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, AST_STMT_IF);

	check_condition(b, cond);
	s->cond.cond = cond;
	return (struct ast_chain){ s, s, 0 };
}

void ast_chain_arm(struct ast_chain *chain, struct ast_stmt *yes)
{
	chain->last->cond.yes = yes;
}

void ast_chain_if(struct ast_builder *b, struct ast_chain *chain, struct span span,
		  struct ast_expr *cond)
{
	struct ast_stmt *next = ast_chain(b, span, cond).first;

	chain->n++;
	if (chain->n == max_height(b) + 1)
		diag_report(b->sink, DIAG_PARSE_CHAIN, span, max_height(b))->about_token = true;
	if (chain->n <= max_height(b))
		ast_chain_else(chain, next);
	chain->last = next;
}

void ast_chain_else(struct ast_chain *chain, struct ast_stmt *no)
{
	chain->last->cond.no = no;
}

struct ast_stmt *ast_stmt_for(struct ast_builder *b, struct span span, struct ast_expr *init,
			      struct ast_expr *cond, struct ast_expr *step, struct ast_stmt *body)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, AST_STMT_FOR);

	check_condition(b, cond);
	s->loop.init = init;
	s->loop.cond = cond;
	s->loop.step = step;
	s->loop.body = body;
	return s;
}

struct ast_stmt *ast_stmt_try(struct ast_builder *b, struct span span, struct ast_stmt *body,
			      const struct istr *var, struct span var_span,
			      struct ast_stmt *handler)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, AST_STMT_TRY);

	s->try_.body = body;
	s->try_.handler = handler;
	s->try_.var = var;
	s->try_.var_span = var_span;
	return s;
}

struct ast_stmt *ast_stmt_code(struct ast_builder *b, struct span span, const struct istr *text)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, AST_STMT_EMBEDDED);

	require_privilege(b, span);
	s->code.text = text;
	return s;
}

/*
 * "foreach (v = k in @hist_log(s)) body": k runs over the buckets, and the body begins with v =
 * @hist_log(s)[k].
 */
static struct ast_stmt *bucket_body(struct ast_builder *b, const struct ast_foreach *head,
				    struct ast_stmt *body)
{
	struct span span = head->value->span;
	struct ast_expr *count = ast_bucket(b, span, ast_clone_expr(b->arena, head->hist),
					    ast_clone_expr(b->arena, head->keys.data[0]));
	struct ast_stmts list = { 0 };

	ast_stmts_add(b, &list,
		      ast_stmt_expr(b, span, AST_STMT_EXPR,
				    ast_assign(b, span, AST_OP_SET, head->value, count)));
	ast_stmts_add(b, &list, body);
	return ast_stmt_block(b, span, list);
}

/* The head was filled while it was parsed and belongs to this statement from now on. */
struct ast_stmt *ast_stmt_foreach(struct ast_builder *b, struct span span, struct ast_foreach *head,
				  struct ast_stmt *body)
{
	struct ast_stmt *s = ast_stmt_simple(b, span, AST_STMT_FOREACH);

	s->foreach = *head;
	s->foreach.body = body;
	if (head->hist && head->value) {
		s->foreach.value = NULL;
		s->foreach.body = bucket_body(b, head, body);
	}
	return s;
}

struct ast_foreach *ast_foreach_create(struct ast_builder *b)
{
	return arena_new(b->arena, struct ast_foreach);
}

/* dir 0: no mark stood there. Of two marks the first counts, and the second is the mistake. */
void ast_foreach_sort(struct ast_builder *b, struct ast_foreach *head, int dir, int key,
		      struct span span)
{
	if (!dir)
		return;
	if (head->sort_dir) {
		diag_report(b->sink, DIAG_PARSE_SORT, span)->about_token = true;
		return;
	}
	head->sort_dir = dir;
	head->sort_key = key;
}

/* Keys are counted from 1, as head->sort_key names them: 0 there is the value. */
void ast_foreach_key(struct ast_builder *b, struct ast_foreach *head, struct ast_expr *name,
		     int dir, struct span dir_span)
{
	ast_exprs_add(b, &head->keys, name);
	ast_foreach_sort(b, head, dir, (int)head->keys.n, dir_span);
}

void ast_foreach_source(struct ast_builder *b, struct ast_foreach *head, struct ast_expr *array,
			const struct ast_exprs *slice, enum ast_extractor extractor,
			struct span extractor_span, int dir, struct span dir_span)
{
	assert(array->kind == AST_EXPR_NAME);
	head->array = array->name.name;
	head->array_span = array->span;
	if (slice) {
		head->sliced = true;
		head->slice = *slice;
	}
	head->extractor = extractor;
	if (extractor && !dir)
		diag_report(b->sink, DIAG_PARSE_SORT_EXTRACTOR, extractor_span)->about_token = true;
	ast_foreach_sort(b, head, dir, 0, dir_span);
}
