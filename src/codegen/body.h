/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bodies: statements, functions and handlers, and what serves a builtin.
 */
#ifndef SPILE_CODEGEN_BODY_H
#define SPILE_CODEGEN_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "codegen/value.h"
#include "emit/writer.h"
#include "ir/symbol.h"

struct arena;
struct body;
struct cg;
struct ir_builtin;
struct ir_expr;
struct ir_foreach;
struct ir_function;
struct ir_probe;
struct ir_program;
struct ir_stmt;

/* ---- statements.c, loops.c ---- */
/*
 * Does the body of F come to another loop that disturbs the order of this one? It walks a snapshot
 * then.
 */
bool cg_needs_snapshot(struct cg *cg, const struct ir_foreach *f);
/*
 * One statement, with all in it. Before any but a return, the errors and the scratch of the one
 * before are seen to.
 */
void cg_stmt(struct cg *cg, const struct ir_stmt *s);
/*
 * Charge n statements to MAXACTION; an error names POSITION, 0: what was named last, the call of
 * this function.
 */
void cg_count_statements(struct cg *cg, uint32_t position, unsigned n);
/* The loop statements; each leaves c->error checked within every iteration. */
void cg_loop(struct cg *cg, const struct ir_stmt *s);
void cg_foreach(struct cg *cg, const struct ir_stmt *s);
void cg_foreach_hist(struct cg *cg, const struct ir_stmt *s);

/* ---- builtins.c ---- */
/* An error for the first function of PROGRAM that nothing of the runtime serves. */
struct error *cg_check_builtins(const struct ir_program *program) ERROR_MUST_CHECK;
/*
 * The C function that serves a builtin, in the arena; NULL: none does, which codegen_check has
 * reported.
 */
const char *cg_builtin_symbol(struct arena *arena, const struct ir_builtin *row);

/* ---- functions.c, handlers.c ---- */
/* The position of an error that embedded C raises: its function's name where it is defined. */
uint32_t cg_function_position(struct cg *cg, const struct ir_function *f);
/* The C name of a script or embedded C function, or of the runtime's for a builtin. */
const char *cg_function_name(struct cg *cg, const struct ir_function *f);
/* Of the function of embedded C that guru.c has of F; it has another parameter when F uses next. */
const char *cg_embedded_function(struct cg *cg, const struct ir_function *f);
/*
 * Prototypes of all functions, then the bodies of the script's. Builtins are defined by the
 * runtime, embedded C by guru.c.
 */
void cg_functions(struct cg *cg);
/*
 * The rest of a body whose text is written: declarations, frame, text. The opening brace stands
 * already.
 */
void cg_declare(struct cg *cg, struct body *b, struct emit_text text);
/* E is NULL for a return without a value. */
void cg_return(struct cg *cg, const struct ir_expr *e);
/* `next` in a function: the next overload's result is returned; without one it is an error. */
void cg_next_overload(struct cg *cg);
/* The handlers, conditions and entry functions of all probes, with their tables of locks. */
void cg_handlers(struct cg *cg);
/* The C name of a probe's handler: its number, and what of its point is good in a name. */
const char *cg_handler_name(struct cg *cg, const struct ir_probe *p);
/* Values saved at entry: strings are counted apart from numbers. How many of TYPE before INDEX. */
uint32_t cg_saved_index(const struct ir_probe *p, size_t index, enum ir_type type);
/* What the entry part of a return probe kept for this event. */
struct value cg_saved(struct cg *cg, const struct ir_expr *e);

#endif
