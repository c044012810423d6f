/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin, end, error, never: no place, no variables; a sequence number orders them (probes.md
 * section 2). */
#include "probe/families.h"
#include "probe/point.h"

#include "uapi/script.h"

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_deriveds *ret,
		   const char **why)
{
	struct probe_derived *d =
		derived_add(env, ret, point, pattern->flags, point_text(env, point));

	if (point->parts.data[0].param)
		d->param = component_number(&point->parts.data[0]);
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "begin", derive, STP_PROBE_BEGIN }, { "begin(number)", derive, STP_PROBE_BEGIN },
	{ "end", derive, STP_PROBE_END },     { "end(number)", derive, STP_PROBE_END },
	{ "error", derive, STP_PROBE_ERROR }, { "error(number)", derive, STP_PROBE_ERROR },
	{ "never", derive, STP_PROBE_NEVER }, { 0 },
};

const struct probe_family probe_family_session = { "session", patterns };
