/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step context: what $variables mean where a handler stands. All questions to target/ go through here and are kept,
 * so points of one wildcard whose answers are all the same share a handler.
 */
#ifndef SPILE_SEMA_CONTEXT_H
#define SPILE_SEMA_CONTEXT_H

#include "sema/pass.h"

/* Where types and enumerators are looked for; NULL when there is no kernel to look into. */
const struct target_scope *context_scope(struct sema *s, const struct sema_context *cx);
/* Never fails: a struct error becomes a status with its message. cx may be NULL: no probe, casts and globals only. */
struct target_value context_resolve(struct sema *s, struct sema_context *cx,
				    const struct target_query *q, bool entry);
/* The scope's variables; empty without a scope. */
struct target_variables context_variables(struct sema *s, struct sema_context *cx, bool entry);
/* The handler depends on the very point (its name): never shared. */
void context_one_point(struct sema *s, struct sema_context *cx);
bool context_has_variables(const struct sema_context *cx);
/* The type of the last value asked for shapes the handler. */
void context_by_type(struct sema_context *cx);

/* A point that is compared with several handlers, and what it answered already. Zeroed, then set point. */
struct context_answers {
	const struct probe_point *point;
	VEC(struct sema_query) answers;
};
/* Same answers at this point? */
bool context_matches(struct sema *s, const struct sema_context *cx, struct context_answers *there);
/* The value as a typed pointer that autocast can follow, or NULL. */
const struct target_type *context_pointer(const struct target_type *type);

#endif
