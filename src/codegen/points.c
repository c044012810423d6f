/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of probes: a row for each handler, and for each a table of the points it is
 * attached to. What a point's attach arm becomes is the business of one writer per tag. What a
 * point has of its own (functions that fetch values, texts) is written in front of the tables,
 * equal arrays once: a wildcard may have thousands of points with few different arrays.
 */
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "codegen/internal.h"
#include "uapi/script.h"

const char *cg_quoted(struct cg *cg, const char *s)
{
	return s ? emit_string(cg->arena, s, strlen(s)) : "NULL";
}

/* ---- attach points ---- */

/* Fields that are 0 are left out, here and in the writers below. */
static void session_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	if (at->session.sequence)
		strbuf_addf(b, ".session.sequence = %s, ",
			    cg_number(cg, at->session.sequence).text);
}

static void timer_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	if (at->timer.interval)
		strbuf_addf(b, ".timer.interval = %s, ", cg_number(cg, at->timer.interval).text);
	if (at->timer.randomize)
		strbuf_addf(b, ".timer.randomize = %s, ", cg_number(cg, at->timer.randomize).text);
}

/* Where the code is: by symbol, or by section and address. */
static void text_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	if (at->text.symbol)
		strbuf_addf(b, ".text.symbol = %s, ", cg_quoted(cg, at->text.symbol));
	if (at->text.section)
		strbuf_addf(b, ".text.section = %u, ", cg_section(cg, at->text.section));
	if (at->text.addr)
		strbuf_addf(b, ".text.addr = 0x%" PRIx64 ", ", at->text.addr);
	if (at->text.offset)
		strbuf_addf(b, ".text.offset = %u, ", at->text.offset);
	if (at->text.max_active)
		strbuf_addf(b, ".max_active = %u, ", at->text.max_active);
	if (at->text.absolute)
		strbuf_adds(b, ".text.absolute = 1, ");
}

/* A tracepoint always has a name. */
static void tracepoint_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	strbuf_addf(b, ".tracepoint.name = %s, ", cg_quoted(cg, at->tracepoint.name));
	if (at->tracepoint.n_args)
		strbuf_addf(b, ".tracepoint.n_args = %u, ", at->tracepoint.n_args);
}

/* A file, and which of the two things that are done to it. */
static void procfs_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	uint32_t size = at->procfs.max_size ? at->procfs.max_size : cg->in->limits.procfs_size;

	strbuf_addf(b, ".procfs.path = %s, .procfs.mode = 0%o, ", cg_quoted(cg, at->procfs.path),
		    at->procfs.mode);
	if (size && !at->procfs.write)
		strbuf_addf(b, ".procfs.max_size = %u, ", size);
	if (at->procfs.write)
		strbuf_adds(b, ".procfs.write = 1, ");
}

/* abi and number of the machine's own first call are 0. */
static void syscall_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	if (at->syscall.abi)
		strbuf_addf(b, ".syscall.abi = %u, ", at->syscall.abi);
	strbuf_addf(b, ".syscall.number = %u, ", at->syscall.number);
}

/* The counter is in the file, as the kernel takes it. */
static void user_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	strbuf_addf(b, ".user.object = %u, ", cg_object(cg, at->user.object));
	strbuf_addf(b, ".user.addr = 0x%" PRIx64 ", ", at->user.addr);
	strbuf_addf(b, ".user.offset = 0x%" PRIx64 ", ", at->user.offset);
	if (at->user.semaphore)
		strbuf_addf(b, ".user.semaphore = 0x%" PRIx64 ", ", at->user.semaphore);
}

static void perf_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	strbuf_addf(b, ".perf.type = %u, .perf.config = %" PRIu64 ", .perf.sample = %" PRIu64 ", ",
		    at->perf.type, at->perf.config, at->perf.sample);
	if (at->perf.by_rate)
		strbuf_adds(b, ".perf.by_rate = 1, ");
}

static void data_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	strbuf_addf(b, ".data.addr = 0x%" PRIx64 ", .data.length = %u, ", at->data.addr,
		    at->data.length);
	if (at->data.linked)
		strbuf_adds(b, ".data.linked = 1, ");
	if (at->data.reads)
		strbuf_adds(b, ".data.reads = 1, ");
}

static void netfilter_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
	strbuf_addf(b, ".netfilter.family = %u, .netfilter.hook = %u, ", at->netfilter.family,
		    at->netfilter.hook);
	if (at->netfilter.priority)
		strbuf_addf(b, ".netfilter.priority = %s, ",
			    cg_number(cg, at->netfilter.priority).text);
}

/* The kind says all. */
static void task_attach(struct cg *cg, const struct ir_attach *at, struct strbuf *b)
{
}

