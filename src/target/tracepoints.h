/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of the kernel and of its modules.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_TRACEPOINTS_H
#define SPILE_TARGET_TRACEPOINTS_H

#include <stddef.h>

#include "base/error.h"

struct target;
struct target_object;

/* system: "" for a tracepoint that is no trace event. */
struct target_tracepoint {
	const char *system, *name;
	const char *format; /* the event's "print fmt", if it has names of values; else NULL */
	const struct target_object *object;
	const char *module; /* NULL: vmlinux */
};
/* A list in the target's arena. */
struct target_tracepoints {
	struct target_tracepoint *data;
	size_t n, cap;
};
/*
 * PATTERN: NAME or SYSTEM:NAME, globs in both. MODULE: a name or a glob, "kernel" vmlinux alone;
 * NULL: vmlinux and, when the pattern is a glob or vmlinux has none of that name, all modules of
 * the release, loaded or not. Those of vmlinux come first, then those of each module.
 */
struct error *target_find_tracepoints(struct target *t, const char *module, const char *pattern,
				      struct target_tracepoints *ret) ERROR_MUST_CHECK;
/* Has the kernel itself any? */
bool target_has_tracepoints(struct target *t);
/* Names (without system) near to NAME or SYSTEM:NAME, best first, at most MAX; returns how many. */
size_t target_similar_tracepoints(struct target *t, const char *name, const char **ret, size_t max);

#endif
