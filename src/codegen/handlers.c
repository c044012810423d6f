/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers: one C function per probe, and where a probe has them, functions for its condition
 * and for what is saved at function entry.
 */
#include "codegen/body.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/locking.h"
#include "codegen/sharing.h"
#include "codegen/value.h"
#include "runtime/uapi/script.h"

const char *cg_handler_name(struct cg *cg, const struct ir_probe *p)
{
	const char *slug = emit_slug(cg->arena, p->pn ? p->pn : "", 40);

	return cg_printf(cg, STP_HANDLER_NAME "%u%s%s", p->index, *slug ? "_" : "", slug);
}

/*
 * The state of the writer at the head of a function; end_body() writes the function around the
 * text.
 */
static void begin_body(struct cg *cg, struct body *b, struct exit *leave)
{
	b->leave = b->error = leave;
	b->mark = "mark";
	cg_begin(cg, b);
	cg->w.depth = 1;
}

/* HEAD is the function's head without the brace. */
static void end_body(struct cg *cg, struct body *b, const char *head, struct emit_text text)
{
	cg->w.depth = 0;
	emit_line(&cg->w, "%s", head);
	emit_line(&cg->w, "{");
	cg->w.depth = 1;
	cg_declare(cg, b, text);
	emit_close(&cg->w, "");
	emit_blank(&cg->w);
	cg->body = NULL;
}

/* What its point has of its own can be read from here on. */
static void find_point(struct cg *cg, const struct ir_probe *p, const char *give_up)
{
	if (!p->by_point)
		return;
	emit_line(&cg->w, "if (!stp_point_known(c))");
	cg->w.depth++;
	emit_line(&cg->w, "%s", give_up);
	cg->w.depth--;
}

/* Matches of earlier hits are none of this one's. */
static void forget_match(struct cg *cg)
{
	emit_line(&cg->w, "c->matched = NULL;");
}

/* The point is found before anything can ask about it. */
static void handler(struct cg *cg, const struct ir_probe *p)
{
	struct exit leave = { .text = "return;" };
	struct body b = { 0 };
	struct emit_saved saved;
	struct emit_text text;

	cg_locals(cg, &b, p->body);
	b.counted = p->body_facts.has_loop || p->body_facts.calls_recursive;
	begin_body(cg, &b, &leave);
	emit_capture(&cg->w, &saved);
	find_point(cg, p, "return;");
	if (p->body_facts.uses_match)
		forget_match(cg);
	cg_locked_body(cg, p);
	text = emit_captured(&cg->w, &saved);
	end_body(cg, &b, cg_printf(cg, "static void %s(struct stp_ctx *c)", cg_handler_name(cg, p)),
		 text);
}

/* Strings and numbers are kept apart: see cg_saved_index(). */
static bool is_string(const struct ir_probe *p, size_t i)
{
	return p->saved.data[i]->type == IR_STRING;
}

uint32_t cg_saved_index(const struct ir_probe *p, size_t index, enum ir_type type)
{
	uint32_t n = 0;

	for (size_t i = 0; i < index; i++)
		n += is_string(p, i) == (type == IR_STRING);
	return n;
}

struct value cg_saved(struct cg *cg, const struct ir_expr *e)
{
	uint32_t index = cg_saved_index(e->saved.probe, e->saved.index, e->type);

	return e->type == IR_STRING
		       ? cg_string(cg_printf(cg, "stp_saved_string(c, %u)", index), V_FREE,
				   BYTES_LITERAL)
		       : cg_value(cg_printf(cg, "c->saved[%u]", index), PREC_PRIMARY, V_READS);
}

/* Stores the expression p->saved.data[i] where the return's handler finds it. */
static void save(struct cg *cg, const struct ir_probe *p, size_t i)
{
	struct value v = cg_lower(cg, p->saved.data[i]);
	uint32_t index = cg_saved_index(p, i, p->saved.data[i]->type);

	cg_line(cg, is_string(p, i) ? "stp_saved_string_set(c, %u, %s);" : "c->saved[%u] = %s;",
		index, v.text);
	cg_consume(cg, v);
}

/* GIVE is the C text in front of the value: a return or an assignment. */
static void evaluate_condition(struct cg *cg, const struct ir_probe *p, const char *give)
{
	struct value v = cg_evaluate(cg, cg_lower(cg, p->condition), IR_LONG);

	cg_check(cg);
	cg_line(cg, "%s%s;", give, v.text);
	cg_consume(cg, v);
}

/* Each value is a statement of its own. */
static void evaluate_saved(struct cg *cg, const struct ir_probe *p)
{
	for (size_t i = 0; i < p->saved.n; i++) {
		cg_tidy(cg);
		save(cg, p, i);
	}
}

