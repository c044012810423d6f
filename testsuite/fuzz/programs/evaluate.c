/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a program prints, by walking its tree. Samples are kept for the two contexts apart in which
 * host.c runs handlers, since @variance depends on them.
 */
#include <regex.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define N_CONTEXTS 2
#define MAX_STEPS 100000
#define MAX_OUTPUT 200000
#define MAX_BUCKETS 128
#define MAX_ELEMENTS 512

struct samples {
	int64_t count, sum, min, max, mean, m2;
	int64_t buckets[MAX_BUCKETS];
};

/* A scalar has one element, without keys. */
struct element {
	struct value keys[MAX_KEYS], value;
	struct samples *samples[N_CONTEXTS];
	struct element *next;
};

struct cell {
	struct element *first;
	unsigned n;
};

struct call {
	const struct node *node;
	const struct call *outer;
};

enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_NEXT };

struct run {
	const struct program *program;
	const char *file;
	struct strbuf *out;
	struct arena *arena;
	struct cell cells[32];
	struct value *frame, result;
	unsigned context, steps, n_errors;
	const struct call *calls;
	bool exiting, failed;
	const char *matched;
	jmp_buf *catcher, *give_up;
	const char *error;   /* on its way */
	struct strbuf where; /* in the script that is */
};

static const struct value zero;

/* ---- values ---- */

static const char *cut(struct run *r, const char *s)
{
	return arena_strndup(r->arena, s, strnlen(s, STRING_SIZE - 1));
}

static struct value number(int64_t n)
{
	return (struct value){ .n = n };
}

static struct value string(struct run *r, const char *s)
{
	return (struct value){ .s = cut(r, s) };
}

static struct value empty(enum type type)
{
	return (struct value){ .s = type == TYPE_STRING ? "" : NULL };
}

/* ---- errors ---- */

static void add_where(struct run *r, const char *kind, const char *token, const struct node *at)
{
	strbuf_addf(&r->where, "%s '%s' at %s:%u:%u", kind, token, r->file, at->line, at->column);
}

static void __attribute__((noreturn))
fail(struct run *r, const char *message, const char *kind, const char *token, const struct node *at)
{
	r->error = message;
	strbuf_reset(&r->where);
	add_where(r, kind, token, at);
	for (const struct call *c = r->calls; c; c = c->outer) {
		strbuf_adds(&r->where, " (called from ");
		add_where(r, "identifier", c->node->function->name, c->node);
		strbuf_addc(&r->where, ')');
	}
	longjmp(*r->catcher, 1);
}

static void count_step(struct run *r)
{
	if (++r->steps > MAX_STEPS || r->out->len > MAX_OUTPUT)
		longjmp(*r->give_up, 1);
}

/* ---- statistics ---- */

static int bucket_count(const struct variable *v)
{
	return v->step ? (int)((v->high - v->low) / v->step + 3) : MAX_BUCKETS;
}

static int bucket_of(const struct variable *v, int64_t n)
{
	uint64_t size = n < 0 ? -(uint64_t)n : (uint64_t)n;
	int bits = 0;

	if (v->step) {
		if (n < v->low)
			return 0;
		n = 1 + (n - v->low) / v->step;
		return n < bucket_count(v) ? (int)n : bucket_count(v) - 1;
	}
	for (; size; size >>= 1)
		bits++;
	return bits > 63 ? 0 : n < 0 ? 64 - bits : 64 + bits;
}

static void feed(struct run *r, const struct variable *v, struct element *e, int64_t n)
{
	int64_t shifted = (int64_t)((uint64_t)n << v->shift), d;
	struct samples *s = e->samples[r->context];

	if (!s)
		s = e->samples[r->context] = arena_new(r->arena, struct samples);
	if (!s->count++) {
		s->min = s->max = n;
		s->mean = shifted;
	} else {
		s->min = n < s->min ? n : s->min;
		s->max = n > s->max ? n : s->max;
		d = shifted - s->mean;
		s->mean += d / s->count;
		s->m2 += d * (shifted - s->mean);
	}
	s->sum += n;
	s->buckets[bucket_of(v, n)]++;
}

