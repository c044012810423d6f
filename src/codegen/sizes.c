/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much room a script needs: bytes of scratch of a handler with all it calls, kernel stack, and
 * how deep calls may nest. Requires the facts of the IR; ensures cg.functions. The figures for
 * scratch and stack only make overruns rare: the runtime checks both.
 */
#include <string.h>

#include "base/intern.h"
#include "codegen/body.h"
#include "codegen/internal.h"
#include "codegen/sizes.h"
#include "codegen/value.h"
#include "diag/diag.h"
#include "ir/walk.h"
#include "runtime/uapi/arrays.h"

/*
 * The most bytes of a %m where pages have so many. Of larger pages a dump of more may find scratch
 * used up, which the runtime reports; with the room of 64 KiB each, four would be all of it.
 */
#define PAGE 4096
#define SCRATCH_MAX (256u << 10)
#define MB (1u << 20)
#define CONTEXT_MAX (256u * MB) /* scratch with the notes of loops: each CPU has so much */
#define DEEP 10 /* call chains longer than this are counted even without recursion */

static struct function_sizes *visit_function(struct cg *cg, const struct ir_function *f);

/* ---- scratch: the most that a statement, a body, a call chain has in use at once ---- */
struct scratch {
	struct ir_walker walker;
	struct cg *cg;
	uint64_t bytes;
};

/* A string in scratch, with room for rounding up. */
static uint64_t string_size(const struct cg *cg)
{
	return cg->in->limits.max_string + 16;
}

/* The buckets, folded over all processors. */
static uint64_t hist_size(const struct cg *cg, const struct ir_expr *e)
{
	return (cg->program->hists.data[e->print_hist.hist].n_buckets + 1) * sizeof(uint64_t);
}

/* Every string that an expression makes, as if none were given back before the statement ends. */
static void scratch_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct scratch *v = (struct scratch *)w;
	const struct ir_expr *e = *ref;
	const struct ir_format *f;

	if (e->kind == IR_POINT_TEXT && !e->point_text.literal)
		v->bytes += STP_POINT_VALUES * sizeof(union stp_val);
	if (e->type == IR_STRING && e->kind != IR_STRING_LITERAL && e->kind != IR_SAVED)
		v->bytes += string_size(v->cg);
	if (e->kind == IR_CALL)
		v->bytes += visit_function(v->cg, e->call.callee)->scratch;
	if (e->kind == IR_EMBEDDED)
		v->bytes += e->named.n * string_size(v->cg);
	if (e->kind == IR_BUILTIN_CALL)
		v->bytes += e->call.args.n * string_size(v->cg);
	if (e->kind == IR_PRINT) {
		f = &v->cg->program->formats.data[e->print.format];
		v->bytes += f->memory
				    ? e->print.args.n * 16 + __builtin_popcountll(f->memory) * PAGE
				    : 0;
		v->bytes += e->print.otherwise ? string_size(v->cg) : 0;
	}
	if (e->kind == IR_PRINT_HIST)
		v->bytes += hist_size(v->cg, e);
	ir_expr_children(w, *ref);
}

static uint64_t expr_scratch(struct cg *cg, const struct ir_expr *e)
{
	struct scratch v = { .walker = { scratch_expr, NULL }, .cg = cg };
	struct ir_expr *ref = (struct ir_expr *)e;

	ir_walk_expr(&v.walker, &ref);
	return v.bytes;
}

static uint64_t list_scratch(struct cg *cg, const struct ir_exprs *list)
{
	uint64_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += expr_scratch(cg, list->data[i]);
	return n;
}

/* The notes of a loop whose body sorts its array again. */
static uint64_t snapshot_size(struct cg *cg, const struct ir_foreach *f)
{
	const struct ir_global *g = f->array;
	uint64_t element = STP_SNAPSHOT_SLOT, size;

	if (!cg_needs_snapshot(cg, f))
		return 0;
	if (g->type == IR_STATS) {
		element += STP_SNAPSHOT_HEAD;
		for (unsigned i = 0; i < g->n_keys; i++)
			element += g->keys[i] == IR_STRING
					   ? STP_SNAPSHOT_STRING(cg->in->limits.max_string)
					   : sizeof(int64_t);
	}
	size = g->capacity * element + 2 * STP_SNAPSHOT_SLOT;
	cg->snapshots += size;
	if (size > cg->greediest_size) {
		cg->greediest = f;
		cg->greediest_size = size;
	}
	return size;
}

