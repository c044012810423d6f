/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sema and codegen know of probe kinds: an interface, no concrete family. A family is one file
 * that lists the probe point patterns it understands and turns a matching point into derived
 * probes, each one place or event. driver/ hands the catalog (all families, matched by match.c) to
 * sema.
 *
 * Patterns are spelled as --dump-probe-types prints them:
 * "kernel.function(string).return.maxactive(number)".
 */
#ifndef SPILE_PROBE_FAMILY_H
#define SPILE_PROBE_FAMILY_H

#include "ast/ast.h"
#include "ir/ir.h"
#include "target/target.h"

struct probe_env {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct target *target; /* NULL: no kernel was found; families that need one say so */
	const char *no_target_reason, *no_target_hint; /* why it is NULL */
	bool guru;
	bool listing; /* -l/-L: no limits that only matter when armed */
};

/* One place or event. */
struct probe_derived {
	uint32_t kind; /* enum stp_probe_kind */
	int64_t param, param2;
	const char *pp; /* fully resolved: kernel.function("vfs_read@fs/read_write.c:450").call */
	const char *listing; /* -l spelling, without .call where the script had none */
	bool has_place;
	struct ir_place place;
	/* variables: scope of the probe; for .return probes scope has only $return and entry_scope
	 * the rest, which sema wraps as IR_SAVED values. NULL: no context variables at all. */
	const struct target_scope *scope, *entry_scope;
	const struct ast_point *origin;
	const char *function; /* probefunc() when known at compile time, or NULL */
};

struct probe_deriveds {
	struct probe_derived *data;
	size_t n, cap;
};

struct probe_pattern {
	const char *text;
	/* Append derived probes; false: a diagnostic was reported. Appending none means "no match"
	 * (the caller reports it unless the point is optional), with hint text left in *why (arena)
	 * when there is one. */
	bool (*derive)(struct probe_env *env, const struct ast_point *point,
		       const struct probe_pattern *pattern, struct probe_deriveds *ret,
		       const char **why);
	unsigned flags; /* family's own */
};

struct probe_family {
	const char *name;
	const struct probe_pattern *patterns; /* ends with text == NULL */
};

/* All families. resolve() matches the components (wildcards in component names included) and
 * derives; point's optional mark is honoured: true with nothing appended. On a mismatch it reports
 * with near names. */
struct probe_catalog {
	const struct probe_family *const *families; /* ends with NULL */
	bool (*resolve)(const struct probe_catalog *catalog, struct probe_env *env,
			const struct ast_point *point, struct probe_deriveds *ret);
	/* Could some pattern begin with these components? Aliases win where both could. */
	bool (*known_prefix)(const struct probe_catalog *catalog, const struct ast_point *point);
};

extern const struct probe_catalog probe_catalog; /* in probe/match.c; only driver/ names it */

#endif
