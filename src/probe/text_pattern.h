/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of .function("...") and .statement("..."), for the kernel, modules and programs alike:
 *
 *   FUNC[@FILE[:LINES | +OFF]]     LINES: * | RANGE[,RANGE...]     RANGE: A | A-B
 *
 * FUNC and FILE are globs. The result is in env->arena.
 */
#ifndef SPILE_PROBE_TEXT_PATTERN_H
#define SPILE_PROBE_TEXT_PATTERN_H

#include "probe/family.h"

struct target_function_query;

/*
 * Sets name, file and lines of *ret, a query for target/. false, with a diagnostic, when there is
 * no name, or lines are not written as above. A line of a .function, which chooses functions and is
 * not where the probe is, is warned of.
 */
bool text_pattern_parse(struct probe_env *env, const struct ast_component *c,
			struct target_function_query *ret);

#endif
