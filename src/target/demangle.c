/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See demangle.h. libiberty bounds its recursion itself, unless it is told not to. */
#include "target/demangle.h"

#include <stdlib.h>

#include <libiberty/demangle.h>

#include "target/index.h"

const char *demangle(struct arena *arena, const char *symbol)
{
	char *text = symbol_is_mangled(symbol) ? cplus_demangle(symbol, DMGL_AUTO) : NULL;
	const char *kept = text ? arena_strdup(arena, text) : NULL;

	free(text);
	return kept;
}
