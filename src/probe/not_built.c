/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe points that the language has and this version does not build. They are refused by name, so
 * that they are not reported as typing errors. A pattern moves from this table to its family when
 * it is built.
 */
#include "probe/families.h"
#include "probe/point.h"

/* Always fails, after naming the pattern that is not built. */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	diag_report(env->sink, DIAG_PROBE_NOT_BUILT, point->span, pattern->text);
	return false;
}

#define REFUSE(text)                                                                               \
	{                                                                                          \
		text, derive                                                                       \
	}

/* Events that are only counted, for each way to choose the samples. */
#define PERF(samples)                                                                              \
	REFUSE("perf.type(number).config(number)" samples ".process.counter(string)"),             \
		REFUSE("perf.type(number).config(number)" samples                                  \
		       ".process(string).counter(string)"),                                        \
		REFUSE("perf.type(number).config(number)" samples ".counter(string)")

static const struct probe_pattern patterns[] = {
	PERF(""),
	PERF(".sample(number)"),
	PERF(".hz(number)"),
	{ 0 },
};

const struct probe_family probe_family_not_built = { "not built", patterns, .refuses = true };