static uint64_t max64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t stmt_scratch(struct cg *cg, const struct ir_stmt *s);

/* What the conditions of a chain of else ifs need stays in use along it. */
static uint64_t ifs_scratch(struct cg *cg, const struct ir_stmt *s)
{
	uint64_t most = 0, conditions = 0;

	for (; s && s->kind == IR_STMT_IF; s = s->cond.no) {
		conditions += expr_scratch(cg, s->cond.cond);
		most = max64(most, conditions + stmt_scratch(cg, s->cond.yes));
	}
	return max64(most, conditions + stmt_scratch(cg, s));
}

/*
 * Statements give back what they used, so of a list the greediest counts; what a loop or branch
 * needs for its head stays in use in its body.
 */
static uint64_t stmt_scratch(struct cg *cg, const struct ir_stmt *s)
{
	uint64_t n = 0;

	if (!s)
		return 0;
	switch (s->kind) {
	case IR_STMT_BLOCK:
		for (size_t i = 0; i < s->block.n; i++)
			n = max64(n, stmt_scratch(cg, s->block.data[i]));
		return n;
	case IR_STMT_EXPR:
	case IR_STMT_RETURN:
		return expr_scratch(cg, s->expr);
	case IR_STMT_IF:
		return ifs_scratch(cg, s);
	case IR_STMT_LOOP:
		n = max64(expr_scratch(cg, s->loop.step), stmt_scratch(cg, s->loop.body));
		return max64(expr_scratch(cg, s->loop.init), expr_scratch(cg, s->loop.cond) + n);
	case IR_STMT_FOREACH:
		n = expr_scratch(cg, s->foreach.limit) + list_scratch(cg, &s->foreach.slice);
		n += snapshot_size(cg, &s->foreach);
		return n + (s->foreach.array->n_keys + 1) * string_size(cg) +
		       stmt_scratch(cg, s->foreach.body);
	case IR_STMT_FOREACH_HIST:
		return expr_scratch(cg, s->foreach_hist.stat) +
		       expr_scratch(cg, s->foreach_hist.limit) +
		       stmt_scratch(cg, s->foreach_hist.body);
	case IR_STMT_DELETE:
		return expr_scratch(cg, s->del.target) + list_scratch(cg, &s->del.wild_keys);
	case IR_STMT_TRY:
		return stmt_scratch(cg, s->try_.body) + string_size(cg) +
		       stmt_scratch(cg, s->try_.handler);
	case IR_STMT_BREAK:
	case IR_STMT_CONTINUE:
	case IR_STMT_NEXT:
		break;
	}
	return n;
}

/*
 * Strings of top-level assignments: locals.c may decide to leave them in scratch until the body
 * ends.
 */
static uint64_t kept_scratch(struct cg *cg, const struct ir_stmt *s)
{
	uint64_t n = 0;

	if (s->kind == IR_STMT_BLOCK)
		for (size_t i = 0; i < s->block.n; i++)
			n += kept_scratch(cg, s->block.data[i]);
	else if (s->kind == IR_STMT_EXPR && s->expr->kind == IR_ASSIGN &&
		 s->expr->type == IR_STRING && s->expr->assign.lvalue->kind == IR_LOCAL)
		n = expr_scratch(cg, s->expr->assign.value);
	return n;
}

/* ---- functions ---- */
/*
 * The room F takes, found on the first call. The entry is in the table before the body is looked
 * at, which ends recursion. The next overload counts as part of F, since a call may end there.
 */
static struct function_sizes *visit_function(struct cg *cg, const struct ir_function *f)
{
	struct function_sizes *sizes = map_get(&cg->functions, f);

	if (sizes)
		return sizes;
	sizes = arena_new(cg->arena, struct function_sizes);
	map_put(&cg->functions, f, sizes);
	if (f->code)
		sizes->scratch = (f->params.n + 1) * string_size(cg);
	if (f->next_overload)
		sizes->scratch += visit_function(cg, f->next_overload)->scratch;
	if (!f->body)
		return sizes;
	sizes->scratch += stmt_scratch(cg, f->body) + kept_scratch(cg, f->body);
	vec_foreach(it, &f->params)
		sizes->scratch += (*it)->type == IR_STRING && (*it)->assigned ? string_size(cg) : 0;
	vec_foreach(it, &f->locals)
		sizes->scratch += (*it)->type == IR_STRING ? string_size(cg) : 0;
	return sizes;
}

