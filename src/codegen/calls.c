/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of script functions, of embedded C functions and of the runtime's. Arguments are
 * evaluated, so that the callee's own positions and errors do not mix with theirs. A call with code
 * of the script behind it is "chained": the error line names the positions of all calls on the way
 * (see internal.h).
 */
#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/sizes.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "ir/builtins.h"
#include "ir/effects.h"
#include "runtime/uapi/script.h"

const char *cg_embedded_function(struct cg *cg, const struct ir_function *f)
{
	return emit_name(cg->arena, STP_EMBEDDED_NAME, f->unique_name);
}

const char *cg_function_name(struct cg *cg, const struct ir_function *f)
{
	if (f->builtin)
		return cg_builtin_symbol(cg->arena, f->builtin);
	/* what may hand its call on is called by a function of the script's unit */
	return f->code && !cg_uses_next(f) ? cg_embedded_function(cg, f)
					   : emit_name(cg->arena, "f", f->unique_name);
}

/* PREFIX tells apart parameters that a body copies from those it uses as they are. */
const char *cg_parameters(struct cg *cg, const struct ir_function *f, const char *prefix)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	strbuf_adds(&b, "struct stp_ctx *c");
	vec_foreach(p, &f->params)
		strbuf_addf(&b, ", %s%s", cg_type((*p)->type),
			    emit_name(cg->arena, prefix, (*p)->name->text));
	text = arena_strdup(cg->arena, strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

/* Does the callee, or what it hands its call on to, say for itself where it fails? */
static bool has_positions(const struct ir_function *f)
{
	for (; f; f = f->next_overload)
		if (f->body || f->code)
			return true;
	return false;
}

/* How a call can fail; the position is set here. */
static enum value_state call_state(struct cg *cg, const struct ir_expr *e, unsigned effects,
				   bool chained)
{
	if (!(effects & (IR_FAILS | IR_WRITES))) {
		cg_position_soft(cg, e);
		return V_SOFT;
	}
	cg_position(cg, e);
	if (chained)
		cg_pending_call(cg);
	return chained ? V_CALLS : V_FAILS;
}

/* A builtin that returns nothing is called for its effect; used as a value, it is 0 or "". */
static struct value without_result(struct cg *cg, const struct ir_expr *e, struct value call)
{
	cg_line(cg, "%s;", call.text);
	cg_may_fail(cg);
	return e->type == IR_STRING ? cg_string("STP_S(\"\")", V_FREE, BYTES_LITERAL)
				    : cg_number(cg, 0);
}

/*
 * Scratch is dirty behind it when the callee, or the copy of an argument, may have left
 * something there.
 */
struct value cg_call(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_function *f = e->call.callee;
	const struct ir_exprs *args = &e->call.args;
	struct value *v = arena_new_array(cg->arena, struct value, args->n + 1), ret;
	unsigned effects = ir_call_effects(f);
	bool chained = has_positions(f);
	struct strbuf b;
	const char *text;

	cg_lower_list(cg, args, v);
	cg_evaluate_list(cg, args, v);
	if (effects & IR_WRITES || chained)
		cg_check(cg);
	for (size_t i = 0; i < args->n; i++) {
		/* the callee may change the global while it still looks at its parameter */
		if (v[i].bytes == BYTES_GLOBAL && !f->builtin && !f->pure)
			v[i] = cg_string_copy(cg, v[i]);
		if (args->data[i]->type == IR_STRING)
			cg_use_scratch(cg);
	}
	if (f->type == IR_STRING || cg_function_sizes(cg, f)->scratch > 0)
		cg_use_scratch(cg);
	strbuf_init(&b);
	strbuf_addf(&b, "%s(c", cg_function_name(cg, f));
	for (size_t i = 0; i < args->n; i++)
		strbuf_addf(&b, ", %s", v[i].text);
	text = cg_printf(cg, "%s)", strbuf_cstr(&b));
	strbuf_deinit(&b);
	ret = cg_value(text, PREC_PRIMARY, call_state(cg, e, effects, chained));
	if (f->builtin && f->builtin->result == IR_UNKNOWN && e->type != IR_UNKNOWN)
		return without_result(cg, e, ret);
	ret.effect = effects & IR_WRITES;
	/* what a builtin returns may be a part of what it was given */
	for (size_t i = 0; f->builtin && f->type == IR_STRING && i < args->n; i++)
		if (v[i].bytes > ret.bytes)
			ret.bytes = v[i].bytes;
	return ret;
}
