/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of drift.def, and looking through them. */
#include "target/drift.h"

#include <string.h>

#define SAME true
#define OTHER false

static const struct drift members[] = {
#define DRIFT_MEMBER(tag, old, new, meaning, since) { tag, old, new, NULL, meaning, since },
#define DRIFT_LOST(tag, old, instead, since) { tag, old, NULL, instead, OTHER, since },
#define DRIFT_FUNCTION(old, new, meaning, since)
#define DRIFT_GONE(old, instead, since)
#include "target/drift.def"
#undef DRIFT_MEMBER
#undef DRIFT_LOST
#undef DRIFT_FUNCTION
#undef DRIFT_GONE
};

static const struct drift functions[] = {
#define DRIFT_MEMBER(tag, old, new, meaning, since)
#define DRIFT_LOST(tag, old, instead, since)
#define DRIFT_FUNCTION(old, new, meaning, since) { NULL, old, new, NULL, meaning, since },
#define DRIFT_GONE(old, instead, since) { NULL, old, NULL, instead, OTHER, since },
#include "target/drift.def"
#undef DRIFT_MEMBER
#undef DRIFT_LOST
#undef DRIFT_FUNCTION
#undef DRIFT_GONE
};

#define N_ROWS(table) (sizeof(table) / sizeof(*(table)))

const struct drift *drift_member(const char *tag, const char *old, const struct drift *after)
{
	for (const struct drift *d = after ? after + 1 : members; d < members + N_ROWS(members);
	     d++)
		if (!strcmp(d->old, old) && !strcmp(d->tag, tag))
			return d;
	return NULL;
}

const struct drift *drift_function(const char *old, const struct drift *after)
{
	for (const struct drift *d = after ? after + 1 : functions;
	     d < functions + N_ROWS(functions); d++)
		if (!strcmp(d->old, old))
			return d;
	return NULL;
}

const char *drift_since(struct arena *arena, const struct drift *d)
{
	return *d->since ? arena_printf(arena, " since %s", d->since) : "";
}
