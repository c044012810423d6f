/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program as -p2 prints it: declarations always, bodies when verbose. The layout is part of the
 * interface.
 */
#include <inttypes.h>

#include "base/strbuf.h"
#include "ir/dump.h"
#include "ir/dump_code.h"
#include "ir/names.h"

/* "name:type", and the types of its keys. */
static void dump_global(const struct ir_global *g, struct strbuf *out)
{
	strbuf_addf(out, "%s:%s", g->name->text, ir_type_name(g->type));
	if (g->is_array) {
		strbuf_adds(out, " [");
		for (unsigned i = 0; i < g->n_keys; i++)
			strbuf_addf(out, "%s%s", i ? ", " : "", ir_type_name(g->keys[i]));
		strbuf_addc(out, ']');
	}
	strbuf_addc(out, '\n');
}

static void dump_local(const struct ir_local *l, struct strbuf *out)
{
	strbuf_addf(out, "  %s:%s\n", l->name->text, ir_type_name(l->type));
}

/* Embedded C is shown as it is. */
static void dump_function(const struct ir_function *f, int verbose, struct strbuf *out)
{
	strbuf_addf(out, "%s:%s (", f->name->text, ir_type_name(f->type));
	for (size_t i = 0; i < f->params.n; i++)
		strbuf_addf(out, "%s%s:%s", i ? ", " : "", f->params.data[i]->name->text,
			    ir_type_name(f->params.data[i]->type));
	strbuf_adds(out, ")\n");
	if (f->locals.n)
		strbuf_adds(out, "  # locals\n");
	vec_foreach(l, &f->locals)
		dump_local(*l, out);
	if (verbose && f->body)
		ir_dump_stmt(f->body, 0, out);
	else if (verbose && f->code)
		strbuf_addf(out, "%%{%s%%}\n", f->code->text->text);
}

/* One line per point, with the address that it attaches to and the aliases it came by. */
static void dump_heading(const struct ir_probe *p, const struct ir_point *point, struct strbuf *out)
{
	strbuf_adds(out, point->pp);
	ir_attach_dump(&point->attach, out);
	if (p->chain)
		strbuf_addf(out, " /* %s */", p->chain);
	if (p->kept_for)
		strbuf_addf(out, " /* " IR_KEPT_FOR "%s%s */", p->kept_for->origin,
			    point->kept_for_others ? " and others" : "");
	strbuf_addc(out, '\n');
}

static void dump_callers(const struct ir_probe *p, struct strbuf *out)
{
	if (!p->callers)
		return;
	vec_foreach(code, p->callers)
		strbuf_addf(out, "  # of calls from %s%s0x%" PRIx64 "+0x%" PRIx64 "\n",
			    code->section ? code->section->name : "", code->section ? " " : "",
			    code->addr, code->size);
}

/* Headings of all points, then what they share. */
static void dump_probe(const struct ir_probe *p, int verbose, struct strbuf *out)
{
	vec_foreach(point, &p->points)
		dump_heading(p, point, out);
	if (p->locals.n)
		strbuf_adds(out, "  # locals\n");
	vec_foreach(l, &p->locals)
		dump_local(*l, out);
	if (!verbose)
		return;
	dump_callers(p, out);
	for (size_t i = 0; i < p->saved.n; i++) {
		strbuf_addf(out, "  # saved %zu = ", i);
		ir_dump_expr(p->saved.data[i], out);
		strbuf_addc(out, '\n');
	}
	if (p->condition) {
		strbuf_adds(out, "  # if ");
		ir_dump_expr(p->condition, out);
		strbuf_addc(out, '\n');
	}
	ir_dump_stmt(p->body, 0, out);
}

void ir_dump(const struct ir_program *program, int verbose, struct strbuf *out)
{
	if (program->globals.n)
		strbuf_adds(out, "# globals\n");
	vec_foreach(g, &program->globals)
		dump_global(*g, out);
	if (program->functions.n)
		strbuf_adds(out, "# functions\n");
	vec_foreach(f, &program->functions)
		dump_function(*f, verbose, out);
	if (program->probes.n)
		strbuf_adds(out, "# probes\n");
	vec_foreach(p, &program->probes)
		dump_probe(*p, verbose, out);
}
