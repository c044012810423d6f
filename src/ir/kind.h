/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a kind of probe, whatever attaches it: one row of probe_kinds.def, compared by
 * address. Steps ask the row for a fact; none knows a kind by name but the files that make probes
 * of it (probe/, and sema/display.c, which adds an `end` probe). Rows are constant and live for
 * ever.
 */
#ifndef SPILE_IR_KIND_H
#define SPILE_IR_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The arms of struct ir_attach. */
enum ir_attach_tag {
	IR_ATTACH_SESSION,
	IR_ATTACH_TIMER,
	IR_ATTACH_KERNEL,
	IR_ATTACH_TRACEPOINT,
	IR_ATTACH_PROCFS,
	IR_ATTACH_SYSCALL,
	IR_ATTACH_USER,
	IR_ATTACH_PERF,
	IR_ATTACH_DATA,
	IR_ATTACH_NETFILTER,
	IR_ATTACH_TASK, /* an event of a task; which one, the kind says */
};

/* What a handler of the kind finds in c->regs. */
enum ir_registers {
	IR_REGISTERS_NONE,
	IR_REGISTERS_ARGS, /* those that carry integer arguments, sp, bp, ip; all if a point asks */
	IR_REGISTERS_FULL,
};

/* Where handlers of the kind run. User memory is read without faulting it in everywhere. */
enum ir_context {
	/*
	 * No other handler of the script runs at the same time: no locks are needed. In process
	 * context; they may sleep.
	 */
	IR_CONTEXT_SESSION,
	IR_CONTEXT_EVENT, /* with interrupts off: nothing sleeps */
};

/* A function's return: values may be saved at its entry. */
#define IR_KIND_RETURN 1u
/* One handler may have many points. */
#define IR_KIND_MANY 2u
/* Hits are rare enough that adding up per-CPU counters in each is cheap. */
#define IR_KIND_SELDOM 4u
/*
 * A hit tells its point, or its address, which is then that of one point of the handler: handlers
 * can be merged.
 */
#define IR_KIND_MERGES 8u
/* It does something without its handler, so an empty one stays. */
#define IR_KIND_ACTS 16u
/* A task begins or ends there: of what its program has in memory nothing can be asked. */
#define IR_KIND_BOUNDARY 32u
/* Each point is attached by itself, which takes its time. */
#define IR_KIND_ONE_BY_ONE 64u
/* At the entry of a function it can keep values for points of its arm: ir_kind_keeper(). */
#define IR_KIND_KEEPS 128u
/* By the arm, not written in rows: */
/* Its points are code of the kernel or of a module: where ftrace cannot be used, kprobes. */
#define IR_KIND_KERNEL 256u
/* A point takes one of the registers of the machine that watch an address. */
#define IR_KIND_WATCHPOINT 512u

/* A row; the columns are explained in probe_kinds.def. */
struct ir_probe_kind {
	const char *name;
	enum ir_attach_tag attach;
	enum ir_context context;
	enum ir_registers registers;
	unsigned flags;
};

/* Each row as an object: ir_kind_begin, ir_kind_timer, ... */
#define KIND(name, attach, context, registers, flags)                                              \
	extern const struct ir_probe_kind ir_kind_##name;
#include "ir/probe_kinds.def"
#undef KIND

/* All rows, in the order of the table; NULL ends it. */
extern const struct ir_probe_kind *const ir_kinds[];

/*
 * The kind of a probe that keeps values of a function's entry for points of ARM; NULL: none does,
 * and such points ask for none.
 */
const struct ir_probe_kind *ir_kind_keeper(enum ir_attach_tag arm);

/* Has the kind one of the flags IR_KIND_*? */
static inline bool ir_kind_is(const struct ir_probe_kind *kind, unsigned flag)
{
	return (kind->flags & flag) != 0;
}

#endif
