/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of scopes: which processes points mean, equal ones once. Points refer to its rows, so
 * it is written in front of them.
 */
#include "base/intern.h"
#include "codegen/internal.h"
#include "codegen/tables.h"

static const struct istr *key_of(struct cg *cg, const struct ir_scope *scope)
{
	return intern(cg->intern,
		      cg_printf(cg, "%u %s", scope->pid, scope->file ? scope->file : ""));
}

/* One row; a scope that is not limited itself still has one, for sessions with a target. */
static void scope_row(struct cg *cg, const struct ir_scope *scope)
{
	if (scope->file)
		emit_line(&cg->w, "{ .file = %s },", cg_quoted(cg, scope->file));
	else if (scope->pid)
		emit_line(&cg->w, "{ .pid = %u },", scope->pid);
	else
		emit_line(&cg->w, "{ .pid = 0 },");
}

void cg_scopes(struct cg *cg)
{
	vec_foreach(p, &cg->program->probes) {
		vec_foreach(point, &(*p)->points) {
			const struct istr *key;

			if (!point->scope)
				continue;
			key = key_of(cg, point->scope);
			if (map_has(&cg->scopes, key))
				continue;
			if (!cg->scopes.n)
				emit_open(&cg->w, "static struct stp_scope scopes[] =");
			map_put(&cg->scopes, key, (void *)cg->scopes.n);
			scope_row(cg, point->scope);
		}
	}
	if (!cg->scopes.n)
		return;
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

const char *cg_scope(struct cg *cg, const struct ir_scope *scope)
{
	size_t n = (size_t)map_get(&cg->scopes, key_of(cg, scope));

	return cg_printf(cg, "&scopes[%zu]", n);
}
