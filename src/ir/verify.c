/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds between passes, checked after each. Before inference types may be
 * unknown and before the formats pass print nodes have none yet: both are looked at only once the
 * program has formats or says it is typed.
 */
#include "base/arena.h"
#include "ir/dump.h"
#include "ir/names.h"
#include "ir/walk.h"

/* State of one run. Only the first mistake is kept. */
struct verify {
	struct ir_walker walker;
	const struct ir_program *program;
	struct arena *arena;
	const char *wrong;
	const struct ir_function *function;
	const struct ir_probe *probe;
	unsigned loops;
};

/* Records what is wrong, with the function or probe in which it was found. */
static void fail(struct verify *v, const char *what, const char *detail)
{
	if (!v->wrong)
		v->wrong = arena_printf(v->arena, "%s%s%s, in %s", what, detail ? ": " : "",
					detail ? detail : "",
					v->function ? v->function->name->text
					: v->probe  ? v->probe->pn
						    : "the program");
}

/*
 * What may be assigned to. FETCH and DEREF are writes to the kernel's memory, which sema allows in
 * guru mode only.
 */
static bool is_lvalue(const struct ir_expr *e)
{
	switch (e->kind) {
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_ELEMENT:
	case IR_FETCH:
	case IR_DEREF:
		return true;
	default: /* anything else has no place to store to */
		break;
	}
	return false;
}

/* WILD: a NULL key may stand for any. */
static void check_keys(struct verify *v, const struct ir_global *array, const struct ir_exprs *keys,
		       bool wild)
{
	if (!array->is_array)
		fail(v, "subscript of a scalar", array->name->text);
	if (keys->n != array->n_keys)
		fail(v, "wrong number of keys", array->name->text);
	for (size_t i = 0; i < keys->n; i++)
		if (!keys->data[i] && !wild)
			fail(v, "missing key", array->name->text);
}

/* Operands of <<< and of extractors. */
static void check_stat(struct verify *v, const struct ir_expr *stat)
{
	if (stat->kind != IR_GLOBAL && stat->kind != IR_ELEMENT)
		fail(v, "statistic operand is not a global", ir_expr_kind_name(stat->kind));
}

/* A call is a builtin call exactly when its function has a row of the table. */
static void check_call(struct verify *v, const struct ir_expr *e)
{
	if (e->call.args.n != e->call.callee->params.n)
		fail(v, "wrong number of arguments", e->call.callee->name->text);
	if ((e->kind == IR_BUILTIN_CALL) != (e->call.callee->builtin != NULL))
		fail(v, "kind of call", e->call.callee->name->text);
}

/* Only once the program has formats: before pass formats there is nothing to compare. */
static void check_print(struct verify *v, const struct ir_expr *e)
{
	if (e->print.otherwise && (!e->print.to_string || e->print.otherwise->type != IR_STRING))
		fail(v, "text for a print that fails", NULL);
	if (!v->program->formats.n)
		return;
	if (e->print.format >= v->program->formats.n)
		fail(v, "print without a format", NULL);
	else if (v->program->formats.data[e->print.format].n_args != e->print.args.n)
		fail(v, "arguments of a print",
		     v->program->formats.data[e->print.format].text->text);
}

/* Step regexes gives each its number. */
static void check_match(struct verify *v, const struct ir_expr *e)
{
	const struct ir_regex *regex = e->match.regex;

	if (!regex || !regex->pattern)
		fail(v, "match without a pattern", NULL);
	else if (v->program->regexes.n && (regex->index >= v->program->regexes.n ||
					   v->program->regexes.data[regex->index] != regex))
		fail(v, "pattern out of place", regex->text->text);
}

/* A program is one. Empty: autocast has not decided yet; no address. */
static void check_program(struct verify *v, const struct fetch_program *program, size_t n_operands,
			  const char *where)
{
	const char *wrong =
		program->n ? fetch_verify(program, v->program->machine, n_operands, v->arena)
			   : NULL;

	if (wrong)
		fail(v, wrong, where);
}

/* It reads what the kind of probe and the point have. */
static void check_reads(struct verify *v, const struct fetch_program *program,
			const struct ir_point *point)
{
	for (size_t i = 0; i < program->n; i++) {
		const struct fetch_insn *in = &program->insns[i];

		if (in->op == FETCH_REG && v->probe->kind->registers == IR_REGISTERS_NONE)
			fail(v, "register where there are none", point->pp);
		if (in->op == FETCH_TPARG && in->number >= point->attach.n_words)
			fail(v, "argument that the point does not have", point->pp);
	}
}

static void check_fetch(struct verify *v, const struct ir_expr *e)
{
	check_program(v, &e->fetch.load, e->fetch.operands.n, e->token);
	check_program(v, &e->fetch.address, e->fetch.operands.n, e->token);
	/*
	 * of a function the probe is not known; what points have of their own is checked with them
	 */
	if (!v->probe || e->fetch.varying)
		return;
	vec_foreach(point, &v->probe->points) {
		check_reads(v, &e->fetch.load, point);
		check_reads(v, &e->fetch.address, point);
	}
}

/*
 * A program that one point has of its own. It has no operands: they would be evaluated by the
 * handler, which is shared.
 */
static void check_own(struct verify *v, const struct fetch_program *program,
		      const struct ir_point *point)
{
	check_program(v, program, 0, point->pp);
	check_reads(v, program, point);
}

/*
 * Called for each expression, from the outside in. No default: what holds of a new kind must be
 * said.
 */
