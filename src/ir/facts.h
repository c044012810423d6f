/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds of a program whoever builds it: which globals a body touches through all it calls and
 * how, how deep calls go and whether they go round, who asks about matches. Computed once, by the
 * last step of sema/, and kept in the program (struct ir_facts, ir_global.access); a back end only
 * reads it. Nothing that changes the program may follow.
 */
#ifndef SPILE_IR_FACTS_H
#define SPILE_IR_FACTS_H

#include "ir/ir.h"
#include "ir/stmt.h"
#include "ir/symbol.h"

struct arena;

/*
 * Sets the facts of functions and probes, and access and named of globals. Requires the indexes of
 * all symbols, and that every function called is in the program's list.
 */
void ir_find_facts(struct ir_program *program, struct arena *arena);
/* The facts of one statement; requires ir_find_facts() of its program. Lists are in ARENA. */
struct ir_facts ir_stmt_facts(const struct ir_stmt *s, struct arena *arena);
/* What may run beside the handlers of that kind. */
enum ir_runner ir_runner(const struct ir_probe_kind *kind);
/*
 * The least number of statements that run when S does: of a condition the arm with fewer. A loop
 * counts as one, since each pass through its body is counted there.
 */
unsigned ir_statement_count(const struct ir_stmt *s);

#endif
