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
#include "base/strbuf.h"
#include "codegen/body.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "runtime/uapi/exits.h"
#include "runtime/uapi/script.h"

_Static_assert(IR_POINT_TEXT_MAX == STP_POINT_VALUES, "the runtime takes what a text may have");

const char *cg_quoted(struct cg *cg, const char *s)
{
	return s ? emit_string(cg->arena, s, strlen(s)) : "NULL";
}

/* ---- attach points ---- */

static void number(struct cg *cg, struct cg_row *row, const char *member, enum cg_field_kind kind,
		   uint64_t value)
{
	cg_row_add(cg, row, (struct cg_field){ .member = member, .kind = kind, .number = value });
}

static void text(struct cg *cg, struct cg_row *row, const char *member, const char *value)
{
	cg_row_add(cg, row, (struct cg_field){ .member = member, .kind = CG_TEXT, .text = value });
}

/* VALUE: C. */
static void address(struct cg *cg, struct cg_row *row, const char *member, const char *value)
{
	cg_row_add(cg, row,
		   (struct cg_field){ .member = member, .kind = CG_ADDRESS, .text = value });
}

/* A bit of a member that has several, and its name in C. */
struct flag {
	bool is_set;
	uint32_t flag;
	const char *name;
};

static void flags(struct cg *cg, struct cg_row *row, const char *member, const struct flag *all,
		  size_t n)
{
	struct cg_field field = { .member = member, .kind = CG_FLAGS };

	for (size_t i = 0; i < n; i++) {
		if (!all[i].is_set)
			continue;
		field.text = field.text ? cg_printf(cg, "%s | %s", field.text, all[i].name)
					: all[i].name;
		field.number |= all[i].flag;
	}
	cg_row_add(cg, row, field);
}

static void session_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "session.sequence", CG_SIGNED, (uint64_t)at->session.sequence);
}

static void timer_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "timer.interval", CG_SIGNED, (uint64_t)at->timer.interval);
	number(cg, row, "timer.randomize", CG_SIGNED, (uint64_t)at->timer.randomize);
}

/* Where the code is: by symbol, or by section and address. */
static void kernel_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	text(cg, row, "kernel.symbol", at->kernel.symbol);
	number(cg, row, "kernel.section", CG_DECIMAL,
	       at->kernel.section ? cg_section(cg, at->kernel.section) : 0);
	number(cg, row, "kernel.addr", CG_HEX, at->kernel.addr);
	number(cg, row, "kernel.offset", CG_DECIMAL, at->kernel.offset);
	number(cg, row, "max_active", CG_DECIMAL, at->kernel.max_active);
	number(cg, row, "kernel.absolute", CG_DECIMAL, at->kernel.absolute);
}

/* A tracepoint always has a name. */
static void tracepoint_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	text(cg, row, "tracepoint.name", at->tracepoint.name);
	number(cg, row, "tracepoint.n_args", CG_DECIMAL, at->n_words);
	if (at->tracepoint.object)
		number(cg, row, "tracepoint.object", CG_DECIMAL,
		       cg_object(cg, at->tracepoint.object));
}

/* A file, and which of the two things that are done to it. */
static void procfs_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	uint32_t size = at->procfs.max_size ? at->procfs.max_size : cg->in->limits.procfs_size;

	text(cg, row, "procfs.path", at->procfs.path);
	number(cg, row, "procfs.mode", CG_OCTAL, at->procfs.mode);
	if (!at->procfs.write)
		number(cg, row, "procfs.max_size", CG_DECIMAL, size);
	number(cg, row, "procfs.write", CG_DECIMAL, at->procfs.write);
}

/* abi and number of the machine's own first call are 0. */
static void syscall_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "syscall.abi", CG_DECIMAL, at->syscall.abi);
	number(cg, row, "syscall.number", CG_DECIMAL, at->syscall.number);
}

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

/* Where a function is left; NULL: nowhere. */
static enum stp_exit_kind exit_kind(enum ir_exit_kind kind)
{
	switch (kind) {
	case IR_EXIT_RETURN:
		return STP_EXIT_RETURN;
	case IR_EXIT_JUMP:
		return STP_EXIT_JUMP;
	case IR_EXIT_LEAF:
		break;
	}
	return STP_EXIT_LEAF;
}