struct function_sizes *cg_function_sizes(struct cg *cg, const struct ir_function *f)
{
	return visit_function(cg, f);
}

/* The longest chain of calls, and whether any can go round. */
static unsigned longest_chain(const struct cg *cg, bool *recursion)
{
	unsigned max = 1;

	*recursion = false;
	vec_foreach(it, &cg->program->functions) {
		unsigned height = (*it)->facts.height + 1;

		max = height > max ? height : max;
		*recursion = *recursion || (*it)->recursive;
	}
	return max;
}

/*
 * A frame for each call of the longest chain, and for what its end calls to make a text of an
 * object, beside what the runtime itself needs. Requires handlers and functions to be written.
 */
uint32_t cg_stack_need(struct cg *cg)
{
	bool recursion; /* each further call is checked when it comes */
	unsigned frames = longest_chain(cg, &recursion) + (cg->object_texts.n != 0);

	return cg->in->limits.min_stack + STP_RUNTIME_STACK + frames * STP_FRAME_STACK;
}

unsigned cg_max_nesting(struct cg *cg)
{
	bool recursion;
	unsigned chain = longest_chain(cg, &recursion);

	if (cg->in->limits.max_nesting)
		return cg->in->limits.max_nesting;
	return chain + (recursion ? 10 : 0);
}

/*
 * Calls are counted (enters) by functions that can be part of a recursion, and by all when the user
 * limits nesting or chains are long.
 */
void cg_sizes(struct cg *cg)
{
	bool recursion, all;
	unsigned chain = longest_chain(cg, &recursion);

	all = cg->in->limits.max_nesting || chain > DEEP;
	vec_foreach(it, &cg->program->functions) {
		struct function_sizes *sizes = visit_function(cg, *it);

		sizes->enters =
			(*it)->body && ((*it)->recursive || (*it)->facts.calls_recursive || all);
	}
}

/*
 * The largest handler, and for recursion as many frames of the largest recursive function as
 * calls may nest.
 */
uint64_t cg_scratch_size(struct cg *cg)
{
	uint64_t size = 0, recursive = 0;

	vec_foreach(it, &cg->program->probes) {
		uint64_t n = stmt_scratch(cg, (*it)->body) + kept_scratch(cg, (*it)->body);

		vec_foreach(local, &(*it)->locals)
			n += (*local)->type == IR_STRING ? string_size(cg) : 0;
		size = max64(size, n);
		for (size_t i = 0; i < (*it)->saved.n; i++)
			size = max64(size, expr_scratch(cg, (*it)->saved.data[i]));
	}
	vec_foreach(it, &cg->program->functions)
		if ((*it)->recursive)
			recursive = max64(recursive, visit_function(cg, *it)->scratch);
	size += recursive * cg_max_nesting(cg);
	if (size > SCRATCH_MAX + cg->snapshots)
		size = SCRATCH_MAX + cg->snapshots;
	/* what runtime functions need for themselves */
	return (size + 4 * string_size(cg) + PAGE + 7) & ~7ull;
}

/* What else is in scratch has its bound, so there is a loop to name. */
void cg_check_scratch(struct arena *arena, struct diag_sink *sink, const struct ir_program *program,
		      const struct codegen_limits *limits)
{
	const struct codegen_input input = { .arena = arena,
					     .program = program,
					     .limits = *limits };
	struct cg cg = { .in = &input, .program = program, .arena = arena };
	const struct ir_global *array;
	struct diagnostic *d;
	uint64_t size;

	map_init(&cg.functions, arena);
	cg_sizes(&cg);
	size = cg_scratch_size(&cg);
	if (size <= CONTEXT_MAX)
		return;
	array = cg.greediest->array;
	d = diag_report(sink, DIAG_SNAPSHOT_SIZE, cg.greediest->array_span,
			(unsigned long long)(size / MB), CONTEXT_MAX / MB);
	diag_set_token(sink, d, "identifier '%s'", array->name->text);
	diag_set_hint(
		sink, d,
		"'%s' may have %u elements: let it have fewer (global %s[N], -DMAXMAPENTRIES=N)",
		array->name->text, array->capacity, array->name->text);
}
