/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contexts that handlers run on, with what the runtime keeps beside each. They are taken at
 * load (core/context.c), one for each possible CPU and one for handlers in process context; a
 * function without a comment has its contract there. Part of core/internal.h.
 */
#ifndef STP_CORE_CONTEXT_H
#define STP_CORE_CONTEXT_H

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include "dfa.h"
#include "script.h"
#include "stat/agg.h"

struct task_struct;

/* One context's share of a probe's ledger row; only that context writes it. */
struct stp_count {
	u64 ran; /* handlers run, also those that ended in an error */
	u64 errors;
	u64 cycles;   /* overload: spent in this probe's handler in the period named next */
	u32 period;   /* stp_cpu.period when cycles was last added to */
	s16 untimed;  /* so many more hits run before one is timed, see stp_run_timed() */
	u8 granted;   /* what that was at first */
	u8 throttled; /* hits are skipped in that period */
	u64 skipped
		[12]; /* by enum stp_skip; so many that a row is 128 bytes and finding it a shift */
};

/* Calls in an error line; of a longer chain, the innermost and the outermost. */
#define STP_MAX_CALLS 16

/* A context with what the runtime keeps beside it. */
struct stp_cpu {
	struct stp_ctx c;
	struct stp_count *counts; /* by probe index */
	struct stp_agg *timings;  /* with -t: by number of the point; else NULL */
	u32 hooked;               /* return_rethook.c: this call has got a node */
	char *scratch;            /* stp_script.scratch_size bytes */
	struct task_struct *task; /* with STP_CTX_TASK: see stp_task() */
	unsigned long irq_flags;  /* process context: between stp_rec_begin and stp_rec_end */
	/* process context: MAXACTION_INTERRUPTIBLE less what c.actions had of it */
	int more_actions;
	u64 last_ts;        /* process context: keeps its records in order across CPUs */
	u64 started;        /* cycles when the handler began, with timing or overload on */
	u64 timing_started; /* the same for -t, in its unit */
	u64 period_start;   /* overload: start of the interval being added up, in cycles */
	u64 period_cycles;  /* overload: spent in handlers since */
	u64 period_allowed; /* overload: so many may be, before the dearest probe is throttled, */
	u64 period_more;    /* and so many more afterwards */
	u32 period;         /* overload: number of that interval, from 1 */
	u32 dearest;        /* overload: index of the probe that took most of it so far */
	unsigned long irq_stack; /* its lowest address, see core/stacks.c; 0: not known */
	u32 reading; /* counters: number of the hit that reads some, see stp_counters_renew() */
	u32 *counter_readings;    /* by counter: reading when counter_others was taken */
	stp_long *counter_others; /* by counter: sum of the other contexts */
	u32 message_size;         /* bytes: MAXSTRINGLEN, or 256 if that is less */
	char *message;            /* built error texts */
	char *token_text;         /* tokenize(): MAXSTRINGLEN bytes */
	u32 token_len, token_pos;
	struct stp_matched
		*matched; /* what matched() tells from, tapset/regex.c; NULL: nobody asks */
	/* of a hit that has more than registers: its family's, while the handler runs */
	void *event;
	u32 left_out_as;          /* with STP_CTX_LEAVE_OUT: enum stp_skip */
	u32 n_calls;              /* an error on its way out: functions it has left */
	u32 calls[STP_MAX_CALLS]; /* and the positions they were called at, the innermost first */
};

/* Bits of stp_ctx.flags that only the runtime sees. */
#define STP_CTX_SKIPPED BIT(16) /* counted as a skip: the handler did not run to its end */
#define STP_CTX_PROCESS BIT(17) /* begin, end, error: speaks for the reader, see stp_task() */
/*
 * the position of the error is that of a call that failed before its function could: see
 * stp_called()
 */
#define STP_CTX_RAISED_AT_CALL BIT(18)
#define STP_CTX_TASK BIT(19)      /* the hit is about stp_cpu.task, which does not run it itself */
#define STP_CTX_LEAVE_OUT BIT(20) /* the error, unless caught, is a skip: see stp_error_skip() */
#define STP_CTX_RETURNING BIT(21) /* regs are those before the instruction that returns */

/* What is around a context: of a CPU, or of the process context. Context: any. */
static inline struct stp_cpu *stp_cpu_of(struct stp_ctx *c)
{
	return container_of(c, struct stp_cpu, c);
}

extern int stp_n_ctx;             /* nr_cpu_ids + 1 */
extern struct stp_cpu **stp_cpus; /* stp_n_ctx of them; constant from load to unload */
DECLARE_PER_CPU(struct stp_cpu *, stp_this_cpu);
int stp_contexts_init(void);
void stp_contexts_exit(void);

/* index: 0 to stp_n_ctx - 1, the last is the process context. NULL: no CPU has that number. */
static inline struct stp_ctx *stp_ctx_of(int index)
{
	return stp_cpus[index] ? &stp_cpus[index]->c : NULL;
}

/* That of begin, end and error handlers, and of what globals begin with, at load. */
static inline struct stp_ctx *stp_ctx_process(void)
{
	return &stp_cpus[stp_n_ctx - 1]->c;
}

struct task_struct *stp_task(struct stp_ctx *c);
int stp_mem_fits(u64 size);

#endif