static const char *exit_array(struct cg *cg, const struct ir_exits *exits)
{
	struct strbuf rows;

	if (!exits->n)
		return NULL;
	strbuf_init(&rows);
	vec_foreach(exit, exits)
		strbuf_addf(&rows, "%s{ 0x%" PRIx64 ", %d }", exit == exits->data ? "" : ", ",
			    exit->offset, exit_kind(exit->kind));
	return row_array(cg, "stp_user_exit", "exits", &rows);
}

static void user_exits(struct cg *cg, const struct ir_exits *exits, struct cg_row *row)
{
	const struct flag ways[] = {
		{ exits->go == IR_GO_REGISTER, STP_WAY_GO_REGISTER, "STP_WAY_GO_REGISTER" },
		{ exits->go == IR_GO_THREAD, STP_WAY_GO_THREAD, "STP_WAY_GO_THREAD" },
	};

	number(cg, row, "user.n_exits", CG_DECIMAL, exits->n);
	flags(cg, row, "user.ways", ways, sizeof(ways) / sizeof(ways[0]));
	address(cg, row, "user.exits", exit_array(cg, exits));
}

/* The counter is in the file, as the kernel takes it. */
static void user_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "user.object", CG_DECIMAL, cg_object(cg, at->user.object));
	number(cg, row, "user.addr", CG_HEX, at->user.addr);
	number(cg, row, "user.offset", CG_HEX, at->user.offset);
	number(cg, row, "user.semaphore", CG_HEX, at->user.semaphore);
	if (at->user.exits)
		user_exits(cg, at->user.exits, row);
}

static void perf_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "perf.type", CG_DECIMAL, at->perf.type);
	number(cg, row, "perf.config", CG_DECIMAL, at->perf.config);
	number(cg, row, "perf.sample", CG_DECIMAL, at->perf.sample);
	number(cg, row, "perf.by_rate", CG_DECIMAL, at->perf.by_rate);
	if (at->perf.counter)
		text(cg, row, "perf.counter", at->perf.counter);
}

static void data_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "data.addr", CG_HEX, at->data.addr);
	number(cg, row, "data.length", CG_DECIMAL, at->data.length);
	number(cg, row, "data.linked", CG_DECIMAL, at->data.linked);
	number(cg, row, "data.reads", CG_DECIMAL, at->data.reads);
}

static void netfilter_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
	number(cg, row, "netfilter.family", CG_DECIMAL, at->netfilter.family);
	number(cg, row, "netfilter.hook", CG_DECIMAL, at->netfilter.hook);
	number(cg, row, "netfilter.priority", CG_SIGNED, (uint64_t)at->netfilter.priority);
}

/* The kind says all. */
static void task_attach(struct cg *cg, const struct ir_attach *at, struct cg_row *row)
{
}

