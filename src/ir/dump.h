/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The -p2 text (cli.md section 2) and, with verbose, bodies; and the verifier run after every pass in debug builds. */
#ifndef SPILE_IR_DUMP_H
#define SPILE_IR_DUMP_H

#include "ir/ir.h"

struct strbuf;

void ir_dump(const struct ir_program *program, int verbose, struct strbuf *out);
/* NULL when all invariants hold, else what is wrong (static or arena text). */
const char *ir_verify(const struct ir_program *program, struct arena *arena);

#endif
