/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of older kernels and what stands for them now (drift.def). Rows are constant. What is there
 * is found out by the caller: nothing here knows a kernel.
 */
#ifndef SPILE_TARGET_DRIFT_H
#define SPILE_TARGET_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * One row. tag is NULL of a function; path, the new name, has dots between members; NULL: there is
 * none, and instead says what to do.
 */
struct drift {
	const char *tag, *old, *path, *instead;
	bool same;         /* the new means what the old meant */
	const char *since; /* release and commit; "": not known */
};

/* The next row behind AFTER (NULL: the first) for member OLD of struct TAG; NULL: none. */
const struct drift *drift_member(const char *tag, const char *old, const struct drift *after);
/* The same for a function. */
const struct drift *drift_function(const char *old, const struct drift *after);
/* " since v3.14 (4f024f3797c4)", for messages, or "". */
const char *drift_since(struct arena *arena, const struct drift *d);

#endif
