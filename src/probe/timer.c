/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer.*: intervals in any unit, jiffies, hz, and the profiling tick. An
 * interval becomes nanoseconds for a high-resolution timer, jiffies stay jiffies, and the profiling
 * tick keeps its rate in Hz (struct ir_attach, timer).
 */
#include "probe/families.h"
#include "probe/point.h"

#include <string.h>

/* Limits of an interval; of a frequency only the first, as 1 / MIN_NS. */
#define MIN_NS 100000LL                   /* 100 us */
#define MAX_NS (24LL * 3600 * 1000000000) /* 24 h */
#define MAX_JIFFIES 1000000LL

static const struct unit {
	const char *name;
	long long ns;
} units[] = {
	{ "s", 1000000000 }, { "sec", 1000000000 }, { "ms", 1000000 }, { "msec", 1000000 },
	{ "us", 1000 },      { "usec", 1000 },      { "ns", 1 },       { "nsec", 1 },
};

/* Of a pattern "timer.UNIT(number)...": the script may have spelled the unit with a wildcard. */
static long long unit_ns(const char *pattern)
{
	const char *name = pattern + strlen("timer.");

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcspn(name, "(") == strlen(units[i].name) &&
		    !strncmp(units[i].name, name, strlen(units[i].name)))
			return units[i].ns;
	return 1;
}

/* Reports an interval outside LOW to HIGH, in the unit of the script; returns false. */
static bool out_of_range(struct probe_env *env, const struct ast_component *c, long long low,
			 long long high)
{
	struct diagnostic *d =
		diag_report(env->sink, DIAG_TIMER_INTERVAL, c->param->span, low, high);

	diag_set_token(env->sink, d, "number '%lld'", (long long)component_number(c));
	return false;
}

/*
 * interval and randomize in units of SCALE (ns; 1 for jiffies). LOW and HIGH limit the number that
 * the script has; randomize may not exceed the interval, so that it stays positive or 0.
 */
static bool derive_scaled(struct probe_env *env, const struct ast_point *point,
			  const struct ir_probe_kind *kind, long long scale, long long low,
			  long long high, struct probe_points *ret)
{
	const struct ast_component *c = &point->parts.data[1], *r = point_find(point, "randomize");
	long long n = component_number(c), random = r ? component_number(r) : 0;
	struct probe_point *p;

	if (n < low || n > high)
		return out_of_range(env, c, low, high);
	if (random < 0 || random > n) {
		diag_report(env->sink, DIAG_TIMER_RANDOMIZE, r->param->span);
		return false;
	}
	p = point_add(env, ret, point, kind, point_text(env, point));
	p->row.attach.timer.interval = n * scale;
	p->row.attach.timer.randomize = random * scale;
	return true;
}

/* MIN_NS and MAX_NS in the unit of the pattern; at least 1 unit. */
static bool derive_interval(struct probe_env *env, const struct ast_point *point,
			    const struct probe_pattern *pattern, struct probe_points *ret,
			    const char **why)
{
	long long ns = unit_ns(pattern->text);

	return derive_scaled(env, point, &ir_kind_timer, ns, MIN_NS > ns ? MIN_NS / ns : 1,
			     MAX_NS / ns, ret);
}

static bool derive_jiffies(struct probe_env *env, const struct ast_point *point,
			   const struct probe_pattern *pattern, struct probe_points *ret,
			   const char **why)
{
	return derive_scaled(env, point, &ir_kind_jiffies, 1, 1, MAX_JIFFIES, ret);
}

/* A frequency is an interval too, rounded down to whole nanoseconds. */
static bool derive_hz(struct probe_env *env, const struct ast_point *point,
		      const struct probe_pattern *pattern, struct probe_points *ret,
		      const char **why)
{
	const struct ast_component *c = &point->parts.data[1];
	long long hz = component_number(c);

	if (hz < 1 || hz > 1000000000 / MIN_NS)
		return out_of_range(env, c, 1, 1000000000 / MIN_NS);
	point_add(env, ret, point, &ir_kind_timer, point_text(env, point))
		->row.attach.timer.interval = 1000000000 / hz;
	return true;
}

/* timer.profile and .tick have no rate of their own: 0, every tick. */
static bool derive_profile(struct probe_env *env, const struct ast_point *point,
			   const struct probe_pattern *pattern, struct probe_points *ret,
			   const char **why)
{
	const struct ast_component *hz = point_find(point, "hz");
	long long n = hz ? component_number(hz) : 0;

	if (hz && (n < 1 || n > 1000000000 / MIN_NS))
		return out_of_range(env, hz, 1, 1000000000 / MIN_NS);
	point_add(env, ret, point, &ir_kind_profile, point_text(env, point))
		->row.attach.timer.interval = n;
	return true;
}

#define INTERVAL(unit)                                                                             \
	{ "timer." unit "(number)", derive_interval },                                             \
	{                                                                                          \
		"timer." unit "(number).randomize(number)", derive_interval                        \
	}

static const struct probe_pattern patterns[] = {
	INTERVAL("s"),
	INTERVAL("sec"),
	INTERVAL("ms"),
	INTERVAL("msec"),
	INTERVAL("us"),
	INTERVAL("usec"),
	INTERVAL("ns"),
	INTERVAL("nsec"),
	{ "timer.jiffies(number)", derive_jiffies },
	{ "timer.jiffies(number).randomize(number)", derive_jiffies },
	{ "timer.hz(number)", derive_hz },
	{ "timer.profile", derive_profile },
	{ "timer.profile.tick", derive_profile },
	{ "timer.profile.freq.hz(number)", derive_profile },
	{ 0 },
};

const struct probe_family probe_family_timer = { "timer", patterns,
						 .unknown_variant = DIAG_TIMER_VARIANT };
