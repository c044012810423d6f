/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits by table: finds the row that a -D option names and stores its value in the options of
 * a back end. Options that no row names belong to others and pass without a word; unknown
 * macros are for the C compiler.
 */
#include "backend/limits.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether the option "NAME" or "NAME=VALUE" is about NAME. */
static bool names(const char *define, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(define, name, n) && (!define[n] || define[n] == '=');
}

/* Negative values are stored in two's complement in the width of the member. */
static void store(const struct limit_row *row, long long value, void *ret)
{
	uint64_t wide = (uint64_t)value;
	uint32_t narrow = (uint32_t)value;

	memcpy((char *)ret + row->offset, row->size == 8 ? (void *)&wide : (void *)&narrow,
	       row->size);
}

/*
 * The whole of TEXT must be one number in C notation and in the row's range. RET is untouched
 * on error.
 */
static struct error *set_row(const struct limit_row *row, const char *text, void *ret)
{
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 0);
	if (!*text || *end || errno || value < row->min || value > row->max)
		return error_create("-D %s=%s: expected a number from %lld to %lld", row->name,
				    text, row->min, row->max);
	store(row, value, ret);
	return NULL;
}

struct error *limits_read(const struct limit_row *rows, const char *const *defines, size_t n,
			  void *ret)
{
	for (const struct limit_row *row = rows; row->name; row++)
		store(row, row->standard, ret);
	for (size_t i = 0; i < n; i++) {
		const char *value = strchr(defines[i], '=');

		for (const struct limit_row *row = rows; row->name; row++) {
			struct error *err = NULL;

			if (names(defines[i], row->name))
				err = set_row(row, value ? value + 1 : "1", ret);
			if (err)
				return err;
		}
	}
	return NULL;
}

bool limits_defined(const char *const *defines, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (names(defines[i], name))
			return true;
	return false;
}
