/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Print operators: formats are a table, a print is its number and the arguments. The runtime
 * puts only these into the buffer; the reader formats them later, except for memory dumps and
 * sprintf, which are done at the event.
 */
#include "base/intern.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"

/*
 * An enumerator per format, so that the generated code says FMT_n. Shapes of histograms stand
 * beside them.
 */
void cg_formats(struct cg *cg)
{
	const struct ir_program *program = cg->program;

	if (program->formats.n) {
		emit_comment(&cg->w, "formats of print and printf");
		emit_open(&cg->w, "enum");
		for (size_t i = 0; i < program->formats.n; i++)
			emit_line(&cg->w, "FMT_%zu,", i);
		emit_close(&cg->w, ";");
		emit_blank(&cg->w);
		emit_open(&cg->w, "static const char *const formats[] =");
		for (size_t i = 0; i < program->formats.n; i++) {
			const struct istr *text = program->formats.data[i].text;

			emit_line(&cg->w, "[FMT_%zu] = %s,", i,
				  emit_string(cg->arena, text->text, text->len));
		}
		emit_close(&cg->w, ";");
		emit_blank(&cg->w);
	}
	if (!program->hists.n)
		return;
	emit_open(&cg->w, "static const struct stp_hist_shape hists[] =");
	vec_foreach(h, &program->hists)
		emit_line(&cg->w,
			  "{ .kind = %s, .n_buckets = %u, .low = %s, .high = %s, .step = %s, "
			  ".width = %u, .elision = (stp_u32)%d },",
			  cg_hist_kind(h->kind), h->n_buckets, cg_number(cg, h->low).text,
			  cg_number(cg, h->high).text, cg_number(cg, h->step).text,
			  cg->in->limits.hist_width, cg->in->limits.hist_elision);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/*
 * A call of FUNCTION of the runtime with the evaluated arguments; *soft says whether one that is
 * pending can fail.
 */
static const char *call(struct cg *cg, const char *function, const struct ir_expr *e, bool *soft)
{
	const struct ir_exprs *args = &e->print.args;
	struct value *v = arena_new_array(cg->arena, struct value, args->n + 1);
	const struct ir_format *format = &cg->program->formats.data[e->print.format];

	cg_lower_list(cg, args, v);
	cg_evaluate_list(cg, args, v);
	for (size_t i = 0; i < args->n; i++)
		*soft |= v[i].state == V_SOFT;
	if (!args->n)
		return cg_printf(cg, "%s(c, FMT_%u, NULL, 0, 0)", function, e->print.format);
	return cg_with_keys(cg,
			    cg_printf(cg, "%s(c, FMT_%u, vals, %zu, 0x%x)", function,
				      e->print.format, args->n, (unsigned)format->strings),
			    args, v);
}

/* The result is in scratch. Only dumps of memory can really fail. */
static struct value sprint(struct cg *cg, const struct ir_expr *e, bool fails)
{
	bool soft = false;
	const char *text = call(cg, "stp_sprint", e, &soft);

	cg_use_scratch(cg);
	if (fails)
		cg_position(cg, e);
	return cg_value(text, PREC_PRIMARY, fails ? V_FAILS : V_SOFT);
}

/* Makes the text of E in the temporary NAME, or the other text when making it fails. */
static void sprint_to(struct cg *cg, const struct ir_expr *e, const char *name, bool fails)
{
	struct cg_try t;
	struct value v;

	cg_try_begin(cg, &t);
	if (!cg_object_text(cg, e, false, &v))
		v = sprint(cg, e, fails);
	cg_line(cg, "%s = %s;", name, v.text);
	cg_consume(cg, v);
	if (!cg_try_catch(cg, &t))
		return;
	cg_line(cg, "stp_catch(c);");
	v = cg_lower(cg, e->print.otherwise);
	cg_line(cg, "%s = %s;", name, v.text);
	cg_consume(cg, v);
	cg_try_end(cg);
}

/*
 * The text in a temporary; an error on the way to it is caught as by a try, and the other text made
 * in its place. The arguments are in a block of their own: those of several texts, as a handler of
 * $$parms$$ has them, share the same words of the stack.
 */
static struct value sprint_or(struct cg *cg, const struct ir_expr *e, bool fails)
{
	struct value v;
	const char *name;

	if (cg_object_text(cg, e, true, &v))
		return v;
	name = cg_temp_name(cg);
	cg_check(cg);
	cg_line(cg, "%s%s = { 0 };", cg_type(IR_STRING), name);
	emit_line(&cg->w, "{");
	cg->w.depth++;
	sprint_to(cg, e, name, fails);
	cg->w.depth--;
	emit_line(&cg->w, "}");
	return cg_string(name, V_FREE, BYTES_SCRATCH);
}

/*
 * Output is an effect: errors are looked at first. Dumps read memory at the event and can fail;
 * other prints cannot.
 */
struct value cg_print(struct cg *cg, const struct ir_expr *e)
{
	bool fails = cg->program->formats.data[e->print.format].memory;
	bool soft = false;
	const char *text;

	if (e->print.otherwise)
		return sprint_or(cg, e, fails);
	if (e->print.to_string)
		return sprint(cg, e, fails);
	text = call(cg, fails ? "stp_print_dumps" : "stp_print", e, &soft);
	cg_check(cg);
	if (fails) {
		cg_position(cg, e);
		cg_use_scratch(cg);
	}
	if (e->print.args.n)
		cg_line(cg, "%s;", text);
	else
		cg_line(cg, "stp_print_0(c, FMT_%u);", e->print.format);
	if (fails || soft)
		cg_may_fail(cg);
	return cg_number(cg, 0);
}

/* May fail, as stp_hist_print() of the runtime says. */
struct value cg_print_hist(struct cg *cg, const struct ir_expr *e)
{
	struct stat_operands stat = cg_stat(cg, e->print_hist.stat, NULL, NULL);

	cg_check(cg);
	cg_position(cg, e);
	if (e->print_hist.to_string) {
		cg_use_scratch(cg);
		return cg_value(cg_stat_call(cg, &stat, "map_sprint_hist", "stat_sprint_hist", ""),
				PREC_PRIMARY, V_FAILS);
	}
	cg_line(cg, "%s;",
		cg_stat_call(cg, &stat, "map_print_hist", "stat_print_hist",
			     cg_printf(cg, ", %u", e->print_hist.hist)));
	cg_may_fail(cg);
	return cg_number(cg, 0);
}
