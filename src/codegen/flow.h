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
struct exit;
struct ir_expr;

void cg_flow_init(struct cg *cg); /* once, before anything else here */
/* The first line of B is next: nothing is open, no position known. There is no other body. */
void cg_begin(struct cg *cg, struct body *b);
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
/* By its number; 0: none, also when one was wanted. */
void cg_want_position(struct cg *cg, uint32_t position);
void cg_flush_position(struct cg *cg); /* before text that is captured, or not written by cg_line */
void cg_forget_position(struct cg *cg); /* control flow joins here */
void cg_may_fail(struct cg *cg);        /* a line written may have set c->error */
/* Text of a call of a script function is made; its position is the one that is wanted now. */
void cg_pending_call(struct cg *cg);
void cg_called(struct cg *cg); /* it is written. No earlier call may be untested */
/* TEXT, which can fail or has effects, is being written: never written before. */
void cg_written(struct cg *cg, const char *text);
void cg_check(struct cg *cg);      /* if (c->error) leave; when a line written may have set it */
void cg_check_call(struct cg *cg); /* only note the call: the body ends here */
void cg_end_branch(struct cg *cg); /* ways join behind it: check a call while it is known */
bool cg_errors_open(const struct cg *cg); /* a line written may have set c->error */
bool cg_call_open(const struct cg *cg);   /* and it was a call */
/* Whether errors are open; the caller tests them himself. None may be of a call. */
bool cg_take_errors(struct cg *cg);
void cg_use_scratch(struct cg *cg);  /* pending or written text leaves bytes above the mark */
void cg_keep_scratch(struct cg *cg); /* a local views what is there: it may not be given back */
bool cg_scratch_dirty(const struct cg *cg); /* used and not kept */
bool cg_scratch_kept(const struct cg *cg);
bool cg_take_scratch(struct cg *cg); /* whether it is in use; the caller sees to its end */
/* Check, and give the statement's scratch back, which may not be kept. */
void cg_tidy(struct cg *cg);
bool cg_nothing_open(const struct cg *cg); /* neither errors nor scratch */
/* Control does not come past here. No call may be untested. */
void cg_ended(struct cg *cg);
void cg_discard(struct cg *cg); /* what was captured is not written here: as if it ended */
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

#endif
