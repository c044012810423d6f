/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What functions, handlers and contexts take at run time: scratch, stack, nesting (sizes.c).
 */
#ifndef SPILE_CODEGEN_SIZES_H
#define SPILE_CODEGEN_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct cg;
struct codegen_limits;
struct diag_sink;
struct ir_function;
struct ir_program;

/* What a function takes at run time. */
struct function_sizes {
	bool enters;      /* counts its calls: stp_call_enter */
	uint64_t scratch; /* most bytes of scratch in use, callees included */
};

/* First of all: fills functions. */
void cg_sizes(struct cg *cg);
/* Never NULL after cg_sizes(). */
struct function_sizes *cg_function_sizes(struct cg *cg, const struct ir_function *f);
/* A script that would need more scratch than a context can have is reported to SINK. */
void cg_check_scratch(struct arena *arena, struct diag_sink *sink, const struct ir_program *program,
		      const struct codegen_limits *limits);
/*
 * Bytes of scratch that a context gets: enough for any handler of this script, up to a bound.
 * What does not fit at run time is an error of the handler, not an overrun. Once for a translation.
 */
uint64_t cg_scratch_size(struct cg *cg);
/* The user's MAXNESTING, or the longest chain of calls with some room for recursion. */
unsigned cg_max_nesting(struct cg *cg);
/* Bytes of kernel stack that must be free for a handler to begin. */
uint32_t cg_stack_need(struct cg *cg);

#endif