static void verify_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct verify *v = (struct verify *)w;
	const struct ir_expr *e = *ref;

	switch (e->kind) {
	case IR_LOCAL:
		if (!e->local)
			fail(v, "local without a symbol", NULL);
		break;
	case IR_GLOBAL:
		if (!e->global)
			fail(v, "global without a symbol", NULL);
		break;
	case IR_ELEMENT:
		check_keys(v, e->element.array, &e->element.keys, false);
		break;
	case IR_IN:
		check_keys(v, e->in.array, &e->in.keys, true);
		break;
	case IR_ASSIGN:
		if (!is_lvalue(e->assign.lvalue))
			fail(v, "assignment to", ir_expr_kind_name(e->assign.lvalue->kind));
		break;
	case IR_INCDEC:
		if (!is_lvalue(e->incdec.lvalue))
			fail(v, "increment of", ir_expr_kind_name(e->incdec.lvalue->kind));
		break;
	case IR_FEED:
		check_stat(v, e->feed.stat);
		break;
	case IR_EXTRACT:
		check_stat(v, e->extract.stat);
		break;
	case IR_CALL:
	case IR_BUILTIN_CALL:
		check_call(v, e);
		break;
	case IR_SAVED:
		if (e->saved.index >= e->saved.probe->saved.n ||
		    (v->probe && v->probe != e->saved.probe))
			fail(v, "saved value out of range", NULL);
		break;
	case IR_FETCH:
		check_fetch(v, e);
		break;
	case IR_POINT_TEXT:
		if (v->probe && e->point_text.text >= v->probe->n_texts)
			fail(v, "text of a point out of range", NULL);
		break;
	case IR_ENUMNAME:
		if (e->enumname.table >= v->program->enumerations.n)
			fail(v, "names of an enumeration", NULL);
		break;
	case IR_MATCH:
		check_match(v, e);
		break;
	case IR_PRINT:
		check_print(v, e);
		break;
	case IR_NUMBER:
	case IR_STRING_LITERAL:
	case IR_UNARY:
	case IR_BINARY:
	case IR_LOGICAL:
	case IR_COMPARE:
	case IR_CONCAT:
	case IR_TERNARY:
	case IR_DEREF:
	case IR_REGISTER:
	case IR_HIST_BUCKET:
	case IR_PRINT_HIST:
	case IR_EMBEDDED:
		break; /* nothing to check but the operands */
	}
	ir_expr_children(w, *ref);
}

/* Loops are counted on the way down, for break and continue. */
static void verify_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	struct verify *v = (struct verify *)w;
	const struct ir_stmt *s = *ref;
	bool loop = s->kind == IR_STMT_LOOP || s->kind == IR_STMT_FOREACH ||
		    s->kind == IR_STMT_FOREACH_HIST;

	if ((s->kind == IR_STMT_BREAK || s->kind == IR_STMT_CONTINUE) && !v->loops)
		fail(v, "break or continue outside a loop", NULL);
	if (s->kind == IR_STMT_RETURN && !v->function)
		fail(v, "return outside a function", NULL);
	if (s->kind == IR_STMT_FOREACH && !s->foreach.array->is_array)
		fail(v, "foreach over a scalar", s->foreach.array->name->text);
	v->loops += loop;
	ir_stmt_children(w, *ref);
	v->loops -= loop;
}

/*
 * A probe has one point at least, and several only of a kind that allows it; each attaches as its
 * kind does and has as many values and texts as the probe says.
 */
static void check_points(struct verify *v, const struct ir_probe *p)
{
	if (!p->points.n || (p->points.n > 1 && !ir_kind_is(p->kind, IR_KIND_MANY)))
		fail(v, "number of points", p->pn);
	vec_foreach(point, &p->points) {
		if (point->attach.tag != p->kind->attach)
			fail(v, "attach point of another kind", point->pp);
		if (!point->pp)
			fail(v, "point without a name", p->pn);
		if (point->module && point->attach.tag != IR_ATTACH_KERNEL &&
		    point->attach.tag != IR_ATTACH_TRACEPOINT)
			fail(v, "point of a module that says no section", point->pp);
		for (uint32_t i = 0; i < p->n_values; i++)
			check_own(v, &point->values[i], point);
		for (uint32_t i = 0; i < p->n_texts; i++)
			vec_foreach(program, &point->texts[i].values)
				check_own(v, program, point);
	}
	if (p->saved.n && !ir_kind_is(p->kind, IR_KIND_RETURN))
		fail(v, "values saved where nothing returns", p->pn);
}

/* Functions first, then probes; v.function and v.probe tell the callbacks where they are. */
const char *ir_verify(const struct ir_program *program, struct arena *arena)
{
	struct verify v = { .walker = { verify_expr, verify_stmt },
			    .program = program,
			    .arena = arena };

	vec_foreach(f, &program->functions) {
		struct ir_stmt *body = (*f)->body;

		v.function = *f;
		if (!body && !(*f)->code && !(*f)->builtin)
			fail(&v, "function without a body", NULL);
		ir_walk_stmt(&v.walker, &body);
	}
	v.function = NULL;
	vec_foreach(p, &program->probes) {
		v.probe = *p;
		if (!(*p)->pn || !(*p)->body)
			fail(&v, "probe without name or body", NULL);
		else
			check_points(&v, *p);
		ir_walk_probe(&v.walker, *p);
	}
	v.probe = NULL;
	for (size_t i = 0; i < program->globals.n; i++)
		if (program->globals.data[i]->n_keys > 0 && !program->globals.data[i]->is_array)
			fail(&v, "keys of", program->globals.data[i]->name->text);
	return v.wrong;
}
