/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step display: globals of the user's script that are written and never read are printed when
 * the session ends: one probe of kind end, made here, in the order of the first write. What never
 * runs neither writes nor reads. Ensures that what it prints is marked as collected. The new probe
 * is in program.probes and in sema.display.
 */
#include <stdlib.h>

#include "base/strbuf.h"
#include "sema/bind.h"

/* Behind end(0), before end(100). */
#define DISPLAY_SEQUENCE 1

/*
 * The probe in the making, and the global whose statement is being made. Nodes have the span of
 * that global.
 */
struct display {
	struct sema *s;
	struct ir_probe *probe;
	struct sema_global *g;
};

/* A node for the present global, of known type. */
static struct ir_expr *new_expr(struct display *d, enum ir_expr_kind kind, enum ir_type type)
{
	struct ir_expr *e = arena_new(d->s->arena, struct ir_expr);

	e->kind = kind;
	e->type = type;
	e->span = d->g->ir.span;
	e->token = sema_name_token(d->s, d->g->ir.name);
	return e;
}

static struct ir_stmt *new_stmt(struct display *d, enum ir_stmt_kind kind)
{
	struct ir_stmt *st = arena_new(d->s->arena, struct ir_stmt);

	st->kind = kind;
	st->span = d->g->ir.span;
	return st;
}

/* printf(TEXT, args); the format is made by step formats as for any other. */
static struct ir_stmt *print(struct display *d, const char *text, const struct ir_exprs *args)
{
	struct ir_stmt *st = new_stmt(d, IR_STMT_EXPR);
	struct sema_print *how = arena_new(d->s->arena, struct sema_print);

	st->expr = new_expr(d, IR_PRINT, IR_LONG);
	st->expr->print.format = UINT32_MAX;
	st->expr->print.args = *args;
	how->text = text;
	map_put(&d->s->prints, st->expr, how);
	return st;
}

/* A new local of the probe, as something to store into. */
static struct ir_expr *local(struct display *d, const char *name, enum ir_type type)
{
	struct sema_local *l = arena_new(d->s->arena, struct sema_local);
	struct ir_expr *e = new_expr(d, IR_LOCAL, type);

	l->ir.name = intern(d->s->in, name);
	l->ir.span = d->g->ir.span;
	l->ir.type = type;
	l->ir.assigned = true;
	l->ir.index = (uint32_t)d->probe->locals.n;
	vec_push(d->s->arena, &d->probe->locals, &l->ir);
	e->local = &l->ir;
	return e;
}

/* The same variable as a value: a node stands in one place only. */
static struct ir_expr *again(struct display *d, const struct ir_expr *variable)
{
	struct ir_expr *e = new_expr(d, IR_LOCAL, variable->type);

	e->local = variable->local;
	return e;
}

/* The statistic must collect what is shown of it. */
static struct ir_expr *extract(struct display *d, struct ir_expr *stat, enum ir_stat op)
{
	struct ir_expr *e = new_expr(d, IR_EXTRACT, IR_LONG);

	e->extract.op = op;
	e->extract.stat = stat;
	d->g->ir.collect |= op;
	return e;
}

/* In the order of STATS_FORMAT. */
static const enum ir_stat shown[] = { IR_STAT_COUNT, IR_STAT_MIN, IR_STAT_MAX, IR_STAT_SUM,
				      IR_STAT_AVG };
#define STATS_FORMAT " @count=%d @min=%d @max=%d @sum=%d @avg=%d\n"

static const char *value_format(const struct ir_global *g)
{
	return g->type == IR_STRING ? "=\"%s\"\n" : g->display_hex ? "=%#x\n" : "=%d\n";
}

/* The global itself as a value. */
static struct ir_expr *scalar(struct display *d)
{
	struct ir_expr *e = new_expr(d, IR_GLOBAL, d->g->ir.type);

	e->global = &d->g->ir;
	return e;
}

static struct ir_stmt *show_scalar(struct display *d)
{
	const char *text =
		arena_printf(d->s->arena, "%s%s", d->g->ir.name->text, value_format(&d->g->ir));
	struct ir_exprs args = { 0 };

	vec_push(d->s->arena, &args, scalar(d));
	return print(d, text, &args);
}

/* An empty one has no minimum to show. */
static struct ir_stmt *show_stats(struct display *d)
{
	const char *name = d->g->ir.name->text;
	struct ir_stmt *st = new_stmt(d, IR_STMT_IF);
	struct ir_exprs args = { 0 }, none = { 0 };

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		vec_push(d->s->arena, &args, extract(d, scalar(d), shown[i]));
	st->cond.cond = extract(d, scalar(d), IR_STAT_COUNT);
	st->cond.yes = print(d, arena_printf(d->s->arena, "%s%s", name, STATS_FORMAT), &args);
	st->cond.no = print(d, arena_printf(d->s->arena, "%s @count=0x0\n", name), &none);
	return st;
}