/* By ir_attach.tag. A writer ends each field with ", ". */
static void (*const attach_writers[])(struct cg *cg, const struct ir_attach *at,
				      struct strbuf *b) = {
	/* clang-format off */
	[IR_ATTACH_SESSION] = session_attach,
	[IR_ATTACH_TIMER] = timer_attach,
	[IR_ATTACH_TEXT] = text_attach,
	[IR_ATTACH_TRACEPOINT] = tracepoint_attach,
	[IR_ATTACH_PROCFS] = procfs_attach,
	[IR_ATTACH_SYSCALL] = syscall_attach,
	[IR_ATTACH_USER] = user_attach,
	[IR_ATTACH_PERF] = perf_attach,
	[IR_ATTACH_DATA] = data_attach,
	[IR_ATTACH_NETFILTER] = netfilter_attach,
	[IR_ATTACH_TASK] = task_attach,
	/* clang-format on */
};

/* ---- what a point has of its own ---- */

/* "NAME_7": an array of those rows, each distinct one written once. Frees ROWS. */
static const char *row_array(struct cg *cg, const char *type, const char *name, struct strbuf *rows)
{
	const char *text = arena_strndup(cg->arena, strbuf_cstr(rows), rows->len);
	const struct istr *key = intern(cg->intern, cg_printf(cg, "%s %s", name, text));
	const char *array = map_get(&cg->rows, key);

	strbuf_deinit(rows);
	if (array)
		return array;
	array = cg_printf(cg, "%s_%u", name, ++cg->n_rows);
	map_put(&cg->rows, key, (void *)array);
	emit_line(&cg->w, "static const struct %s %s[] = { %s };", type, array, text);
	return array;
}

static const char *value_array(struct cg *cg, const struct fetch_program *programs, size_t n)
{
	struct strbuf rows;

	strbuf_init(&rows);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&rows, "%s%s", i ? ", " : "", cg_point_value(cg, &programs[i]));
	return row_array(cg, "stp_point_value", "values", &rows);
}

/* A text with the values it prints. */
static void text_row(struct cg *cg, const struct ir_point_text *t, struct strbuf *rows)
{
	strbuf_addf(rows, "{ .text = %s, .len = %zu", cg_quoted(cg, t->text), strlen(t->text));
	if (t->values.n)
		strbuf_addf(rows, ", .n = %zu, .values = %s", t->values.n,
			    value_array(cg, t->values.data, t->values.n));
	strbuf_adds(rows, " }");
}

/* The texts of one point, by their numbers in the handler. */
static const char *text_array(struct cg *cg, const struct ir_point_text *texts, uint32_t n)
{
	struct strbuf rows;

	strbuf_init(&rows);
	for (uint32_t i = 0; i < n; i++) {
		strbuf_adds(&rows, i ? ", " : "");
		text_row(cg, &texts[i], &rows);
	}
	return row_array(cg, "stp_point_text", "texts", &rows);
}

struct value cg_point_text(struct cg *cg, const struct ir_expr *e)
{
	if (e->point_text.literal)
		return cg_string(cg_printf(cg, "stp_point_literal(c, %u)", e->point_text.text),
				 V_FREE, BYTES_LITERAL);
	cg_use_scratch(cg);
	cg_position(cg, e);
	return cg_value(cg_printf(cg, "stp_point_text(c, %u)", e->point_text.text), PREC_PRIMARY,
			V_FAILS);
}

/* ---- points ---- */

/* The point's flags as C; NULL for none. */
static const char *flags(const struct ir_probe *p, const struct ir_point *point)
{
	bool full =
		(p->full_regs || p->body_facts.uses_registers || p->entry_facts.uses_registers) &&
		p->kind->registers == IR_REGISTERS_ARGS;

	if (!point->optional)
		return full ? "STP_POINT_FULL_REGS" : NULL;
	if (point->wild)
		return full ? "STP_POINT_OPTIONAL | STP_POINT_WILD | STP_POINT_FULL_REGS"
			    : "STP_POINT_OPTIONAL | STP_POINT_WILD";
	return full ? "STP_POINT_OPTIONAL | STP_POINT_FULL_REGS" : "STP_POINT_OPTIONAL";
}

/* Arrays it names; written before the table that has the row. */
struct own {
	const char *values, *texts;
};

