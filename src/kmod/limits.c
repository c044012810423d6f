/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits that a module carries, with the range that each accepts, and their defaults: -D
 * options by the table below, then the values that follow from others.
 */
#include <stdio.h>

#include "backend/limits.h"
#include "kmod/internal.h"
#include "runtime/uapi/depth.h"
#include "runtime/uapi/points.h"

#define ROW(name, member, min, max, standard)                                                      \
	{                                                                                          \
		name, LIMIT_FIELD(struct codegen_limits, member), min, max, standard               \
	}

/*
 * Standards of 0 that no option can set: MAXNESTING as deep as the script's calls go,
 * MAXACTION_INTERRUPTIBLE from MAXACTION, STP_PROCFS_BUFSIZE from MAXSTRINGLEN.
 */
static const struct limit_row rows[] = {
	ROW("MAXSTRINGLEN", max_string, 16, 65536, 512),
	ROW("MAXACTION", max_action, 1, 0x7fffffff, 1000),
	ROW("MAXACTION_INTERRUPTIBLE", max_action_interruptible, 1, 0x7fffffff, 0),
	ROW("MAXNESTING", max_nesting, 1, 10000, 0),
	ROW("MAXERRORS", max_errors, 0, 0x7fffffff, 0),
	ROW("MAXSKIPPED", max_skipped, 0, 0x7fffffff, 100),
	ROW("MAXTRYLOCK", max_trylock, 0, 0x7fffffff, 100),
	ROW("TRYLOCKDELAY", trylock_delay_us, 0, 1000, 10),
	ROW("MINSTACKSPACE", min_stack, 0, 65536, 1024),
	ROW("STP_PROCFS_BUFSIZE", procfs_size, 1, STP_PROCFS_SIZE_MAX, 0),
	ROW("HIST_WIDTH", hist_width, 1, 1000, 50),
	ROW("HIST_ELISION", hist_elision, -1000, 1000, 2),
	ROW("STP_OVERLOAD_INTERVAL", overload_interval, 1, 0x7fffffffffffffff, 1000000000),
	ROW("STP_OVERLOAD_THRESHOLD", overload_threshold, 1, 0x7fffffffffffffff, 500000000),
	{ 0 },
};

#define TEXT(x) #x
#define TEXT_OF(macro) TEXT(macro)

/* What the reference's modules heed, and whose user would wait for what does not come. */
static const struct {
	const char *name, *why;
} unheeded[] = {
	{ "MAXBACKTRACE", "a stack is shown " TEXT_OF(STP_BACKTRACE_DEPTH) " frames deep" },
	{ "STP_MAXMEMORY", "arrays take what their numbers of elements say (MAXMAPENTRIES, [N])" },
	{ "STP_ALIBI", "handlers run; stap -t counts their hits" },
	{ "STP_EXECTRACE", "statements are not logged" },
	{ "DEBUG_REENTRANCY", "stap -t counts what was skipped" },
	{ "RELAY_HOST", "each session has its own output" },
	{ "RELAY_GUEST", "each session has its own output" },
};

static void warn_unheeded(const struct backend_options *o)
{
	for (size_t i = 0; i < sizeof(unheeded) / sizeof(unheeded[0]); i++)
		if (!o->no_warnings && limits_defined(o->defines, o->n_defines, unheeded[i].name))
			fprintf(stderr, "WARNING: -D %s has no effect: %s\n", unheeded[i].name,
				unheeded[i].why);
}

/* Time limits are off when both numbers of the overload check are 0. */
struct error *kmod_limits(const struct backend_options *options, struct codegen_limits *ret)
{
	struct error *err;

	*ret = (struct codegen_limits){ 0 };
	err = limits_read(rows, options->defines, options->n_defines, ret);
	if (err)
		return err;
	warn_unheeded(options);
	if (!ret->max_action_interruptible)
		ret->max_action_interruptible =
			ret->max_action > 0x7fffffff / 10 ? 0x7fffffff : 10 * ret->max_action;
	if (options->suppress_time_limits ||
	    limits_defined(options->defines, options->n_defines, "STP_NO_OVERLOAD"))
		ret->overload_interval = ret->overload_threshold = 0;
	return NULL;
}
