/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "driver/limits.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "driver/options.h"

#define FIELD(member) offsetof(struct limits, member), sizeof(((struct limits *)0)->member)

/* name, field, least and greatest value */
static const struct row {
	const char *name;
	size_t offset, size;
	long long min, max;
} rows[] = {
	{ "MAXSTRINGLEN", FIELD(codegen.max_string), 16, 65536 },
	{ "MAXACTION", FIELD(codegen.max_action), 1, 0x7fffffff },
	{ "MAXACTION_INTERRUPTIBLE", FIELD(codegen.max_action_interruptible), 1, 0x7fffffff },
	{ "MAXNESTING", FIELD(codegen.max_nesting), 1, 10000 },
	{ "MAXMAPENTRIES", FIELD(max_map_entries), 1, 0x7fffffff },
	{ "MAXERRORS", FIELD(codegen.max_errors), 0, 0x7fffffff },
	{ "MAXSKIPPED", FIELD(codegen.max_skipped), 0, 0x7fffffff },
	{ "MAXTRYLOCK", FIELD(codegen.max_trylock), 0, 0x7fffffff },
	{ "TRYLOCKDELAY", FIELD(codegen.trylock_delay_us), 0, 1000 },
	{ "MINSTACKSPACE", FIELD(codegen.min_stack), 0, 65536 },
	{ "HIST_WIDTH", FIELD(codegen.hist_width), 1, 1000 },
	{ "HIST_ELISION", FIELD(codegen.hist_elision), -1000, 1000 },
	{ "STP_OVERLOAD_INTERVAL", FIELD(codegen.overload_interval), 1, 0x7fffffffffffffff },
	{ "STP_OVERLOAD_THRESHOLD", FIELD(codegen.overload_threshold), 1, 0x7fffffffffffffff },
};

static struct error *set_row(struct limits *l, const struct row *row, const char *text)
{
	char *end;
	long long value;
	uint64_t wide;
	uint32_t narrow;

	errno = 0;
	value = strtoll(text, &end, 0);
	if (!*text || *end || errno || value < row->min || value > row->max)
		return error_create("-D %s=%s: expected a number from %lld to %lld", row->name,
				    text, row->min, row->max);
	wide = value;
	narrow = value;
	memcpy((char *)l + row->offset, row->size == 8 ? (void *)&wide : (void *)&narrow,
	       row->size);
	return NULL;
}

struct error *limits_from_options(const struct options *options, struct limits *ret)
{
	*ret = (struct limits){
		.max_map_entries = 2048,
		.codegen = {
			.max_string = 512, .max_action = 1000, .max_skipped = 100, .max_trylock = 100,
			.trylock_delay_us = 10, .min_stack = 1024, .hist_width = 50, .hist_elision = 2,
			.overload_interval = 1000000000, .overload_threshold = 500000000,
		},
	};
	vec_foreach(define, &options->defines) {
		size_t n = strcspn(*define, "=");

		if (!strcmp(*define, "STP_NO_OVERLOAD"))
			ret->codegen.overload_interval = ret->codegen.overload_threshold = 0;
		for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
			struct error *err = NULL;

			if (strlen(rows[i].name) == n && !strncmp(rows[i].name, *define, n))
				err = set_row(ret, &rows[i], (*define)[n] ? *define + n + 1 : "1");
			if (err)
				return err;
		}
	}
	if (!ret->codegen.max_action_interruptible)
		ret->codegen.max_action_interruptible = ret->codegen.max_action > 0x7fffffff / 10
								? 0x7fffffff
								: 10 * ret->codegen.max_action;
	if (options->suppress_time_limits)
		ret->codegen.overload_interval = ret->codegen.overload_threshold = 0;
	return NULL;
}