/* One row; optional fields that are empty are left out. */
static void point_row(struct cg *cg, const struct ir_probe *p, const struct ir_point *point,
		      const struct own *own)
{
	struct strbuf b;

	strbuf_init(&b);
	attach_writers[point->attach.tag](cg, &point->attach, &b);
	strbuf_addf(&b, ".pp = %s", cg_quoted(cg, point->pp));
	if (point->pn)
		strbuf_addf(&b, ", .pn = %s", cg_quoted(cg, point->pn));
	if (point->function)
		strbuf_addf(&b, ", .function = %s", cg_quoted(cg, point->function));
	if (point->module)
		strbuf_addf(&b, ", .module = %s", cg_quoted(cg, point->module));
	if (point->scope)
		strbuf_addf(&b, ", .scope = %s", cg_scope(cg, point->scope));
	if (flags(p, point))
		strbuf_addf(&b, ", .flags = %s", flags(p, point));
	if (own->values)
		strbuf_addf(&b, ", .values = %s", own->values);
	if (own->texts)
		strbuf_addf(&b, ", .texts = %s", own->texts);
	emit_line(&cg->w, "{ %s },", strbuf_cstr(&b));
	strbuf_deinit(&b);
}

/* Arrays first: the rows refer to them. */
static void points(struct cg *cg, const struct ir_probe *p)
{
	struct own *own = arena_new_array(cg->arena, struct own, p->points.n);

	for (size_t i = 0; i < p->points.n; i++) {
		const struct ir_point *point = &p->points.data[i];

		if (p->n_values)
			own[i].values = value_array(cg, point->values, p->n_values);
		if (p->n_texts)
			own[i].texts = text_array(cg, point->texts, p->n_texts);
	}
	if (p->by_point)
		emit_blank(&cg->w);
	emit_open(&cg->w, "static const struct stp_point points_%u[] =", p->index);
	for (size_t i = 0; i < p->points.n; i++)
		point_row(cg, p, &p->points.data[i], &own[i]);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

size_t cg_point_count(const struct ir_program *program)
{
	size_t n = 0;

	vec_foreach(p, &program->probes)
		n += (*p)->points.n;
	return n;
}

/* ---- probes ---- */

/* Numbers and strings are counted apart, as cg_saved_index() numbers them. */
static void saved_fields(struct cg *cg, const struct ir_probe *p)
{
	uint32_t n_strings = cg_saved_index(p, p->saved.n, IR_STRING);

	if (!p->saved.n)
		return;
	emit_line(&cg->w, ".entry = entry_%u,", p->index);
	emit_line(&cg->w, ".n_saved = %zu,", p->saved.n - n_strings);
	if (n_strings)
		emit_line(&cg->w, ".n_saved_strings = %u,", n_strings);
}

/* FIRST_POINT is the number of the probe's first point among all. */
static void probe_row(struct cg *cg, const struct ir_probe *p, size_t first_point)
{
	const char *at = cg_span_text(cg, p->span);

	emit_open(&cg->w, "[%u] =", p->index);
	emit_line(&cg->w, ".handler = %s,", cg_handler_name(cg, p));
	saved_fields(cg, p);
	if (p->condition)
		emit_line(&cg->w, ".condition = condition_%u,", p->index);
	emit_line(&cg->w, ".family = &stp_family_%s,", p->kind->name);
	emit_line(&cg->w, ".points = points_%u,", p->index);
	emit_line(&cg->w, ".n_points = %zu,", p->points.n);
	if (first_point)
		emit_line(&cg->w, ".first_point = %zu,", first_point);
	emit_line(&cg->w, ".index = %u,", p->index);
	if (p->named_by_point)
		emit_line(&cg->w, ".flags = STP_PROBE_NAMED_BY_POINT,");
	emit_line(&cg->w, ".pn = %s,", cg_quoted(cg, p->pn));
	emit_line(&cg->w, ".location = %s,", cg_quoted(cg, at ? at : ""));
	if (cg->in->flags & STP_SCRIPT_TIMING && p->chain)
		emit_line(&cg->w, ".from = %s,", cg_quoted(cg, p->chain + sizeof("<-")));
	emit_close(&cg->w, ",");
}

/* Families of which no point is left are not linked in. */
static bool uses_kind(const struct ir_program *program, const struct ir_probe_kind *kind)
{
	vec_foreach(p, &program->probes)
		if ((*p)->kind == kind)
			return true;
	return false;
}

/* Naming a family's object is what pulls its code into the module. */
static void families(struct cg *cg)
{
	for (const struct ir_probe_kind *const *kind = ir_kinds; *kind; kind++)
		if (uses_kind(cg->program, *kind))
			emit_line(&cg->w, "extern const struct stp_family stp_family_%s;",
				  (*kind)->name);
	emit_blank(&cg->w);
}

/* A program without probes (in tests) has no tables. */
void cg_probes(struct cg *cg)
{
	size_t first_point = 0;

	if (!cg->program->probes.n)
		return;
	families(cg);
	cg_scopes(cg);
	vec_foreach(p, &cg->program->probes)
		points(cg, *p);
	emit_open(&cg->w, "static struct stp_probe probes[] =");
	vec_foreach(p, &cg->program->probes) {
		probe_row(cg, *p, first_point);
		first_point += (*p)->points.n;
	}
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}
