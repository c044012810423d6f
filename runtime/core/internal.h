/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the units of the runtime declare for each other. Generated code never sees this file. In
 * this header and the others below runtime/, a function without a comment has its contract
 * (context, errors, ownership) as kernel-doc at its definition, in the file that the heading names.
 *
 * Life of a session: stp_session_load() at insmod takes all memory; START runs begin handlers and
 * arms; a stop (EXIT, exit(), errors, reader gone) disarms, waits until no handler can run, runs
 * end or error handlers and says STOPPED; rmmod frees. Every step that takes something has a twin
 * that gives it back, called in reverse order; the twins accept a half-done start.
 *
 * Contexts: handlers on events use their CPU's context with interrupts off. begin, end and error
 * handlers use the one process context. "Context: any handler", here and in the .c files, is one of
 * these: process, softirq or hardirq with interrupts off, but not NMI, whose hits are skipped; or
 * the session's worker with interrupts on. What may be called there neither sleeps nor allocates
 * unless its text says so. "Context: any" is NMI too.
 *
 * Instances that are "per CPU" (counters, statistics, maps of statistics) have one element per
 * context, so index them by c->cpu and iterate over 0 <= i < stp_n_ctx, skipping those for which
 * stp_ctx_of(i) is NULL (impossible CPUs). c->cpu of the process context is stp_n_ctx - 1, which is
 * no CPU.
 *
 * Who defines what of script.h: map/, stat/, print/: stp_map_*, stp_foreach_*, stp_iter_*,
 * stp_stat_*, stp_str_*, stp_print*, stp_sprint. core/: stp_counter_*, stp_string_*, stp_scratch,
 * locks, errors, div, mod, calls. access/: memory. probes/: addresses.
 */
#ifndef STP_CORE_INTERNAL_H
#define STP_CORE_INTERNAL_H

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#include "arrays.h"
#include "dfa.h"
#include "script.h"
#include "wire.h"
#include "stp_features.h"
#include "core/context.h"
#include "stat/agg.h"

/* ---- output (relay/ring.c) ---- */
char *stp_rec_begin(struct stp_ctx *c, u32 kind, u32 id, u32 payload_len);
void stp_rec_end(struct stp_ctx *c);
void stp_rec_close(struct stp_ctx *c);
/* A TEXT, ERROR, WARNING or SYSTEM record. */
void stp_rec_text(struct stp_ctx *c, u32 kind, const char *s, u32 len);
u32 stp_rec_max(void);

int stp_relay_init(void);
void stp_relay_exit(void);
extern u32 stp_relay_len; /* bytes of data in each ring, a power of two; constant after init */

/* ---- control channel (relay/control.c) ---- */
int stp_control_init(void);
struct proc_dir_entry *stp_control_directory(void);
void stp_control_exit(void);
void stp_control_send(u32 type, stp_long arg, const char *text);
void stp_control_warn(const char *fmt, ...) __printf(1, 2);
void stp_control_poke(void);
int stp_control_attached(void);
/* The time zone of the reader, which says it before START; UTC when nobody has. */
struct stp_zone {
	s32 west;                        /* seconds */
	char name[sizeof(stp_long) + 1]; /* NUL-terminated */
};
extern struct stp_zone stp_zone;
/* Who opened cmd last, or NULL; changes under stp_process_mutex. */
extern struct task_struct *stp_reader;
extern u32 stp_reader_pid; /* its process while it has cmd open, else 0; any context may read it */
/* The process by whose namespaces ns_*() count, NULL: the reader. Constant from START on. */
extern struct pid *stp_namespaces;

/* ---- members that take part in the session (core/module.c) ---- */
void stp_members_opened(void);
int stp_members_start(void);
void stp_members_armed(void);
void stp_members_running(void);
void stp_members_stop(void);

/* ---- what cannot be taken back (core/keep_loaded.c) ---- */
void stp_keep_loaded(const char *why);

