/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Script functions: prototypes, frames, bodies and ways out. A function returns straight,
 * unless it counts its calls: then there is one way out, which takes the call off the count. A
 * string result is moved down to where the caller's scratch ended. A function that returns a
 * number leaves its frame to the caller, who gives it back at the end of the statement.
 */
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/sizes.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "ir/facts.h"

/* What a function gives when it cannot go on; its caller sees c->error. */
static const char *failed_return(const struct ir_function *f)
{
	return f->type == IR_UNKNOWN  ? "return;"
	       : f->type == IR_STRING ? "return STP_S(\"\");"
				      : "return 0;";
}

/*
 * Parameters are C parameters; one that is assigned to is copied when the next overload may
 * need it as it was passed.
 */
static void declare_locals(struct cg *cg, struct body *b)
{
	map_foreach(it, &b->locals) {
		const struct ir_local *local = it->key;
		const struct local_facts *l = it->value;
		const char *attribute = l->read ? "" : " __attribute__((unused))";

		if (local->is_param && b->function && cg_uses_next(b->function) && local->assigned)
			emit_line(&cg->w, "%s%s%s = %s;", cg_type(local->type), l->c_name,
				  attribute, emit_name(cg->arena, "p", local->name->text));
		else if (!local->is_param && l->used)
			emit_line(&cg->w, "%s%s%s = %s;", cg_type(local->type), l->c_name,
				  attribute, local->type == IR_STRING ? "STP_S(\"\")" : "0");
	}
}

/*
 * What has to be done between the declarations and the statements: counting the call, and
 * leaving when there is no room for the frame. The runtime has set c->error then.
 */
static void enter(struct cg *cg, struct body *b)
{
	if (b->enters) {
		emit_line(&cg->w, "if (stp_unlikely(stp_call_enter(c)))");
		cg->w.depth++;
		emit_line(&cg->w, "%s", failed_return(b->function));
		cg->w.depth--;
	}
	if (b->n_buffers) {
		emit_line(&cg->w, "if (stp_unlikely(!frame))");
		cg->w.depth++;
		cg_exit(cg, b->leave);
		cg->w.depth--;
	}
	if (b->n_buffers && b->needs_mark)
		emit_line(&cg->w, "mark = c->top;");
}

/* The body was captured first: only now it is known which of frame, mark and base it needs. */
void cg_declare(struct cg *cg, struct body *b, struct emit_text text)
{
	size_t before = cg->w.n_lines;

	if (b->needs_base)
		emit_line(&cg->w, "char *const base = c->top;");
	if (b->n_buffers == 1)
		emit_line(&cg->w, "char *const frame = stp_scratch(c, MAXSTRINGLEN);");
	else if (b->n_buffers)
		emit_line(&cg->w, "char *const frame = stp_scratch(c, %u * MAXSTRINGLEN);",
			  b->n_buffers);
	if (b->n_buffers && (b->needs_mark || b->mark_moves))
		emit_line(&cg->w, "char *mark%s;", b->needs_mark ? "" : " __attribute__((unused))");
	else if (!b->n_buffers && b->needs_mark)
		emit_line(&cg->w, "char *%smark = c->top;", b->mark_moves ? "" : "const ");
	else if (!b->n_buffers && b->mark_moves)
		emit_line(&cg->w, "char *mark __attribute__((unused));");
	declare_locals(cg, b);
	if (b->enters && b->function->type == IR_STRING)
		emit_line(&cg->w, "struct stp_str ret = STP_S(\"\");");
	else if (b->enters && b->function->type == IR_LONG)
		emit_line(&cg->w, "stp_long ret = 0;");
	if (cg->w.n_lines > before)
		emit_blank(&cg->w);
	enter(cg, b);
	emit_text(&cg->w, text);
}

/* "return V;" or the same through the one exit; V is the C text of the result. */
static void return_text(struct cg *cg, const char *text, bool literal)
{
	struct body *b = cg->body;
	bool string = b->function->type == IR_STRING;

	if (b->enters) {
		cg_line(cg, "ret = %s;", text);
		if (!b->at_end)
			cg_exit(cg, b->leave);
	} else if (string && !literal) {
		b->needs_base = true;
		cg_line(cg, "return stp_str_return(c, %s, %s);", b->base, text);
	} else {
		cg_line(cg, "return %s;", text);
	}
}

/*
 * The value is a temporary when a check has to stand behind its computation. The last statement
 * of a function need not jump.
 */
