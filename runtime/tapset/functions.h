/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tapset functions written in kernel C. functions.def lists each with its script-side signature;
 * the prototypes here are made from it, so the two cannot disagree. All take the context first.
 *
 * Context: any handler; what differs says so at the head of its file.
 */
#ifndef STP_TAPSET_FUNCTIONS_H
#define STP_TAPSET_FUNCTIONS_H

#include "core/internal.h"

#define L stp_long
#define S struct stp_str
#define V void
#define STP_FN0(script, name, ret, pure) ret name(struct stp_ctx *c);
#define STP_FN1(script, name, ret, a, pure) ret name(struct stp_ctx *c, a);
#define STP_FN2(script, name, ret, a, b, pure) ret name(struct stp_ctx *c, a, b);
#define STP_FN3(script, name, ret, a, b, d, pure) ret name(struct stp_ctx *c, a, b, d);
#include "tapset/functions.def"
#undef STP_FN0
#undef STP_FN1
#undef STP_FN2
#undef STP_FN3
#undef L
#undef S
#undef V

#endif