/* CALL is "lock" or "unlock". */
static const char *lock_call(struct cg *cg, const char *call, const char *table,
			     const struct lock_uses *uses)
{
	return cg_printf(cg, "stp_%s_all(c, %s, %zu)", call, table, uses->n);
}

/* OTHERWISE is the statement for when the locks cannot be had in time. */
static void lock_or(struct cg *cg, const char *table, const struct lock_uses *uses,
		    const char *otherwise)
{
	cg_line(cg, "if (!%s)", lock_call(cg, "lock", table, uses));
	cg->w.depth++;
	cg_line(cg, "%s", otherwise);
	cg->w.depth--;
}

/* The label stands only when something jumps to it. */
static void unlock(struct cg *cg, const struct exit *leave, const char *table,
		   const struct lock_uses *uses)
{
	if (leave->used)
		emit_label(&cg->w, "unlock");
	emit_line(&cg->w, "%s;", lock_call(cg, "unlock", table, uses));
}

/* A condition that fails counts as an error of the probe, or as a skip, and as not fulfilled. */
static void condition_body(struct cg *cg, const struct ir_probe *p, const struct lock_uses *uses,
			   struct exit *leave)
{
	const char *table = cg_printf(cg, "condition_locks_%u", p->index);

	if (!uses->n) {
		leave->text = "return stp_condition_failed(c);";
		evaluate_condition(cg, p, "return ");
		return;
	}
	cg_line(cg, "stp_long holds = 0;");
	lock_or(cg, table, uses, "return 0;");
	evaluate_condition(cg, p, "holds = ");
	cg_check_call(cg);
	unlock(cg, leave, table, uses);
	emit_line(&cg->w, "return stp_unlikely(c->error) ? stp_condition_failed(c) : holds;");
}

/* As a condition, but nothing is returned: the event is marked by c->error. */
static void entry_body(struct cg *cg, const struct ir_probe *p, const struct lock_uses *uses,
		       struct exit *leave)
{
	const char *table = cg_printf(cg, "entry_locks_%u", p->index);

	if (!uses->n) {
		leave->text = "return;";
		evaluate_saved(cg, p);
		cg_check_call(cg);
		return;
	}
	lock_or(cg, table, uses, "return;");
	evaluate_saved(cg, p);
	cg_check_call(cg);
	unlock(cg, leave, table, uses);
}

/* A body that only evaluates: the condition, or values saved at function entry. */
static void small_body(struct cg *cg, const struct ir_probe *p, const char *head,
		       const struct ir_facts *facts, const struct lock_uses *uses,
		       const char *table, const char *give_up,
		       void (*write)(struct cg *cg, const struct ir_probe *p,
				     const struct lock_uses *uses, struct exit *leave))
{
	struct exit leave = { .text = "goto unlock;" };
	struct body b = { 0 };
	struct emit_saved saved;

	if (uses->n)
		cg_lock_table(cg, cg_printf(cg, "%s_%u", table, p->index), uses);
	map_init(&b.locals, cg->arena);
	begin_body(cg, &b, &leave);
	emit_capture(&cg->w, &saved);
	find_point(cg, p, give_up);
	if (facts->uses_match)
		forget_match(cg);
	write(cg, p, uses, &leave);
	end_body(cg, &b, cg_printf(cg, "static %s_%u(struct stp_ctx *c)", head, p->index),
		 emit_captured(&cg->w, &saved));
}

/* Before the handler in the text, so that tables come in the order of running. */
static void small_bodies(struct cg *cg, const struct ir_probe *p)
{
	struct lock_uses uses;

	if (p->condition) {
		uses = sharing_condition_locks(cg->arena, p);
		small_body(cg, p, "stp_long condition", &p->condition_facts, &uses,
			   "condition_locks", "return stp_condition_failed(c);", condition_body);
	}
	if (p->saved.n) {
		uses = sharing_entry_locks(cg->arena, p);
		small_body(cg, p, "void entry", &p->entry_facts, &uses, "entry_locks", "return;",
			   entry_body);
	}
}

static void one_probe(struct cg *cg, const struct ir_probe *p)
{
	const char *at = cg_probe_place(cg, p), *by = p->kept_for ? ", " : " at ";

	cg_body_lock_table(cg, p);
	emit_comment(&cg->w, "probe %s%s%s%s%s", p->pn, p->chain ? " " : "",
		     p->chain ? p->chain : "", at ? by : "", at ? at : "");
	small_bodies(cg, p);
	handler(cg, p);
}

void cg_handlers(struct cg *cg)
{
	struct emit_saved saved;
	struct emit_text text;

	emit_capture(&cg->w, &saved);
	vec_foreach(it, &cg->program->probes)
		one_probe(cg, *it);
	text = emit_captured(&cg->w, &saved);
	cg_object_texts(cg);
	emit_text(&cg->w, text);
}