/* The element of the present iteration. */
static struct ir_expr *element(struct display *d, const struct ir_foreach *f)
{
	struct ir_expr *e = new_expr(d, IR_ELEMENT, d->g->ir.type);

	e->element.array = &d->g->ir;
	for (unsigned i = 0; i < d->g->ir.n_keys; i++)
		vec_push(d->s->arena, &e->element.keys, again(d, f->keys[i]));
	return e;
}

/* Arrays are shown by descending value, aggregates by descending count. */
static struct ir_stmt *show_array(struct display *d)
{
	struct ir_global *g = &d->g->ir;
	struct ir_stmt *st = new_stmt(d, IR_STMT_FOREACH);
	struct ir_foreach *f = &st->foreach;
	struct ir_exprs args = { 0 };
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%s[", g->name->text);
	f->array = g;
	f->array_span = g->span;
	f->by = -1;
	f->dir = -1;
	for (unsigned i = 0; i < g->n_keys; i++) {
		f->keys[i] =
			local(d, arena_printf(d->s->arena, "k%u_%s", i, g->name->text), g->keys[i]);
		strbuf_addf(&text, "%s%s", i ? "," : "", g->keys[i] == IR_STRING ? "\"%s\"" : "%d");
		vec_push(d->s->arena, &args, again(d, f->keys[i]));
	}
	strbuf_adds(&text, g->type == IR_STATS ? "]" STATS_FORMAT : "]");
	if (g->type == IR_STATS) {
		f->extractor = IR_STAT_COUNT;
		for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
			vec_push(d->s->arena, &args, extract(d, element(d, f), shown[i]));
	} else {
		strbuf_adds(&text, value_format(g));
		f->value = local(d, arena_printf(d->s->arena, "v_%s", g->name->text), g->type);
		vec_push(d->s->arena, &args, again(d, f->value));
	}
	f->body = print(d, arena_strndup(d->s->arena, strbuf_cstr(&text), text.len), &args);
	strbuf_deinit(&text);
	return st;
}

/* For qsort: in the order in which the script writes them. */
static int by_first_write(const void *a, const void *b)
{
	uint32_t x = (*(struct sema_global *const *)a)->first_write,
		 y = (*(struct sema_global *const *)b)->first_write;

	return (x > y) - (x < y);
}

/*
 * A global of the script that is written and never read. One that has, or has a key of, a type
 * that nothing told cannot be printed.
 */
static bool is_shown(const struct ir_global *g)
{
	if (!g->user_script || !g->written || g->read || g->type == IR_UNKNOWN ||
	    !sema_global((struct ir_global *)g)->first_write)
		return false;
	for (unsigned i = 0; i < g->n_keys; i++)
		if (g->keys[i] == IR_UNKNOWN)
			return false;
	return true;
}

/* The probe goes last in the program, and runs by its sequence. */
void sema_display(struct sema *s)
{
	VEC(struct sema_global *) list = { 0 };
	struct display d = { .s = s };
	struct ir_point end = { .pp = "end",
				.attach = { .tag = IR_ATTACH_SESSION,
					    .session.sequence = DISPLAY_SEQUENCE } };

	if (s->input->options.no_global_display)
		return;
	sema_uses_reached(s);
	vec_foreach(g, &s->program->globals)
		if (is_shown(*g))
			vec_push(s->arena, &list, sema_global(*g));
	if (!list.n)
		return;
	qsort(list.data, list.n, sizeof(list.data[0]), by_first_write);
	d.probe = arena_new(s->arena, struct ir_probe);
	d.probe->kind = &ir_kind_end;
	d.probe->pn = "end";
	vec_push(s->arena, &d.probe->points, end);
	d.probe->span = list.data[0]->ir.span;
	d.probe->body = arena_new(s->arena, struct ir_stmt);
	d.probe->body->kind = IR_STMT_BLOCK;
	d.probe->body->span = d.probe->span;
	vec_foreach(g, &list) {
		d.g = *g;
		vec_push(s->arena, &d.probe->body->block,
			 (*g)->ir.is_array           ? show_array(&d)
			 : (*g)->ir.type == IR_STATS ? show_stats(&d)
						     : show_scalar(&d));
	}
	vec_push(s->arena, &s->program->probes, d.probe);
	s->display = d.probe;
}
