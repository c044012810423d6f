/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.type(T).config(C): performance events, by the numbers of the kernel's perf_event_attr, on every
 * processor. The handler runs every so many of them, or so many times a second.
 */
#include "probe/families.h"
#include "probe/point.h"

#define DEFAULT_SAMPLE 1000000
#define MAX_RATE 100000 /* times a second; the kernel's own limit is at most as high */

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	long long type, config, sample, rate;
	struct probe_point *p;

	if (!point_number(env, point, "type", 0, UINT32_MAX, 0, &type) ||
	    !point_number(env, point, "config", INT64_MIN, INT64_MAX, 0, &config) ||
	    !point_number(env, point, "sample", 1, INT64_MAX, DEFAULT_SAMPLE, &sample) ||
	    !point_number(env, point, "hz", 1, MAX_RATE, 0, &rate))
		return false;
	p = point_add(env, ret, point, &ir_kind_perf, point_text(env, point));
	p->row.optional = point->optional;
	p->row.attach.perf.type = (uint32_t)type;
	p->row.attach.perf.config = (uint64_t)config;
	p->row.attach.perf.sample = (uint64_t)(rate ? rate : sample);
	p->row.attach.perf.by_rate = rate != 0;
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "perf.type(number).config(number)", derive },
	{ "perf.type(number).config(number).sample(number)", derive },
	{ "perf.type(number).config(number).hz(number)", derive },
	{ 0 },
};

const struct probe_family probe_family_perf = { "perf", patterns };