static int64_t variance(const struct variable *v, const struct element *e, int64_t count,
			int64_t sum)
{
	int64_t mean = (int64_t)((uint64_t)sum << v->shift) / count, s = 0;

	if (count < 2)
		return 0;
	for (int i = 0; i < N_CONTEXTS; i++) {
		const struct samples *one = e->samples[i];

		if (!one || !one->count)
			continue;
		s += one->count * (one->mean - mean) * (one->mean - mean);
		if (one->count > 1)
			s += (one->count - 1) * (one->m2 / (one->count - 1));
	}
	return s / (count - 1) >> (2 * v->shift);
}

/* 0 where there are no samples, which only count and sum may ask for. */
static int64_t figure(const struct variable *v, const struct element *e, enum figure which)
{
	int64_t count = 0, sum = 0, min = INT64_MAX, max = INT64_MIN;

	for (int i = 0; e && i < N_CONTEXTS; i++) {
		const struct samples *s = e->samples[i];

		if (!s || !s->count)
			continue;
		count += s->count;
		sum += s->sum;
		min = s->min < min ? s->min : min;
		max = s->max > max ? s->max : max;
	}
	if (!count)
		return 0;
	switch (which) {
	case FIG_COUNT:
		return count;
	case FIG_SUM:
		return sum;
	case FIG_MIN:
		return min;
	case FIG_MAX:
		return max;
	case FIG_AVG:
		return sum / count;
	default:
		return variance(v, e, count, sum);
	}
}

/* ---- arrays ---- */

static bool is_same(const struct value *a, const struct value *b)
{
	return a->s ? !strcmp(a->s, b->s) : a->n == b->n;
}

static bool matches(const struct element *e, const struct value *keys, unsigned wild, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!(wild & 1u << i) && !is_same(&e->keys[i], &keys[i]))
			return false;
	return true;
}

static struct value evaluate(struct run *r, const struct node *n);

/* Returns which are wild. */
static unsigned evaluate_keys(struct run *r, const struct node *n, struct value *keys)
{
	unsigned wild = 0, i = 0;

	for (; n; n = n->next, i++) {
		if (n->kind == E_ANY)
			wild |= 1u << i;
		else
			keys[i] = evaluate(r, n);
	}
	return wild;
}

static struct element *find(struct run *r, const struct variable *v, const struct value *keys,
			    unsigned wild)
{
	struct element *e = r->cells[v->index].first;

	while (e && !matches(e, keys, wild, v->n_keys))
		e = e->next;
	return e;
}

static struct element *find_or_add(struct run *r, const struct node *n, const struct value *keys)
{
	const struct variable *v = n->var;
	struct cell *cell = &r->cells[v->index];
	struct element *e = find(r, v, keys, 0), **last = &cell->first;

	if (e)
		return e;
	if (v->size && cell->n == v->size) {
		if (!v->wraps)
			fail(r,
			     arena_printf(r->arena, "Array overflow, check size limit (%u)",
					  v->size),
			     "identifier", v->name, n);
		cell->first = cell->first->next;
		cell->n--;
	}
	if (++cell->n > MAX_ELEMENTS)
		longjmp(*r->give_up, 1);
	e = arena_new(r->arena, struct element);
	memcpy(e->keys, keys, sizeof(e->keys));
	e->value = empty(v->type);
	while (*last)
		last = &(*last)->next;
	*last = e;
	return e;
}

static void delete_matching(struct run *r, const struct variable *v, const struct value *keys,
			    unsigned wild)
{
	struct cell *cell = &r->cells[v->index];

	for (struct element **at = &cell->first; *at;) {
		if (matches(*at, keys, wild, v->n_keys)) {
			*at = (*at)->next;
			cell->n--;
		} else {
			at = &(*at)->next;
		}
	}
}

/* ---- expressions ---- */

/* Where the value of N is; an element is made. */
static struct value *place_of(struct run *r, const struct node *n, const struct value *keys)
{
	return n->var->is_local ? &r->frame[n->var->index] : &find_or_add(r, n, keys)->value;
}

static struct value read_variable(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero };
	const struct element *e;

	if (n->var->is_local)
		return r->frame[n->var->index];
	evaluate_keys(r, n->args, keys);
	e = find(r, n->var, keys, 0);
	return e ? e->value : empty(n->var->type);
}

static int64_t divide(struct run *r, const struct node *n, int64_t a, int64_t b)
{
	bool modulo = n->op == OP_MOD;

	if (!b)
		fail(r, "division by 0", "operator", modulo ? "%" : "/", n);
	if (b == -1)
		return modulo ? 0 : (int64_t)(0 - (uint64_t)a);
	return modulo ? a % b : a / b;
}

