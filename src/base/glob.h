/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns of names, as in probe points: fnmatch() matches them, here is what makes one. */
#ifndef SPILE_BASE_GLOB_H
#define SPILE_BASE_GLOB_H

#include <stdbool.h>
#include <string.h>

/*
 * Has S one of the wildcard characters *, ? and [ ? A backslash alone does not make it a pattern.
 */
static inline bool is_glob(const char *s)
{
	return strpbrk(s, "*?[") != NULL;
}

#endif
