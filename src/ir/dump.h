/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The -p2 text and, with verbose, bodies; and the verifier run after every pass
 * in debug builds.
 */
#ifndef SPILE_IR_DUMP_H
#define SPILE_IR_DUMP_H

#include "ir/ir.h"

struct strbuf;

/*
 * Appends the declarations of PROGRAM to OUT and, with VERBOSE, bodies. Works after any pass:
 * unknown types are shown as such.
 */
void ir_dump(const struct ir_program *program, int verbose, struct strbuf *out);
/*
 * NULL when all invariants hold, else what is wrong first (static or in ARENA). The program is not
 * changed.
 */
const char *ir_verify(const struct ir_program *program, struct arena *arena);

#endif