/* By ir_attach.tag. */
static void (*const attach_writers[])(struct cg *cg, const struct ir_attach *at,
				      struct cg_row *row) = {
	/* clang-format off */
	[IR_ATTACH_SESSION] = session_attach,
	[IR_ATTACH_TIMER] = timer_attach,
	[IR_ATTACH_KERNEL] = kernel_attach,
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

static void point_flags(struct cg *cg, const struct ir_probe *p, const struct ir_point *point,
			struct cg_row *row)
{
	bool full =
		(p->full_regs || p->body_facts.uses_registers || p->entry_facts.uses_registers) &&
		p->kind->registers == IR_REGISTERS_ARGS;
	const struct flag all[] = {
		{ point->optional, STP_POINT_OPTIONAL, "STP_POINT_OPTIONAL" },
		{ point->optional && point->wild, STP_POINT_WILD, "STP_POINT_WILD" },
		{ full, STP_POINT_FULL_REGS, "STP_POINT_FULL_REGS" },
	};

	flags(cg, row, "flags", all, sizeof(all) / sizeof(all[0]));
}

/* Arrays that it names are written on the way, in front of the table that has the row. */
static void point_row(struct cg *cg, const struct ir_probe *p, const struct ir_point *point,
		      struct cg_row *row)
{
	attach_writers[point->attach.tag](cg, &point->attach, row);
	text(cg, row, "pp", point->pp);
	text(cg, row, "pn", point->pn);
	text(cg, row, "function", point->function);
	text(cg, row, "module", point->module);
	if (point->scope)
		address(cg, row, "scope", cg_scope(cg, point->scope));
	point_flags(cg, p, point, row);
	if (p->n_values)
		address(cg, row, "values", value_array(cg, point->values, p->n_values));
	if (p->n_texts)
		address(cg, row, "texts", text_array(cg, point->texts, p->n_texts));
}

/* Whether it is one by columns: struct stp_point_rows. */
static bool points(struct cg *cg, const struct ir_probe *p)
{
	struct cg_row *rows = arena_new_array(cg->arena, struct cg_row, p->points.n);

	for (size_t i = 0; i < p->points.n; i++)
		point_row(cg, p, &p->points.data[i], &rows[i]);
	if (p->by_point)
		emit_blank(&cg->w);
	return cg_point_table(cg, cg_printf(cg, "points_%u", p->index), rows, p->points.n);
}

size_t cg_point_count(const struct ir_program *program)
{
	size_t n = 0;

	vec_foreach(p, &program->probes)
		n += (*p)->points.n;
	return n;
}

/* ---- probes ---- */

static const char *code_array(struct cg *cg, const struct ir_text_ranges *codes)
{
	struct strbuf rows;

	strbuf_init(&rows);
	vec_foreach(code, codes)
		strbuf_addf(&rows, "%s{ 0x%" PRIx64 ", 0x%" PRIx64 ", %u }",
			    code == codes->data ? "" : ", ", code->addr, code->size,
			    code->section ? cg_section(cg, code->section) : 0);
	return row_array(cg, "stp_code", "callers", &rows);
}

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

/* The points of the script that P comes from; one of many ways when it was merged. NULL: none. */
static const char *points_behind(const struct ir_probe *p)
{
	if (p->kept_for)
		return p->kept_for->origin;
	return p->chain ? p->chain + strlen("<- ") : p->origin;
}

/* FIRST_POINT is the number of the probe's first point among all. */
static void probe_row(struct cg *cg, const struct ir_probe *p, bool by_columns, size_t first_point,
		      const char *callers)
{
	const char *at = cg_probe_place(cg, p),
		   *from = cg->in->flags & STP_SCRIPT_TIMING ? points_behind(p) : NULL;

	emit_open(&cg->w, "[%u] =", p->index);
	if (callers) {
		emit_line(&cg->w, ".callers = %s,", callers);
		emit_line(&cg->w, ".n_callers = %zu,", p->callers->n);
	}
	emit_line(&cg->w, ".handler = %s,", cg_handler_name(cg, p));
	saved_fields(cg, p);
	if (p->condition)
		emit_line(&cg->w, ".condition = condition_%u,", p->index);
	emit_line(&cg->w, ".family = &stp_family_%s,", p->kind->name);
	emit_line(&cg->w, by_columns ? ".rows = &points_%u," : ".points = points_%u,", p->index);
	emit_line(&cg->w, ".n_points = %zu,", p->points.n);
	if (first_point)
		emit_line(&cg->w, ".first_point = %zu,", first_point);
	emit_line(&cg->w, ".index = %u,", p->index);
	if (p->named_by_point)
		emit_line(&cg->w, ".flags = STP_PROBE_NAMED_BY_POINT,");
	emit_line(&cg->w, ".pn = %s,", cg_quoted(cg, p->pn));
	emit_line(&cg->w, ".location = %s,", cg_quoted(cg, at ? at : ""));
	if (from)
		emit_line(&cg->w, ".from = %s,", cg_quoted(cg, from));
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
	bool *by_columns = arena_new_array(cg->arena, bool, cg->program->probes.n + 1);
	const char **callers = arena_new_array(cg->arena, const char *, cg->program->probes.n + 1);
	size_t first_point = 0, i = 0;

	if (!cg->program->probes.n)
		return;
	families(cg);
	cg_scopes(cg);
	vec_foreach(p, &cg->program->probes) {
		callers[i] = (*p)->callers ? code_array(cg, (*p)->callers) : NULL;
		by_columns[i++] = points(cg, *p);
	}
	emit_open(&cg->w, "static struct stp_probe probes[] =");
	i = 0;
	vec_foreach(p, &cg->program->probes) {
		probe_row(cg, *p, by_columns[i], first_point, callers[i]);
		i++;
		first_point += (*p)->points.n;
	}
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}
