/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pieces of the runtime say to each other. Generated code never sees this file.
 *
 * Life of a session: stp_session_load() at insmod takes all memory; START runs begin handlers and
 * arms; a stop (EXIT, exit(), errors, reader gone) disarms, waits until no handler can run, runs
 * end or error handlers and says STOPPED; rmmod frees. Every step that takes something has a twin
 * that gives it back, called in reverse order; the twins accept a half-done start.
 *
 * Contexts: handlers on events use their CPU's context with interrupts off. begin, end and error
 * handlers use the one process context. Instances that are "per CPU" (slots, statistics, maps of
 * statistics) have one element per context, so index them by c->cpu and iterate over
 * 0 <= i < stp_n_ctx, skipping those for which stp_ctx_of(i) is NULL (impossible CPUs). c->cpu of
 * the process context is stp_n_ctx - 1, which is no CPU.
 *
 * Who defines what of script.h: map/, stat/, print/: stp_map_*, stp_foreach_*, stp_iter_*,
 * stp_stat_*, stp_str_*, stp_print*, stp_sprint. core/: stp_slot_*, stp_string_*, stp_scratch,
 * locks, errors, div, mod, calls. access/: memory. probes/: addresses.
 */
#ifndef STP_CORE_INTERNAL_H
#define STP_CORE_INTERNAL_H

#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include "script.h"
#include "stp_features.h"
#include "stat/agg.h"

/* One context's share of a probe's ledger row; only that context writes it. */
struct stp_count {
	u64 ran; /* handlers run, also those that ended in an error */
	u64 errors;
	u64 throttled_until; /* overload: cycles; hits are skipped until then */
	u32 skipped[10]; /* by enum stp_skip; so many that a row is 64 bytes and finding it a shift */
};

/* Call sites in an error line; of a longer chain, the innermost and the outermost. */
#define STP_MAX_CALLS 16

/* A context with what the runtime keeps beside it. */
struct stp_cpu {
	struct stp_ctx c;
	struct stp_count *counts; /* by probe index */
	struct stp_agg *timings;  /* the same, with -t; else NULL */
	char *scratch;            /* stp_script.scratch_size bytes */
	unsigned long irq_flags;  /* process context: between stp_rec_begin and stp_rec_end */
	u64 last_ts;              /* process context: keeps its records in order across CPUs */
	u64 started;              /* cycles when the handler began, with timing or overload on */
	u64 timing_started;       /* the same for -t, in its unit */
	u64 period_start;         /* overload: start of the interval being added up */
	u64 period_cycles;        /* overload: spent in handlers since */
	u32 message_size;
	char *message;    /* built error texts */
	char *token_text; /* tokenize(): MAXSTRINGLEN bytes */
	u32 token_len, token_pos;
	struct stp_matched *matched; /* what matched() tells from, tapset/regex.c; NULL: nobody asks */
	u32 n_calls;              /* an error on its way out: functions it has left */
	u32 calls[STP_MAX_CALLS]; /* and the sites they were called at, the innermost first */
};

/* Bits of stp_ctx.flags that only the runtime sees. */
#define STP_CTX_SKIPPED (1u << 16) /* counted as a skip: the handler did not run to its end */
#define STP_CTX_PROCESS (1u << 17) /* begin, end, error: speaks for the reader, see stp_task() */
/* the site of the error is that of a call that failed before its function could: see stp_called() */
#define STP_CTX_RAISED_AT_CALL (1u << 18)

static inline struct stp_cpu *stp_cpu_of(struct stp_ctx *c)
{
	return container_of(c, struct stp_cpu, c);
}

/* ---- contexts (core/context.c) ---- */
extern int stp_n_ctx; /* nr_cpu_ids + 1 */
extern struct stp_cpu **stp_cpus;
DECLARE_PER_CPU(struct stp_cpu *, stp_this_cpu);
int stp_contexts_init(void);
void stp_contexts_exit(void);

static inline struct stp_ctx *stp_ctx_of(int index)
{
	return stp_cpus[index] ? &stp_cpus[index]->c : NULL;
}

static inline struct stp_ctx *stp_ctx_process(void)
{
	return &stp_cpus[stp_n_ctx - 1]->c;
}

/* The task a handler is about: current, or the reader for begin, end and error handlers. */
struct task_struct *stp_task(struct stp_ctx *c);

/* ---- what is kept of the last match of a regex (tapset/regex.c) ---- */
u64 stp_matched_size(void); /* 0 when the script never asks */
struct stp_matched *stp_matched_alloc(int node);

/* Whether so much memory can be taken without anybody being killed for it (core/context.c). */
int stp_mem_fits(u64 size);

/* ---- memory of map/ and stat/: taken at load, given back at unload; process context ---- */
int stp_maps_init(void);  /* stp_script.maps[0 .. n_maps): 0 or a negative errno; unwinds itself */
void stp_maps_exit(void); /* also after a failed or missing init */
int stp_stats_init(void);
void stp_stats_exit(void);

