/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks that the reference's own programs, its compiler and loader, have: they are known, so that
 * they are refused by name and not reported as typing errors.
 */
#include "probe/families.h"
#include "probe/point.h"

/* Always fails: our programs have no such marks. */
static bool derive_own(struct probe_env *env, const struct ast_point *point,
		       const struct probe_pattern *pattern, struct probe_points *ret,
		       const char **why)
{
	diag_report(env->sink, DIAG_PROBE_OWN_MARK, point->span, pattern->text);
	return false;
}

#define OWN(text)                                                                                  \
	{                                                                                          \
		text, derive_own                                                                   \
	}

static const struct probe_pattern patterns[] = {
	OWN("stap.pass0"),
	OWN("stap.pass0.end"),
	OWN("stap.pass1a"),
	OWN("stap.pass1b"),
	OWN("stap.pass1.end"),
	OWN("stap.pass2"),
	OWN("stap.pass2.end"),
	OWN("stap.pass3"),
	OWN("stap.pass3.end"),
	OWN("stap.pass4"),
	OWN("stap.pass4.end"),
	OWN("stap.pass5"),
	OWN("stap.pass5.end"),
	OWN("stap.pass6"),
	OWN("stap.pass6.end"),
	OWN("stap.cache_clean"),
	OWN("stap.cache_add_mod"),
	OWN("stap.cache_add_src"),
	OWN("stap.cache_add_nss"),
	OWN("stap.cache_get"),
	OWN("stap.system"),
	OWN("stap.system.spawn"),
	OWN("stap.system.return"),
	OWN("staprun.insert_module"),
	OWN("staprun.remove_module"),
	OWN("staprun.send_control_message"),
	{ 0 },
};

const struct probe_family probe_family_own_marks = { "own marks", patterns, .refuses = true };
