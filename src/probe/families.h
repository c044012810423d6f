/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registration list of match.c: one line per file of this folder. */
#ifndef SPILE_PROBE_FAMILIES_H
#define SPILE_PROBE_FAMILIES_H

#include "probe/family.h"

extern const struct probe_family probe_family_session;    /* begin end error never */
extern const struct probe_family probe_family_timer;      /* timer.* */
extern const struct probe_family probe_family_function;   /* kernel.function, module().function */
extern const struct probe_family probe_family_kprobe;     /* kprobe.* */
extern const struct probe_family probe_family_tracepoint; /* kernel.trace */
extern const struct probe_family
	probe_family_unbuilt; /* known to the language, refused with a clear word */

#endif
