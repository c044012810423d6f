/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds at the point of the generated code that is being written, and the lines that change
 * it. Nobody else sees the state; a function that requires one asserts it.
 *
 * Errors:
 *
 *	from      cg_may_fail  cg_called  cg_check      cg_end_branch  cg_check_call
 *	NONE      POSSIBLE     CALL       NONE          NONE           NONE
 *	POSSIBLE  POSSIBLE     CALL       NONE, a test  POSSIBLE       POSSIBLE
 *	CALL      CALL         -          NONE, a test  NONE, a test   NONE, a test
 *
 * Scratch: cg_use_scratch() makes it DIRTY, and cg_tidy() CLEAN. cg_keep_scratch() makes it KEPT
 * until the next statement takes it; while it is, it is not given back.
 */
#include <assert.h>

#include "codegen/flow.h"
#include "codegen/internal.h"

/* c->error behind the lines written. */
enum errors {
	NONE,     /* is not set */
	POSSIBLE, /* may be set */
	CALL,     /* may be set, by a script function whose call the test has to name */
};

/* What is above the mark of the body or loop. */
enum scratch {
	CLEAN, /* nothing */
	DIRTY, /* temporaries of the statement */
	KEPT,  /* locals: the mark moves up before it is used again */
};

struct flow {
	enum errors errors;
	uint32_t call;    /* CALL: position of the call */
	uint32_t pending; /* position of a call whose text is not written yet, if there is one */
	uint32_t wanted;  /* position to be set before the next line; 0: none */
	uint32_t set;     /* what c->position holds; 0: unknown */
	enum scratch scratch;
	unsigned n_temps;
	struct map texts; /* what cg_first_written() has seen */
};

void cg_flow_init(struct cg *cg)
{
	cg->flow = arena_new(cg->arena, struct flow);
	map_init(&cg->flow->texts, cg->arena);
}

void cg_begin(struct cg *cg, struct body *b)
{
	assert(!cg->body && cg->flow->errors != CALL);
	cg->body = b;
	cg->flow->errors = NONE;
	cg->flow->scratch = CLEAN;
	cg->flow->set = 0;
	cg->flow->n_temps = 0;
}

void cg_begin_inner(struct cg *cg, struct body *b, struct cg_outer *outer)
{
	*outer = (struct cg_outer){ .body = cg->body, .flow = cg->flow };
	cg->body = NULL;
	cg_flow_init(cg);
	cg_begin(cg, b);
}

void cg_end_inner(struct cg *cg, const struct cg_outer *outer)
{
	cg->body = outer->body;
	cg->flow = outer->flow;
}

const char *cg_temp_name(struct cg *cg)
{
	return cg_printf(cg, "t%u", ++cg->flow->n_temps);
}

/* ---- positions ---- */

void cg_want_position(struct cg *cg, uint32_t position)
{
	cg->flow->wanted = position;
}

/* An expression without a span leaves the position that is wanted as it is. */
void cg_position(struct cg *cg, const struct ir_expr *e)
{
	uint32_t position = cg_position_of(cg, e);

	if (position)
		cg->flow->wanted = position;
}

void cg_position_soft(struct cg *cg, const struct ir_expr *e)
{
	if (!cg->flow->wanted)
		cg_position(cg, e);
}

/* A call that was written sets positions of its own, so it is checked before the next is set. */
void cg_flush_position(struct cg *cg)
{
	struct flow *f = cg->flow;

	if (!f->wanted)
		return;
	if (f->errors == CALL)
		cg_check(cg);
	if (f->wanted != f->set)
		emit_line(&cg->w, "c->position = %u;", f->wanted);
	f->set = f->wanted;
	f->wanted = 0;
}

void cg_forget_position(struct cg *cg)
{
	cg->flow->set = 0;
}

/* ---- lines ---- */

/* The wanted position, and with it perhaps the check of a call, goes in front. */
void cg_line(struct cg *cg, const char *fmt, ...)
{
	va_list ap;

	cg_flush_position(cg);
	va_start(ap, fmt);
	emit_vline(&cg->w, fmt, ap);
	va_end(ap);
}

void cg_exit(struct cg *cg, struct exit *exit)
{
	cg_line(cg, "%s", exit->text);
	exit->used = true;
}

/* ---- errors ---- */

void cg_may_fail(struct cg *cg)
{
	if (cg->flow->errors == NONE)
		cg->flow->errors = POSSIBLE;
}

void cg_pending_call(struct cg *cg)
{
	cg->flow->pending = cg->flow->wanted;
}

/* Without a position the call has no line in the chain, and fails like anything else. */
void cg_called(struct cg *cg)
{
	struct flow *f = cg->flow;

	assert(f->errors != CALL);
	f->call = f->pending;
	f->errors = f->call ? CALL : POSSIBLE;
	f->set = 0; /* the callee has positions of its own */
}

bool cg_first_written(struct cg *cg, const char *text)
{
	size_t n = cg->flow->texts.n;

	map_put(&cg->flow->texts, text, (void *)text);
	return cg->flow->texts.n > n;
}

bool cg_errors_open(const struct cg *cg)
{
	return cg->flow->errors != NONE;
}

bool cg_call_open(const struct cg *cg)
{
	return cg->flow->errors == CALL;
}

/*
 * The error exit is written bare, without cg_exit(): no position may be set between the test and
 * the jump.
 */
