/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that a module carries, with the range that each accepts, and their defaults: -D
 * options by the table below, then the values that follow from others.
 */
#include "backend/limits.h"

#include "kmod/internal.h"

#define ROW(name, member, min, max)                                                                \
	{                                                                                          \
		name, LIMIT_FIELD(struct codegen_limits, member), min, max                         \
	}

/* MAXNESTING of 0, which no option can set, stands for as deep as the script's calls go. */
static const struct limit_row rows[] = {
	ROW("MAXSTRINGLEN", max_string, 16, 65536),
	ROW("MAXACTION", max_action, 1, 0x7fffffff),
	ROW("MAXACTION_INTERRUPTIBLE", max_action_interruptible, 1, 0x7fffffff),
	ROW("MAXNESTING", max_nesting, 1, 10000),
	ROW("MAXERRORS", max_errors, 0, 0x7fffffff),
	ROW("MAXSKIPPED", max_skipped, 0, 0x7fffffff),
	ROW("MAXTRYLOCK", max_trylock, 0, 0x7fffffff),
	ROW("TRYLOCKDELAY", trylock_delay_us, 0, 1000),
	ROW("MINSTACKSPACE", min_stack, 0, 65536),
	ROW("STP_PROCFS_BUFSIZE", procfs_size, 1, 16 << 20),
	ROW("HIST_WIDTH", hist_width, 1, 1000),
	ROW("HIST_ELISION", hist_elision, -1000, 1000),
	ROW("STP_OVERLOAD_INTERVAL", overload_interval, 1, 0x7fffffffffffffff),
	ROW("STP_OVERLOAD_THRESHOLD", overload_threshold, 1, 0x7fffffffffffffff),
	{ 0 },
};

/* Time limits are off when both numbers of the overload check are 0. */
struct error *kmod_limits(const struct backend_options *options, struct codegen_limits *ret)
{
	struct error *err;

	*ret = (struct codegen_limits){
		.max_string = 512,
		.max_action = 1000,
		.max_skipped = 100,
		.max_trylock = 100,
		.trylock_delay_us = 10,
		.min_stack = 1024,
		.hist_width = 50,
		.hist_elision = 2,
		.overload_interval = 1000000000,
		.overload_threshold = 500000000,
	};
	err = limits_read(rows, options->defines, options->n_defines, ret);
	if (err)
		return err;
	if (!ret->max_action_interruptible)
		ret->max_action_interruptible =
			ret->max_action > 0x7fffffff / 10 ? 0x7fffffff : 10 * ret->max_action;
	if (options->suppress_time_limits ||
	    limits_defined(options->defines, options->n_defines, "STP_NO_OVERLOAD"))
		ret->overload_interval = ret->overload_threshold = 0;
	return NULL;
}