void cg_return(struct cg *cg, const struct ir_expr *e)
{
	struct body *b = cg->body;
	struct value v;

	if (!e) {
		if (!b->at_end)
			cg_exit(cg, b->leave);
		return;
	}
	v = cg_lower(cg, e);
	if (b->n_tries) {
		v = cg_evaluate(cg, v, e->type);
		cg_check(cg);
	} else if (cg_call_open(cg) || v.state == V_CALLS) {
		v = cg_evaluate(cg, v, e->type);
		cg_check_call(cg);
	}
	if (b->function->type == IR_UNKNOWN)
		cg_exit(cg, b->leave);
	else
		return_text(cg, v.text, v.bytes == BYTES_LITERAL);
}

/*
 * The call of the next overload with the parameters as they were passed. PREFIX names those
 * that the body changes.
 */
static const char *overload_call(struct cg *cg, const struct ir_function *f, const char *prefix)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	strbuf_addf(&b, "%s(c", cg_function_name(cg, f->next_overload));
	vec_foreach(p, &f->params)
		strbuf_addf(&b, ", %s",
			    emit_name(cg->arena, (*p)->assigned ? prefix : "l", (*p)->name->text));
	text = cg_printf(cg, "%s)", strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

/* An error without a position of its own: stp_called() gives it the call's. */
static void exhausted(struct cg *cg)
{
	emit_line(&cg->w, "c->position = 0;");
	emit_line(&cg->w, "stp_error(c, \"all functions exhausted\");");
}

void cg_next_overload(struct cg *cg)
{
	const struct ir_function *f = cg->body->function;
	const char *call;

	if (!f->next_overload) {
		exhausted(cg);
		cg_exit(cg, cg->body->error);
		return;
	}
	call = overload_call(cg, f, "p");
	if (f->type == IR_UNKNOWN) {
		cg_line(cg, "%s;", call);
		cg_exit(cg, cg->body->leave);
	} else {
		return_text(cg, call, false);
	}
}

/* Whether control cannot fall off the end of the body, as far as the last statement tells. */
static bool ends_in_return(const struct ir_stmt *s)
{
	while (s->kind == IR_STMT_BLOCK && s->block.n)
		s = s->block.data[s->block.n - 1];
	return s->kind == IR_STMT_RETURN || s->kind == IR_STMT_NEXT;
}

/* The body; its last statement may leave by falling off the end. */
static void function_statements(struct cg *cg, const struct ir_stmt *s, bool last)
{
	if (s->kind != IR_STMT_BLOCK) {
		cg->body->at_end = last && s->kind == IR_STMT_RETURN;
		cg_stmt(cg, s);
		cg->body->at_end = false;
		return;
	}
	for (size_t i = 0; i < s->block.n; i++)
		function_statements(cg, s->block.data[i], last && i + 1 == s->block.n);
}

/* Head of the definition and of the prototype. Functions of guru.c are not static. */
static const char *signature(struct cg *cg, const struct ir_function *f)
{
	const char *static_ = !f->body && !cg_uses_next(f) ? ""
			      : f->called                  ? "static "
							   : "static __attribute__((unused)) ";
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	strbuf_addf(&b, "%s%s%s(struct stp_ctx *c", static_, cg_type(f->type),
		    cg_function_name(cg, f));
	vec_foreach(p, &f->params) {
		bool copied = cg_uses_next(f) && (*p)->assigned && f->body;

		strbuf_addf(&b, ", %s%s", cg_type((*p)->type),
			    emit_name(cg->arena, copied ? "p" : "l", (*p)->name->text));
	}
	text = cg_printf(cg, "%s)", strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

/*
 * Behind the last statement: the one way out, or the result of a body that does not end in a
 * return.
 */
static void function_end(struct cg *cg, struct body *b, struct exit *out)
{
	const struct ir_function *f = b->function;

	if (b->enters) {
		if (out->used)
			emit_label(&cg->w, "out");
		emit_line(&cg->w, "c->depth--;");
		if (f->type == IR_STRING)
			emit_line(&cg->w, "return stp_str_return(c, %s, ret);", b->base);
		else if (f->type == IR_LONG)
			emit_line(&cg->w, "return ret;");
	} else if (f->type != IR_UNKNOWN && !ends_in_return(f->body)) {
		emit_line(&cg->w, "%s", failed_return(f));
	}
}

/* The body goes into a captured text first; see cg_declare(). */
static void script_function(struct cg *cg, const struct ir_function *f)
{
	bool enters = cg_function_sizes(cg, f)->enters;
	struct exit leave = { .text = enters ? "goto out;" : failed_return(f) };
	struct body b = {
		.function = f, .enters = enters, .leave = &leave, .error = &leave, .mark = "mark"
	};
	const char *at = cg_span_text(cg, f->span);
	struct emit_saved saved;
	struct emit_text text;

	cg_begin(cg, &b);
	cg_locals(cg, &b, f->body);
	b.base = "base";
	b.needs_base = enters && f->type == IR_STRING;
	b.counted = f->facts.has_loop || f->facts.calls_recursive;
	cg->w.depth = 1;
	emit_capture(&cg->w, &saved);
	if (b.counted)
		cg_count_statements(cg, 0, ir_statement_count(f->body));
	function_statements(cg, f->body, true);
	cg_check_call(cg);
	text = emit_captured(&cg->w, &saved);
	cg->w.depth = 0;
	emit_comment(&cg->w, "function %s%s%s", f->name->text, at ? " at " : "", at ? at : "");
	emit_line(&cg->w, "%s", signature(cg, f));
	emit_line(&cg->w, "{");
	cg->w.depth = 1;
	cg_declare(cg, &b, text);
	function_end(cg, &b, &leave);
	emit_close(&cg->w, "");
	emit_blank(&cg->w);
	cg->body = NULL;
}

/* Embedded C that may say STAP_NEXT: guru.c's function tells whether it did. */
static void overload_wrapper(struct cg *cg, const struct ir_function *f)
{
	const char *c_name = cg_embedded_function(cg, f), *call;
	bool value = f->type != IR_UNKNOWN;
	struct strbuf b;

	strbuf_init(&b);
	vec_foreach(p, &f->params)
		strbuf_addf(&b, ", %s", emit_name(cg->arena, "l", (*p)->name->text));
	emit_line(&cg->w, "%s", signature(cg, f));
	emit_line(&cg->w, "{");
	cg->w.depth++;
	emit_line(&cg->w, "int next = 0;");
	emit_line(&cg->w, "%s%s%s(c%s, &next);", value ? cg_type(f->type) : "",
		  value ? "ret = " : "", c_name, strbuf_cstr(&b));
	emit_blank(&cg->w);
	emit_open(&cg->w, "if (next)");
	call = f->next_overload ? overload_call(cg, f, "l") : NULL;
	if (call)
		emit_line(&cg->w, "%s%s;", value ? "return " : "", call);
	else
		exhausted(cg);
	emit_close(&cg->w, "");
	if (value)
		emit_line(&cg->w, "return ret;");
	emit_close(&cg->w, "");
	emit_blank(&cg->w);
	strbuf_deinit(&b);
}

uint32_t cg_function_position(struct cg *cg, const struct ir_function *f)
{
	return cg_position_at(cg, f->span, cg_printf(cg, "identifier '%s'", f->name->text));
}

/*
 * The position of embedded C is made here, since guru.c is written behind the table of positions.
 */
static void prototype(struct cg *cg, const struct ir_function *f)
{
	if (f->code)
		cg_function_position(cg, f);
	if (f->code && cg_uses_next(f)) {
		const char *parameters = cg_parameters(cg, f, "l");

		emit_line(&cg->w, "%s%s(%s, int *next);", cg_type(f->type),
			  cg_embedded_function(cg, f), parameters);
	}
	emit_line(&cg->w, "%s;", signature(cg, f));
}

/* Order of the program; prototypes first, since functions may call each other in any order. */
void cg_functions(struct cg *cg)
{
	const struct ir_program *program = cg->program;
	struct map declared; /* one C function may serve several builtins */
	struct emit_saved saved;
	struct emit_text text;

	map_init(&declared, cg->arena);
	vec_foreach(it, &program->functions) {
		const struct istr *name = intern(cg->intern, cg_function_name(cg, *it));

		if (!map_has(&declared, name))
			prototype(cg, *it);
		map_put(&declared, name, (void *)name);
	}
	emit_blank(&cg->w);
	emit_capture(&cg->w, &saved);
	vec_foreach(it, &program->functions) {
		if ((*it)->body)
			script_function(cg, *it);
		else if ((*it)->code && cg_uses_next(*it))
			overload_wrapper(cg, *it);
	}
	text = emit_captured(&cg->w, &saved);
	cg_object_texts(cg);
	emit_text(&cg->w, text);
}