void cg_check(struct cg *cg)
{
	struct flow *f = cg->flow;
	struct exit *error = cg->body->error;

	if (f->errors == NONE)
		return;
	if (f->errors == CALL) {
		emit_open(&cg->w, "if (stp_unlikely(c->error))");
		emit_line(&cg->w, "stp_called(c, %u);", f->call);
		emit_line(&cg->w, "%s", error->text);
		emit_close(&cg->w, "");
	} else {
		emit_line(&cg->w, "if (stp_unlikely(c->error))");
		cg->w.depth++;
		emit_line(&cg->w, "%s", error->text);
		cg->w.depth--;
	}
	error->used = true;
	f->errors = NONE;
}

/* The body ends here and leaves anyway; only the chain of calls is noted. */
void cg_check_call(struct cg *cg)
{
	struct flow *f = cg->flow;

	if (f->errors != CALL)
		return;
	emit_line(&cg->w, "if (stp_unlikely(c->error))");
	cg->w.depth++;
	emit_line(&cg->w, "stp_called(c, %u);", f->call);
	cg->w.depth--;
	f->errors = NONE;
}

void cg_end_branch(struct cg *cg)
{
	if (cg->flow->errors == CALL)
		cg_check(cg);
}

bool cg_take_errors(struct cg *cg)
{
	bool open = cg_errors_open(cg);

	assert(cg->flow->errors != CALL);
	cg->flow->errors = NONE;
	return open;
}

/* ---- scratch ---- */

void cg_use_scratch(struct cg *cg)
{
	if (cg->flow->scratch == CLEAN)
		cg->flow->scratch = DIRTY;
}

void cg_keep_scratch(struct cg *cg)
{
	cg->flow->scratch = KEPT;
}

bool cg_scratch_dirty(const struct cg *cg)
{
	return cg->flow->scratch == DIRTY;
}

bool cg_scratch_kept(const struct cg *cg)
{
	return cg->flow->scratch == KEPT;
}

bool cg_take_scratch(struct cg *cg)
{
	bool used = cg->flow->scratch != CLEAN;

	cg->flow->scratch = CLEAN;
	return used;
}

/* Scratch is given back by moving c->top down to the mark of the body or loop. */
void cg_tidy(struct cg *cg)
{
	assert(cg->flow->scratch != KEPT);
	cg_check(cg);
	if (!cg_take_scratch(cg))
		return;
	cg->body->needs_mark = true;
	cg->body->n_resets++;
	emit_line(&cg->w, "c->top = %s;", cg->body->mark);
}

/* ---- control flow ---- */

bool cg_nothing_open(const struct cg *cg)
{
	return cg->flow->errors == NONE && cg->flow->scratch == CLEAN;
}

void cg_ended(struct cg *cg)
{
	assert(cg->flow->errors != CALL && cg->flow->scratch != KEPT);
	cg->flow->errors = NONE;
	cg->flow->scratch = CLEAN;
}

void cg_discard(struct cg *cg)
{
	cg_ended(cg);
	cg->flow->wanted = 0;
}

void cg_fork(struct cg *cg, struct join *join)
{
	assert(cg->flow->scratch != KEPT);
	cg_check(cg);
	cg_flush_position(cg);
	join->position = cg->flow->set;
	join->errors = false;
	join->scratch = cg->flow->scratch == DIRTY;
}

void cg_branch_begin(struct cg *cg, const struct join *join)
{
	cg->flow->errors = NONE;
	cg->flow->scratch = CLEAN;
	cg->flow->set = join->position;
}

void cg_branch_end(struct cg *cg, struct join *join)
{
	assert(cg->flow->scratch != KEPT);
	cg_end_branch(cg);
	join->errors |= cg->flow->errors == POSSIBLE;
	join->scratch |= cg->flow->scratch == DIRTY;
}

void cg_join(struct cg *cg, const struct join *join)
{
	cg->flow->errors = join->errors ? POSSIBLE : NONE;
	cg->flow->scratch = join->scratch ? DIRTY : CLEAN;
	cg->flow->set = 0;
}

/* ---- errors that are caught ---- */

void cg_try_begin(struct cg *cg, struct cg_try *t)
{
	t->outer = cg->body->error;
	t->label = cg_printf(cg, "catch_%u", ++cg->body->n_labels);
	t->inner = (struct exit){ .text = cg_printf(cg, "goto %s;", t->label) };
	cg->body->error = &t->inner;
	cg->body->n_tries++;
}

bool cg_try_catch(struct cg *cg, struct cg_try *t)
{
	bool open;

	cg_end_branch(cg);
	cg->body->n_tries--;
	cg->body->error = t->outer;
	open = cg_take_errors(cg);
	if (!t->inner.used && !open)
		return false;
	if (t->inner.used)
		emit_label(&cg->w, t->label);
	cg_forget_position(cg);
	emit_open(&cg->w, "if (stp_unlikely(c->error))");
	emit_line(&cg->w, "if (c->flags & (STP_CTX_FATAL | STP_CTX_ABORT))");
	cg->w.depth++;
	cg_exit(cg, t->outer);
	cg->w.depth--;
	cg_use_scratch(cg);
	return true;
}

void cg_try_end(struct cg *cg)
{
	cg_end_branch(cg);
	emit_close(&cg->w, "");
	cg_use_scratch(cg);
	cg_forget_position(cg);
}
