/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between generated script.c and base.o, the runtime compiled once per kernel.
 * script.c includes this header, and arrays.h and dfa.h when it has what they are for; it needs no
 * kernel header. base.o holds everything that does not depend on the script.
 *
 * A handler runs with a struct stp_ctx: this CPU's, with interrupts off and never nested.
 * Exceptions: begin, end and error handlers run in process context, interrupts on, one at a time,
 * on a context of their own. They may sleep (STP_CTX_SLEEP), and they run alone (STP_CTX_ALONE):
 * begin before arming, end and error after disarming, so they take no locks. One property does not
 * bring the other: what sleeps beside armed probes takes its locks.
 *
 * Context: any handler, unless a comment here says otherwise: process, softirq or hardirq; NMI hits
 * are skipped before the handler. Nothing here allocates. Functions that can fail set c->error and
 * return 0 / "": generated code tests c->error after the statement's calls and jumps to its one
 * error exit.
 *
 * Strings: struct stp_str views. A result lives in the context's scratch stack (c->top grows) until
 * the generated code resets c->top, which it does at the end of each statement to the mark of the
 * frame; string locals have buffers of their own and are copied on assignment. Map values are
 * copied to scratch on read.
 */
#ifndef STP_UAPI_SCRIPT_H
#define STP_UAPI_SCRIPT_H

#include "handler.h"
#include "access.h"
#include "points.h"
#include "program.h"

#define STP_SCRIPT_ABI 8

/*
 * Builtins (uapi/builtins.def) are C functions of runtime/tapset/, called straight from generated
 * code, which declares those it uses from the same rows.
 */

#endif
