/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registration list of match.c: one line per file of this folder. The objects are constant; the
 * order in which they are asked is that of match.c's table, not of this list. Nothing else in src/
 * includes it: driver/ sees probe_catalog only.
 */
#ifndef SPILE_PROBE_FAMILIES_H
#define SPILE_PROBE_FAMILIES_H

#include "probe/family.h"

extern const struct probe_family probe_family_session;    /* begin end error never */
extern const struct probe_family probe_family_timer;      /* timer.* */
extern const struct probe_family probe_family_function;   /* kernel.function, module().function */
extern const struct probe_family probe_family_statement;  /* kernel.statement and its like */
extern const struct probe_family probe_family_kprobe;     /* kprobe.* */
extern const struct probe_family probe_family_tracepoint; /* kernel.trace */
extern const struct probe_family probe_family_procfs;     /* procfs */
extern const struct probe_family probe_family_syscall;    /* kernel.syscall */
extern const struct probe_family probe_family_user_text;  /* process.function and .statement */
extern const struct probe_family probe_family_mark;       /* process.mark */
extern const struct probe_family probe_family_plt;        /* process.plt */
extern const struct probe_family probe_family_perf;       /* perf.* */
extern const struct probe_family probe_family_data;       /* kernel.data */
extern const struct probe_family probe_family_netfilter;  /* netfilter.* */
extern const struct probe_family
	probe_family_process_task; /* process.begin, .end, .thread.begin, .thread.end */
/* of the language, but not built: refused by name */
extern const struct probe_family probe_family_not_built;

#endif
