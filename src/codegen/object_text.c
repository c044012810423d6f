/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that are made of the members of one object, as $file$ and $$parms$$ are: the programs of
 * all members begin alike, with what leads to the object, and go on with what is of its type. The
 * latter becomes a C function that takes the object's address, which handlers whose objects are of
 * one type share: a wildcard over functions that get a struct file compiles its members once. Equal
 * functions are known by their text, so types are one wherever they were described.
 */
#include <string.h>

#include "base/intern.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/value.h"
#include "runtime/uapi/script.h"

#define FETCHES_MIN 2  /* fewer are read where they are printed */
#define OPERANDS_MAX 4 /* of a function that makes text of a member */

/* The fetches of ARG: itself, or those a builtin makes text of; 0: it is made of something else. */
static size_t fetches_of(struct ir_expr *arg, struct ir_expr *fetches[OPERANDS_MAX])
{
	const struct ir_exprs *args = &arg->call.args;

	if (arg->kind == IR_FETCH) {
		fetches[0] = arg;
		return 1;
	}
	if (arg->kind != IR_BUILTIN_CALL || args->n > OPERANDS_MAX)
		return 0;
	for (size_t i = 0; i < args->n; i++) {
		if (args->data[i]->kind != IR_FETCH)
			return 0;
		fetches[i] = args->data[i];
	}
	return args->n;
}

/* How many instructions A and B begin with alike, of the first N. */
static size_t alike(const struct fetch_program *a, const struct fetch_program *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct fetch_program one = { .insns = a->insns + i, .n = 1 };
		struct fetch_program other = { .insns = b->insns + i, .n = 1 };

		if (i == b->n || !fetch_equal(&one, &other))
			return i;
	}
	return n;
}

/* Of the first N instructions, the most that leave one word. */
static size_t to_one_word(const struct fetch_program *p, size_t n)
{
	size_t depth = 0, ret = 0;

	for (size_t i = 0; i < n; i++) {
		depth = depth - fetch_ops[p->insns[i].op].pops + fetch_ops[p->insns[i].op].pushes;
		if (depth == 1)
			ret = i + 1;
	}
	return ret;
}

static struct fetch_program behind(const struct fetch_program *p, size_t n)
{
	return (struct fetch_program){ .insns = p->insns + n, .n = p->n - n };
}

/* What E reads, which only prints: false when it is made of anything but fetches. */
static bool collect(struct cg *cg, const struct ir_expr *e, struct ir_exprs *ret)
{
	struct ir_expr *fetches[OPERANDS_MAX];

	vec_foreach(arg, &e->print.args) {
		size_t n = fetches_of(*arg, fetches);

		if (!n)
			return false;
		for (size_t i = 0; i < n; i++)
			vec_push(cg->arena, ret, fetches[i]);
	}
	return true;
}

/* How many instructions all of READS begin with, which leave one word. */
static size_t common_way(const struct ir_exprs *reads)
{
	const struct fetch_program *first = &reads->data[0]->fetch.load;
	size_t n = first->n;

	vec_foreach(e, reads)
		n = alike(first, &(*e)->fetch.load, n);
	return to_one_word(first, n);
}

/* Whether all begin with the N instructions of WAY, and need nothing of the script behind them. */
static bool begin_there(const struct ir_exprs *reads, const struct fetch_program *way, size_t n)
{
	vec_foreach(e, reads) {
		struct fetch_program rest;

		if ((*e)->fetch.varying || (*e)->fetch.load.n < n ||
		    alike(way, &(*e)->fetch.load, n) < n)
			return false;
		rest = behind(&(*e)->fetch.load, n);
		if (fetch_has_operands(&rest))
			return false;
	}
	return true;
}

/* The other text is made of the object's address alone, and is sure to be made. */
static bool other_text_of(struct cg *cg, const struct ir_expr *e, const struct fetch_program *way)
{
	const struct ir_expr *other = e->print.otherwise;
	struct ir_exprs reads = { 0 };

	return other->kind == IR_PRINT && !other->print.otherwise && collect(cg, other, &reads) &&
	       begin_there(&reads, way, way->n) && !fetch_can_fail(way);
}

/* ---- the function ---- */

/*
 * E with its way to the object, of N instructions, replaced by the word OBJECT. It has no position:
 * the caller's is that of any error in it.
 */
static struct ir_expr *from_object(struct cg *cg, const struct ir_expr *e, size_t n,
				   struct ir_expr *object)
{
	struct ir_expr *ret = arena_new(cg->arena, struct ir_expr);
	struct fetch_program program = { 0 }, rest;