/* ---- session (core/session.c) ---- */
/* The stages of a session, in order; a start that fails skips to STOPPED. */
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
void stp_session_finish(void);
void stp_session_exit(void);
int stp_session_start(stp_long target);
int stp_session_ending(void);
void stp_session_abandon(void);
int stp_session_abandoned(void);
void stp_session_stop(void);
void stp_session_request_exit(void);
void stp_session_fail(const char *text);

/*
 * Statements that a handler of the session runs between two points where others get the CPU and
 * where it ends if the session was abandoned: a millisecond or so. It is the default of
 * MAXACTION_INTERRUPTIBLE.
 */
#define STP_ACTIONS_PORTION 10000

/* ---- errors (core/error.c) ---- */
void stp_error_skip(struct stp_ctx *c, const char *msg, u32 reason);
void stp_error_report(struct stp_ctx *c);
void stp_skip(struct stp_cpu *cpu, const struct stp_probe *p, u32 reason);
void stp_skip_lock(struct stp_ctx *c);

/* ---- kernel stacks (core/stacks.c) ---- */
void stp_stacks_init(void);
void stp_stacks_exit(void);
void stp_stacks_came(void);
int stp_stack_foreign(const struct stp_cpu *cpu, unsigned long sp);

/* ---- counters (core/value.c) ---- */
void stp_counters_renew(struct stp_cpu *cpu);

/* ---- ledger (core/ledger.c) ---- */
size_t stp_ledger_size(void);
void stp_ledger_fill(struct stp_ledger_row *rows);
u64 stp_probe_hits(const struct stp_probe *p);

/* ---- timing (core/timing.c): -t and overload ---- */
extern const struct stp_stat_desc stp_timing_desc;
extern struct stp_agg stp_timing_init; /* as are those of struct stp_cpu */
extern u64 stp_timing_loading;         /* what loading took, before arming */
u64 stp_timing_now(void);              /* in the unit of -t */
void stp_timing_add(struct stp_cpu *cpu, const struct stp_probe *p);
extern u32 stp_timed; /* timing or overload protection is on; constant after load */
int stp_time_begin(struct stp_cpu *cpu, const struct stp_count *count, const struct stp_probe *p);
void stp_time_charge(struct stp_cpu *cpu, struct stp_count *count, const struct stp_probe *p);
void stp_run_timed(struct stp_cpu *cpu, struct stp_count *count, const struct stp_probe *p);
void stp_timing_fold(struct stp_timing_stat *stat, const struct stp_agg_sum *sum);
size_t stp_timing_size(void);
void stp_timing_fill(struct stp_timing *timing);

/* ---- probes (probes/probes.c) ---- */
/* When the session itself runs a probe's handler, in process context; NONE: an event does. */
enum stp_phase {
	STP_PHASE_NONE,
	STP_PHASE_BEGIN, /* before anything is attached */
	STP_PHASE_END,   /* after everything is detached, */
	STP_PHASE_ERROR, /* the same, of a session that failed */
	STP_PHASE_NEVER,
};

int stp_probes_prepare(void);
void stp_probes_release(void);
int stp_probes_arm(void);
void stp_probes_disarm(void);
extern char stp_arm_text[512]; /* why arming failed */
u32 stp_probe_attached(const struct stp_probe *p);
u32 stp_probe_refused(const struct stp_probe *p);
void stp_missed_fill(struct stp_ledger_row *rows, u64 *points);
u64 stp_probe_overruns(const struct stp_probe *p);
u32 stp_probe_left_out(const struct stp_probe *p);
u32 stp_probe_rearmed(const struct stp_probe *p);
const struct stp_point *stp_ctx_point(struct stp_ctx *c);
enum stp_phase stp_probe_phase(const struct stp_probe *p);

/* The probe's name in messages: its only point's, or what stands in the script for all of them. */
static inline const char *stp_probe_name(const struct stp_probe *p)
{
	return p->n_points == 1 ? p->points->pp : p->pn;
}

/* ---- strings in the kernel's own hands ---- */
/* Views of texts, which live as long as the text does. Context: any. */
static inline struct stp_str stp_cstr(const char *s)
{
	return (struct stp_str){ s, strlen(s) };
}

static inline struct stp_str stp_empty(void)
{
	return (struct stp_str){ "", 0 };
}

#endif