/* ---- output (transport/ring.c) ---- */

/**
 * stp_rec_begin - reserve a record in this CPU's ring
 * @kind: enum stp_rec_kind
 * @id: format or histogram index
 * @payload_len: exact bytes to be written; rounding to 8 is done here, the padding is zeroed
 *
 * Returns where to write the payload, 8-aligned; NULL when it does not fit (counted as lost: do
 * nothing more). After success stp_rec_end() must follow; between the two nothing may sleep or
 * fail. In a handler that may sleep, waits for the reader instead of losing.
 *
 * Context: any handler.
 */
char *stp_rec_begin(struct stp_ctx *c, u32 kind, u32 id, u32 payload_len);
void stp_rec_end(struct stp_ctx *c);
/* A TEXT, ERROR, WARNING or SYSTEM record. */
void stp_rec_text(struct stp_ctx *c, u32 kind, const char *s, u32 len);
/* Largest payload that can ever fit; longer output has to be split by the caller. */
u32 stp_rec_max(void);

int stp_rings_init(void);
void stp_rings_exit(void);
extern u32 stp_ring_len;

/* ---- control channel (transport/control.c) ---- */
int stp_control_init(void);
void stp_control_exit(void);
/* Queue a message; text may be NULL. Process context. A long queue takes no more warnings. */
void stp_control_send(u32 type, stp_long arg, const char *text);
void stp_control_warn(const char *fmt, ...) __printf(1, 2);
void stp_control_poke(void);    /* wake the reader; any context but NMI, through irq_work */
int stp_control_attached(void); /* a reader holds cmd open */
/* Who opened cmd last, or NULL; changes under stp_process_mutex. */
extern struct task_struct *stp_reader;

/* ---- session (core/session.c) ---- */
enum stp_state {
	STP_STATE_LOADED,
	STP_STATE_STARTING, /* begin handlers run, probes are being armed: hits are skipped */
	STP_STATE_RUNNING,
	STP_STATE_STOPPING, /* exit was asked for, or disarming: hits are skipped */
	STP_STATE_STOPPED,
};
extern u32 stp_state;                  /* enum stp_state; hits run only in STP_STATE_RUNNING */
extern stp_long stp_target;            /* target() */
extern struct mutex stp_process_mutex; /* held while a process-context handler runs */
int stp_session_init(void);
void stp_session_finish(void); /* rmmod: stops what still runs, end probes included */
void stp_session_exit(void);
int stp_session_start(stp_long target);	/* queues it, once, else 0; STARTED answers */
int stp_session_ending(void);		/* exit was asked for; what takes long gives up then */
void stp_session_stop(void);             /* queues an orderly stop; harmless when repeated */
/* From any handler: no handler starts any more, the session stops soon after. */
void stp_session_request_exit(void);
/* As that, and the session counts as failed; text (static) goes to the reader unless NULL. */
void stp_session_fail(const char *text);

/* ---- errors (core/error.c) ---- */
/* c->error is set: record, count, maybe end the session. */
void stp_error_report(struct stp_ctx *c);
void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, u32 reason); /* count one */

/* ---- ledger (core/ledger.c) ---- */
size_t stp_ledger_size(void);
void stp_ledger_fill(struct stp_ledger_row *rows);

/* ---- timing (core/timing.c): -t and overload ---- */
extern const struct stp_stat_desc stp_timing_desc;
extern struct stp_agg stp_timing_init; /* as are those of struct stp_cpu */
extern u64 stp_timing_loading;         /* what loading took, before arming */
u64 stp_timing_now(void);              /* in the unit of -t */
void stp_timing_fold(struct stp_timing_stat *stat, const struct stp_agg_sum *sum);
size_t stp_timing_size(void);
void stp_timing_fill(struct stp_timing *timing);

/* ---- probes (probes/) ---- */
int stp_probes_prepare(void);  /* load: memory for every probe */
void stp_probes_release(void); /* unload */
int stp_probes_arm(void);     /* 0, or a negative errno with stp_arm_text filled and all disarmed */
void stp_probes_disarm(void); /* after it no handler runs or will run */
extern char stp_arm_text[512]; /* why arming failed */
u32 stp_probe_attached(const struct stp_probe *p);
u64 stp_probe_missed(const struct stp_probe *p);
/* The point this hit is at, or NULL where the probe has none. */
const struct stp_point *stp_ctx_point(struct stp_ctx *c);

/* ---- strings in the kernel's own hands ---- */
static inline struct stp_str stp_cstr(const char *s)
{
	return (struct stp_str){ s, strlen(s) };
}

static inline struct stp_str stp_empty(void)
{
	return (struct stp_str){ "", 0 };
}

#endif