static int64_t compare(unsigned op, int diff)
{
	switch (op) {
	case OP_LT:
		return diff < 0;
	case OP_GT:
		return diff > 0;
	case OP_LE:
		return diff <= 0;
	case OP_GE:
		return diff >= 0;
	case OP_EQ:
		return !diff;
	default:
		return diff != 0;
	}
}

static int64_t calculate(struct run *r, const struct node *n, unsigned op, int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	switch (op) {
	case OP_ADD:
	case OP_ADD_TO:
	case OP_INC:
		return (int64_t)(x + y);
	case OP_SUB:
	case OP_SUB_FROM:
	case OP_DEC:
		return (int64_t)(x - y);
	case OP_MUL:
	case OP_MUL_BY:
		return (int64_t)(x * y);
	case OP_DIV:
	case OP_MOD:
		return divide(r, n, a, b);
	case OP_SHL:
	case OP_SHL_BY:
		return (int64_t)(x << (y & 63));
	case OP_SHR:
	case OP_SHR_BY:
		return a >> (y & 63);
	case OP_USHR:
		return (int64_t)(x >> (y & 63));
	case OP_AND:
	case OP_AND_BY:
		return a & b;
	case OP_XOR:
	case OP_XOR_BY:
		return a ^ b;
	case OP_OR:
	case OP_OR_BY:
		return a | b;
	default:
		return compare(op, a < b ? -1 : a > b);
	}
}

static struct value concatenate(struct run *r, const char *a, const char *b)
{
	return string(r, arena_concat(r->arena, a, b, NULL));
}

static struct value evaluate_binary(struct run *r, const struct node *n)
{
	struct value a = evaluate(r, n->kid[0]), b;

	if (n->op == OP_LOR && a.n)
		return number(1);
	if (n->op == OP_LAND && !a.n)
		return number(0);
	b = evaluate(r, n->kid[1]);
	if (n->op == OP_LOR || n->op == OP_LAND)
		return number(!!b.n);
	if (n->op == OP_CONCAT)
		return concatenate(r, a.s, b.s);
	if (a.s)
		return number(compare(n->op, strcmp(a.s, b.s)));
	return number(calculate(r, n, n->op, a.n, b.n));
}

static struct value evaluate_unary(struct run *r, const struct node *n)
{
	int64_t v = evaluate(r, n->kid[0]).n;

	switch (n->op) {
	case OP_MINUS:
		return number((int64_t)(0 - (uint64_t)v));
	case OP_NOT:
		return number(!v);
	case OP_COMPLEMENT:
		return number(~v);
	default:
		return number(v);
	}
}

static struct value evaluate_match(struct run *r, const struct node *n)
{
	struct value subject = evaluate(r, n->kid[0]);
	regmatch_t span;
	regex_t re;
	bool found;

	if (regcomp(&re, n->text, REG_EXTENDED))
		abort();
	found = !regexec(&re, subject.s, 1, &span, 0);
	regfree(&re);
	if (found)
		r->matched = arena_strndup(r->arena, subject.s + span.rm_so,
					   (size_t)(span.rm_eo - span.rm_so));
	return number(found != n->flag);
}

/* The keys, then the right side, then the old value. */
static struct value evaluate_assign(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero }, right, *place;
	const struct node *left = n->kid[0];

	evaluate_keys(r, left->args, keys);
	right = evaluate(r, n->kid[1]);
	place = place_of(r, left, keys);
	if (n->op == OP_ASSIGN)
		*place = right;
	else if (n->op == OP_APPEND)
		*place = concatenate(r, place->s, right.s);
	else
		place->n = calculate(r, n, n->op, place->n, right.n);
	return *place;
}

static struct value evaluate_step(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero }, old, *place;

	evaluate_keys(r, n->kid[0]->args, keys);
	place = place_of(r, n->kid[0], keys);
	old = *place;
	place->n = calculate(r, n, n->op, old.n, 1);
	return n->flag ? *place : old;
}

static enum flow execute(struct run *r, const struct node *n);

static void clear_frame(const struct scope *scope, struct value *frame)
{
	for (unsigned i = 0; i < scope->n; i++)
		frame[i] = empty(scope->locals[i]->type);
}

static struct value evaluate_call(struct run *r, const struct node *n)
{
	const struct function *f = n->function;
	struct value frame[MAX_LOCALS], args[MAX_ARGS], *outer_frame = r->frame;
	struct call call = { n, r->calls };
	enum flow flow = FLOW_NEXT;
	unsigned i = 0;

