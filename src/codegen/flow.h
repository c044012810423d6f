/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a body, and what holds where the next one is written: the position that an error would
 * name, errors and calls that are not tested yet, scratch in use (flow.c).
 */
#ifndef SPILE_CODEGEN_FLOW_H
#define SPILE_CODEGEN_FLOW_H

#include <stdbool.h>
#include <stdint.h>

struct body;
struct cg;
struct cg_try;
struct exit;
struct ir_expr;

void cg_flow_init(struct cg *cg); /* before anything else here */
/* The first line of B is next: nothing is open, no position known. There is no other body. */
void cg_begin(struct cg *cg, struct body *b);
/*
 * The same while another body is being written, which goes on with cg_end_inner(). The lines of B
 * are captured by the caller.
 */
struct cg_outer {
	struct body *body;
	struct flow *flow;
};
void cg_begin_inner(struct cg *cg, struct body *b, struct cg_outer *outer);
void cg_end_inner(struct cg *cg, const struct cg_outer *outer);
/* "t1", "t2": unique within the body. */
const char *cg_temp_name(struct cg *cg);
/* One statement line, the wanted position before it. */
void cg_line(struct cg *cg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Leaves by EXIT, and notes that its label is needed. */
void cg_exit(struct cg *cg, struct exit *exit);
/* The position to be named when E fails: written before the next line. */
void cg_position(struct cg *cg, const struct ir_expr *e);
/* The same, unless a position is wanted already. */
void cg_position_soft(struct cg *cg, const struct ir_expr *e);
/* The same by number; 0: no position, even if one was wanted before. */
void cg_want_position(struct cg *cg, uint32_t position);
void cg_flush_position(struct cg *cg); /* before text that is captured, or not written by cg_line */
void cg_forget_position(struct cg *cg); /* control flow joins here */
void cg_may_fail(struct cg *cg);        /* a line written may have set c->error */
/* Notes that the text of a call of a script function is pending, with the wanted position. */
void cg_pending_call(struct cg *cg);
/* Notes that this text has been written. Every earlier call must have been tested. */
void cg_called(struct cg *cg);
/*
 * Notes that TEXT, which can fail or has effects, is being written; false: it was before. For
 * assertions: a build without them keeps no notes.
 */
bool cg_first_written(struct cg *cg, const char *text);
void cg_check(struct cg *cg);      /* if (c->error) leave; when a line written may have set it */
void cg_check_call(struct cg *cg); /* only note the call: the body ends here */
void cg_end_branch(struct cg *cg); /* ways join behind it: check a call while it is known */
bool cg_errors_open(const struct cg *cg); /* a line written may have set c->error */
bool cg_call_open(const struct cg *cg);   /* and it was a call */
/* Whether errors are open, which the caller tests instead. None may come from a call. */
bool cg_take_errors(struct cg *cg);
void cg_use_scratch(struct cg *cg);  /* pending or written text leaves bytes above the mark */
void cg_keep_scratch(struct cg *cg); /* a local views what is there: it may not be given back */
bool cg_scratch_dirty(const struct cg *cg); /* used and not kept */
bool cg_scratch_kept(const struct cg *cg);
/* Whether scratch is in use, which the caller gives back instead. */
bool cg_take_scratch(struct cg *cg);
/* Tests open errors and gives the statement's scratch back; none of it may be kept by a local. */
void cg_tidy(struct cg *cg);
bool cg_nothing_open(const struct cg *cg); /* neither errors nor scratch */
/* What follows is not reached from here. Every call must have been tested. */
void cg_ended(struct cg *cg);
/* Text that was captured is not written here: nothing is open behind it. */
void cg_discard(struct cg *cg);
/*
 * Branches of one statement: cg_fork() before the first; around the text of each cg_branch_begin()
 * and cg_branch_end(), which leaves no call untested; cg_join() behind the last. Each begins as
 * the fork left it; behind them is open what any left open. Scratch may not be kept in them. The
 * fields are flow.c's.
 */
struct join {
	uint32_t position;
	bool errors, scratch;
};
void cg_fork(struct cg *cg, struct join *join); /* checks errors, sets the wanted position */
void cg_branch_begin(struct cg *cg, const struct join *join);
void cg_branch_end(struct cg *cg, struct join *join);
void cg_join(struct cg *cg, const struct join *join);

/*
 * Errors of what is written from here to cg_try_catch() jump to the block that it opens, which
 * passes on those that must end the handler or the session. False: nothing written can fail, and
 * there is no block. The caller writes what catches, stp_catch() in it, and ends it with
 * cg_try_end().
 */
void cg_try_begin(struct cg *cg, struct cg_try *t);
bool cg_try_catch(struct cg *cg, struct cg_try *t);
void cg_try_end(struct cg *cg);

#endif
