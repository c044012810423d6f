/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that a trace event's format gives to values of its fields.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_EVENT_NAMES_H
#define SPILE_TARGET_EVENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "target/types.h"

struct target_scope;

/* One table of the format: names of values, or of bits. */
struct target_names {
	const char *name;      /* "kmem:mm_page_alloc gfp_flags" */
	const char *delimiter; /* between the names of bits; NULL: they are of whole values */
	const char *none;      /* of bits: what stands for 0, or NULL */
	/* in the format's order; of bits: an entry stands for all the bits of its value */
	const struct target_enumerator *list;
	size_t n;
};
/*
 * The names of the values of a tracepoint's parameter: those of the field of its event that has the
 * parameter's name. NULL: the scope is of no event, or its format has none. Of one scope and
 * parameter always the same pointer.
 */
const struct target_names *target_event_names(const struct target_scope *scope,
					      const char *parameter);

/* Do both name values alike? Either may be NULL. Events of one class have tables of their own. */
bool target_names_same(const struct target_names *a, const struct target_names *b);

#endif
