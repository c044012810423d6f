/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prototypes of the functions that serve builtins, made from their rows (uapi/builtins.def): a
 * definition that differs from what generated code calls does not compile. All take the context
 * first.
 *
 * Context: any handler, unless the head of a function's file says otherwise.
 */
#ifndef STP_TAPSET_FUNCTIONS_H
#define STP_TAPSET_FUNCTIONS_H

#include "core/internal.h"

#define LONG stp_long
#define TABLE stp_long
#define STRING struct stp_str
#define VOID void
#define STP_PARAMETERS(...) (struct stp_ctx * c, ##__VA_ARGS__)
#define BUILTIN_SUBJECT(title)
#define BUILTIN(name, id, result, parameters, effects, needs, text)                                \
	result stp_fn_##id STP_PARAMETERS parameters;
#include "uapi/builtins.def"
#undef BUILTIN
#undef BUILTIN_SUBJECT
#undef STP_PARAMETERS
#undef VOID
#undef STRING
#undef TABLE
#undef LONG

/* syscall_signal.c */
void stp_signal_name(struct stp_text *t, u32 number);

#endif