	for (const struct node *arg = n->args; arg; arg = arg->next)
		args[i++] = evaluate(r, arg);
	r->calls = &call;
	r->frame = frame;
	for (unsigned b = 0; b < f->n_bodies && flow == FLOW_NEXT; b++) {
		count_step(r);
		clear_frame(&f->bodies[b].scope, frame);
		for (i = 0; i < f->n_args; i++)
			frame[f->bodies[b].args[i]->index] = args[i];
		flow = execute(r, f->bodies[b].list);
	}
	r->frame = outer_frame;
	r->calls = call.outer;
	return flow == FLOW_RETURN ? r->result : empty(f->type);
}

static void format_args(struct run *r, const struct node *n, struct strbuf *ret)
{
	struct value values[16];
	size_t count = 0;

	for (const struct node *arg = n->args; arg; arg = arg->next)
		values[count++] = evaluate(r, arg);
	format_values(n->op, n->text, values, count, ret);
}

static struct value evaluate_print(struct run *r, const struct node *n)
{
	struct value ret = zero;
	struct strbuf text;

	strbuf_init(&text);
	format_args(r, n, &text);
	if (n->type == TYPE_STRING)
		ret = string(r, strbuf_cstr(&text));
	else
		strbuf_add(r->out, strbuf_cstr(&text), text.len);
	strbuf_deinit(&text);
	return ret;
}

static struct value evaluate_figure(struct run *r, const struct node *n)
{
	static const char *const names[] = {
		"@count", "@sum", "@min", "@max", "@avg", "@variance"
	};
	struct value keys[MAX_KEYS] = { zero };
	const struct element *e;

	evaluate_keys(r, n->args, keys);
	e = find(r, n->var, keys, 0);
	if (n->op > FIG_SUM && !figure(n->var, e, FIG_COUNT))
		fail(r, "empty aggregate", "operator", names[n->op], n);
	return number(figure(n->var, e, n->op));
}

static struct value evaluate_bucket(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero };
	const char *name = n->var->step ? "@hist_linear" : "@hist_log";
	const struct element *e;
	int64_t which, sum = 0;

	evaluate_keys(r, n->args, keys);
	which = evaluate(r, n->kid[0]).n;
	e = find(r, n->var, keys, 0);
	if (which < 0 || which >= bucket_count(n->var))
		fail(r, "histogram index out of range", "operator", name, n);
	if (!figure(n->var, e, FIG_COUNT))
		fail(r, "empty aggregate", "operator", name, n);
	for (int i = 0; i < N_CONTEXTS; i++)
		sum += e->samples[i] ? e->samples[i]->buckets[which] : 0;
	return number(sum);
}

static struct value evaluate(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero };
	unsigned wild;

	count_step(r);
	switch (n->kind) {
	case E_LITERAL:
		return n->type == TYPE_STRING ? string(r, n->text) : number(n->number);
	case E_VARIABLE:
		return read_variable(r, n);
	case E_UNARY:
		return evaluate_unary(r, n);
	case E_BINARY:
		return evaluate_binary(r, n);
	case E_MATCH:
		return evaluate_match(r, n);
	case E_MATCHED:
		return string(r, r->matched);
	case E_IN:
		wild = evaluate_keys(r, n->args, keys);
		return number(find(r, n->var, keys, wild) != NULL);
	case E_COND:
		return evaluate(r, evaluate(r, n->kid[0]).n ? n->kid[1] : n->kid[2]);
	case E_ASSIGN:
		return evaluate_assign(r, n);
	case E_STEP:
		return evaluate_step(r, n);
	case E_CALL:
		return evaluate_call(r, n);
	case E_PRINT:
		return evaluate_print(r, n);
	case E_STRLEN:
		return number((int64_t)strlen(evaluate(r, n->kid[0]).s));
	case E_FIGURE:
		return evaluate_figure(r, n);
	case E_BUCKET:
		return evaluate_bucket(r, n);
	default:
		abort();
	}
}

/* ---- statements ---- */

static enum flow execute_loop(struct run *r, const struct node *n, const struct node *body,
			      const struct node *step)
{
	for (;;) {
		enum flow flow;

		count_step(r);
		if (n->kid[n->kind == S_FOR] && !evaluate(r, n->kid[n->kind == S_FOR]).n)
			return FLOW_ON;
		flow = execute(r, body);
		if (flow == FLOW_BREAK)
			return FLOW_ON;
		if (flow == FLOW_RETURN || flow == FLOW_NEXT)
			return flow;
		if (step)
			evaluate(r, step);
	}
}

