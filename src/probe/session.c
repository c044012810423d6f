/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin, end, error, never: no code, no variables; a sequence number orders them. */
#include "base/error.h"
#include "probe/families.h"
#include "probe/point.h"

/* The parameter, when the pattern has one, is the sequence number; it is 0 otherwise. */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	struct probe_point *p = point_add(env, ret, point, pattern->kind, point_text(env, point));

	if (point->parts.data[0].param)
		p->row.attach.session.sequence = component_number(&point->parts.data[0]);
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "begin", derive, &ir_kind_begin }, { "begin(number)", derive, &ir_kind_begin },
	{ "end", derive, &ir_kind_end },     { "end(number)", derive, &ir_kind_end },
	{ "error", derive, &ir_kind_error }, { "error(number)", derive, &ir_kind_error },
	{ "never", derive, &ir_kind_never }, { 0 },
};

const struct probe_family probe_family_session = { "session", patterns };
