/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by infer.c (expressions) and infer_stmt.c. Types live in the symbols and in e->type; a
 * type once decided never changes. An expectation flows down (want), what is found flows up
 * (e->type), and where they meet at a symbol the first one known decides.
 */
#ifndef SPILE_SEMA_INFER_H
#define SPILE_SEMA_INFER_H

#include "base/map.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/* What a mismatch of one of these is told besides; text NULL: nothing. */
struct infer_hint {
	const char *text;
	const struct ir_expr *of[2];
};

/* State of step infer: many rounds without reports, then one with them. */
struct infer {
	struct sema *s;
	struct sema_function *fn; /* whose body is visited, or NULL */
	bool changed;             /* this round decided something */
	bool empty;               /* loops over what nothing fills decide what is open */
	bool report;              /* the last round: say what does not fit */
	struct infer_hint hint;
	struct map reported; /* offsets of tokens: some nodes are visited twice */
	/* the expression that infer_expr_for() visits, and where what it wants was decided */
	const struct ir_expr *wanted;
	const struct sema_origin *why;
};

/* Report here? False before the last round and the second time at one token. */
bool infer_reports(struct infer *in, struct span span);
/* Visit with an expectation (IR_UNKNOWN: none); the result is e->type. */
void infer_expr(struct infer *in, struct ir_expr *e, enum ir_type want);
/* The same of an expectation that was decided at WHY, for the report when it is not met. */
void infer_expr_for(struct infer *in, struct ir_expr *e, enum ir_type want,
		    const struct sema_origin *why);
/* All expressions in it, with what the statement expects of each. */
void infer_stmt(struct infer *in, struct ir_stmt *stmt);
/* The type a symbol is known to have, perhaps none yet, meets another; false: they differ. */
bool infer_meet(struct infer *in, enum ir_type *known, struct sema_origin *origin,
		enum ir_type type, struct span span, const char *token);
/* Keys of an array against key expressions; NULL elements are wildcards. */
void infer_keys(struct infer *in, struct ir_global *array, const struct ir_exprs *keys);
/* A foreach variable takes the type of a key. */
void infer_key_variable(struct infer *in, struct ir_global *array, unsigned i,
			struct ir_expr *variable);
/* The aggregate of <<<, an extractor or a histogram. */
void infer_stat(struct infer *in, struct ir_expr *stat);

#endif