	*ret = *e;
	ret->span = (struct span){ 0 };
	if (e->kind == IR_FETCH) {
		rest = behind(&e->fetch.load, n);
		fetch_push(cg->arena, &program, (struct fetch_insn){ .op = FETCH_OPERAND });
		fetch_append(cg->arena, &program, &rest);
		ret->fetch.load = program;
		ret->fetch.varying = NULL;
		ret->fetch.operands = (struct ir_exprs){ 0 };
		vec_push(cg->arena, &ret->fetch.operands, object);
	} else if (e->kind == IR_BUILTIN_CALL) {
		ret->call.args = (struct ir_exprs){ 0 };
		vec_foreach(arg, &e->call.args)
			vec_push(cg->arena, &ret->call.args, from_object(cg, *arg, n, object));
	} else {
		ret->print.args = (struct ir_exprs){ 0 };
		if (e->print.otherwise)
			ret->print.otherwise = from_object(cg, e->print.otherwise, n, object);
		vec_foreach(arg, &e->print.args)
			vec_push(cg->arena, &ret->print.args, from_object(cg, *arg, n, object));
	}
	return ret;
}

/* The body: the text E of the parameter `object`, as a local of B. */
static struct emit_text body_text(struct cg *cg, struct body *b, const struct ir_expr *e, size_t n)
{
	struct ir_local *local = arena_new(cg->arena, struct ir_local);
	struct local_facts *facts = arena_new(cg->arena, struct local_facts);
	struct ir_expr *object = arena_new(cg->arena, struct ir_expr);
	struct emit_saved saved;
	struct value v;

	*local = (struct ir_local){ .name = intern(cg->intern, "object"),
				    .type = IR_LONG,
				    .is_param = true };
	*facts = (struct local_facts){ .used = true, .read = true, .c_name = "object" };
	*object = (struct ir_expr){ .kind = IR_LOCAL, .type = IR_LONG, .local = local };
	map_init(&b->locals, cg->arena);
	map_put(&b->locals, local, facts);
	emit_capture(&cg->w, &saved);
	/* an error of what is in the same statement is not one of these members */
	if (e->print.otherwise) {
		emit_line(&cg->w, "if (stp_unlikely(c->error))");
		cg->w.depth++;
		cg_exit(cg, b->leave);
		cg->w.depth--;
	}
	v = cg_print(cg, from_object(cg, e, n, object));
	cg_line(cg, "return %s;", v.text);
	cg_consume(cg, v);
	return emit_captured(&cg->w, &saved);
}

/*
 * Which of the functions makes the text E of an object that N instructions lead to. It is written
 * unless there is one of that text already.
 */
static unsigned function_number(struct cg *cg, const struct ir_expr *e, size_t n)
{
	struct exit leave = { .text = "return STP_S(\"\");" };
	struct body b = {
		.leave = &leave, .error = &leave, .mark = "mark", .is_object_text = true
	};
	unsigned depth = cg->w.depth;
	struct cg_outer outer;
	struct emit_saved saved;
	struct emit_text text;
	const struct istr *key;
	uintptr_t number;

	cg_begin_inner(cg, &b, &outer);
	cg->w.depth = 1;
	text = body_text(cg, &b, e, n);
	key = intern(cg->intern, emit_flat(&cg->w, &text));
	number = (uintptr_t)map_get(&cg->object_text_numbers, key);
	if (!number) {
		number = cg->object_texts.n + 1;
		map_put(&cg->object_text_numbers, key, (void *)number);
		emit_capture(&cg->w, &saved);
		cg->w.depth = 0;
		emit_line(&cg->w,
			  "static __attribute__((noinline)) struct stp_str " STP_OBJECT_TEXT_NAME
			  "%u(struct stp_ctx *c, stp_u64 object)",
			  (unsigned)number);
		emit_line(&cg->w, "{");
		cg->w.depth = 1;
		cg_declare(cg, &b, text);
		emit_close(&cg->w, "");
		emit_blank(&cg->w);
		vec_push(cg->arena, &cg->object_texts, emit_captured(&cg->w, &saved));
	}
	cg->w.depth = depth;
	cg_end_inner(cg, &outer);
	return (unsigned)number;
}

bool cg_object_text(struct cg *cg, const struct ir_expr *e, bool whole, struct value *ret)
{
	struct ir_exprs reads = { 0 };
	struct fetch_program way;
	struct ir_expr text = *e;
	struct value object;

	if (cg->body->is_object_text || !collect(cg, e, &reads) || reads.n < FETCHES_MIN)
		return false;
	way = (struct fetch_program){ .insns = reads.data[0]->fetch.load.insns,
				      .n = common_way(&reads) };
	if (!way.n || !begin_there(&reads, &way, way.n) || (whole && !other_text_of(cg, e, &way)))
		return false;
	if (!whole)
		text.print.otherwise = NULL;
	object = cg_program(cg, reads.data[0], &way);
	cg_position_soft(cg, e);
	cg_use_scratch(cg);
	*ret = cg_value(cg_printf(cg, STP_OBJECT_TEXT_NAME "%u(c, %s)",
				  function_number(cg, &text, way.n), object.text),
			PREC_PRIMARY, whole ? V_SOFT : V_FAILS);
	return true;
}

void cg_object_texts(struct cg *cg)
{
	for (; cg->n_object_texts < cg->object_texts.n; cg->n_object_texts++)
		emit_text(&cg->w, cg->object_texts.data[cg->n_object_texts]);
}