static void assign(struct run *r, const struct node *variable, struct value v)
{
	static const struct value none[MAX_KEYS];

	*place_of(r, variable, none) = v;
}

struct order {
	const struct variable *var;
	int64_t by; /* as node.number of a foreach */
	bool downwards;
	enum figure figure;
};

static bool is_behind(const struct order *o, const struct element *a, const struct element *b)
{
	struct value x = o->by > 0 ? a->keys[o->by - 1] : a->value,
		     y = o->by > 0 ? b->keys[o->by - 1] : b->value;
	int diff;

	if (o->by < 0 && o->var->type == TYPE_STATS) {
		x = number(figure(o->var, a, o->figure));
		y = number(figure(o->var, b, o->figure));
	}
	diff = x.s ? strcmp(x.s, y.s) : x.n < y.n ? -1 : x.n > y.n;
	return o->downwards ? diff < 0 : diff > 0;
}

/* Stable. */
static void sort(struct element **elements, unsigned n, const struct order *o)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned j = i; j && is_behind(o, elements[j - 1], elements[j]); j--) {
			struct element *other = elements[j];

			elements[j] = elements[j - 1];
			elements[j - 1] = other;
		}
}

/* The elements in the order of the loop, which an array that is sorted by it keeps. */
static unsigned order_elements(struct run *r, const struct node *n, struct element **ret)
{
	struct cell *cell = &r->cells[n->var->index];
	struct order o = { n->var, n->number, n->flag, n->op };
	unsigned count = 0;

	for (struct element *e = cell->first; e; e = e->next)
		ret[count++] = e;
	if (!n->number)
		return count;
	sort(ret, count, &o);
	if (n->var->type == TYPE_STATS)
		return count;
	for (unsigned i = 0; i < count; i++)
		ret[i]->next = i + 1 < count ? ret[i + 1] : NULL;
	cell->first = count ? ret[0] : NULL;
	return count;
}

static enum flow execute_foreach(struct run *r, const struct node *n)
{
	struct value slice[MAX_KEYS] = { zero };
	struct element *elements[MAX_ELEMENTS];
	unsigned wild = n->args ? evaluate_keys(r, n->args, slice) : ~0u, count;
	int64_t left = n->kid[0] ? evaluate(r, n->kid[0]).n : INT64_MAX;

	count = order_elements(r, n, elements);
	for (unsigned i = 0; i < count && left > 0; i++) {
		const struct node *key = n->kid[3];
		enum flow flow;

		if (!matches(elements[i], slice, wild, n->var->n_keys))
			continue;
		left--;
		count_step(r);
		for (unsigned k = 0; key; key = key->next, k++)
			assign(r, key, elements[i]->keys[k]);
		if (n->kid[2])
			assign(r, n->kid[2], elements[i]->value);
		flow = execute(r, n->kid[1]);
		if (flow == FLOW_BREAK)
			break;
		if (flow == FLOW_RETURN || flow == FLOW_NEXT)
			return flow;
	}
	return FLOW_ON;
}

static void execute_delete(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero };
	unsigned wild = ~0u;

	if (n->var->is_local) {
		r->frame[n->var->index] = empty(n->var->type);
		return;
	}
	if (n->args)
		wild = evaluate_keys(r, n->args, keys);
	delete_matching(r, n->var, keys, wild);
}

static enum flow execute_try(struct run *r, const struct node *n)
{
	struct value *frame = r->frame;
	const struct call *calls = r->calls;
	jmp_buf here, *outer = r->catcher;
	enum flow flow;

	r->catcher = &here;
	if (!setjmp(here)) {
		flow = execute(r, n->kid[0]);
		r->catcher = outer;
		return flow;
	}
	r->catcher = outer;
	r->frame = frame;
	r->calls = calls;
	if (n->kid[2])
		assign(r, n->kid[2], string(r, r->error));
	return execute(r, n->kid[1]);
}

static enum flow execute_one(struct run *r, const struct node *n)
{
	struct value keys[MAX_KEYS] = { zero };
	int64_t sample;

	switch (n->kind) {
	case S_FEED:
		evaluate_keys(r, n->kid[0]->args, keys);
		sample = evaluate(r, n->kid[1]).n;
		feed(r, n->kid[0]->var, find_or_add(r, n->kid[0], keys), sample);
		return FLOW_ON;
	case S_IF:
		return execute(r, evaluate(r, n->kid[0]).n ? n->kid[1] : n->kid[2]);
	case S_WHILE:
		return execute_loop(r, n, n->kid[1], NULL);
	case S_FOR:
		if (n->kid[0])
			evaluate(r, n->kid[0]);
		return execute_loop(r, n, n->kid[3], n->kid[2]);
	case S_FOREACH:
		return execute_foreach(r, n);
	case S_BREAK:
		return FLOW_BREAK;
	case S_CONTINUE:
		return FLOW_CONTINUE;
	case S_NEXT:
		return FLOW_NEXT;
	case S_RETURN:
		r->result = n->kid[0] ? evaluate(r, n->kid[0]) : zero;
		return FLOW_RETURN;
	case S_DELETE:
		execute_delete(r, n);
		return FLOW_ON;
	case S_TRY:
		return execute_try(r, n);
	case S_BLOCK:
		return execute(r, n->kid[0]);
	case S_ERROR:
		fail(r, evaluate(r, n->kid[0]).s, "identifier", "error", n);
	case S_EXIT:
		r->exiting = true;
		return FLOW_ON;
	default:
		evaluate(r, n->kid[0]);
		return FLOW_ON;
	}
}

static enum flow execute(struct run *r, const struct node *n)
{
	enum flow flow = FLOW_ON;

	for (; n && flow == FLOW_ON; n = n->next) {
		count_step(r);
		flow = execute_one(r, n);
	}
	return flow;
}

/* ---- events ---- */

static void report(struct run *r, const struct probe *p)
{
	static const char *const formats[] = { "begin(%d)", "timer.s(%d)", "end(%d)", "error(%d)" };

	strbuf_addf(r->out, "ERROR: %s near %s in probe ", r->error, strbuf_cstr(&r->where));
	strbuf_addf(r->out, formats[p->event], p->number);
	strbuf_addc(r->out, '\n');
	if (++r->n_errors > r->program->max_errors)
		r->failed = r->exiting = true;
}

static void run_probe(struct run *r, const struct probe *p)
{
	struct value frame[MAX_LOCALS];
	jmp_buf catcher;

	clear_frame(&p->scope, frame);
	r->frame = frame;
	r->context = p->event == EVENT_TIMER ? 0 : 1;
	r->calls = NULL;
	r->catcher = &catcher;
	if (setjmp(catcher)) {
		report(r, p);
		return;
	}
	if (p->condition && !evaluate(r, p->condition).n)
		return;
	if (execute(r, p->prologue) == FLOW_ON && execute(r, p->list) == FLOW_ON)
		execute(r, p->epilogue);
}

/* Those of an event of the session by their numbers, then as they stand. */
static void run_event(struct run *r, enum event event)
{
	const struct program *p = r->program;

	for (int number = 0; number < 10; number++)
		for (unsigned i = 0; i < p->n_probes; i++)
			if (p->probes[i].event == event && p->probes[i].number == number &&
			    !(event == EVENT_BEGIN && r->exiting))
				run_probe(r, &p->probes[i]);
}

static void run_timers(struct run *r)
{
	for (int round = 0; round < 2; round++)
		for (unsigned i = 0; i < r->program->n_probes && !r->exiting; i++)
			if (r->program->probes[i].event == EVENT_TIMER)
				run_probe(r, &r->program->probes[i]);
}

static void init_globals(struct run *r)
{
	for (unsigned i = 0; i < r->program->n_globals; i++) {
		const struct variable *v = r->program->globals[i];

		if (v->init)
			find_or_add(r, &(struct node){ .var = r->program->globals[i] },
				    (struct value[MAX_KEYS]){ zero })
				->value = evaluate(r, v->init);
	}
}

bool program_evaluate(const struct program *p, const char *file, struct strbuf *ret)
{
	struct run r = { .program = p, .file = file, .out = ret, .arena = p->arena };
	jmp_buf give_up;
	bool ends;

	r.give_up = &give_up;
	strbuf_init(&r.where);
	ends = !setjmp(give_up);
	if (ends) {
		init_globals(&r);
		run_event(&r, EVENT_BEGIN);
		run_timers(&r);
		run_event(&r, r.failed ? EVENT_ERROR : EVENT_END);
	}
	strbuf_deinit(&r.where);
	return ends;
}
