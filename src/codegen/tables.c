/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables by which the runtime knows the script, and what initialises it. struct stp_script
 * is the last thing in script.c and the only symbol in it that the runtime names; a table
 * without rows is not written, and its fields stay 0.
 */
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/expr.h"
#include "codegen/internal.h"
#include "codegen/sharing.h"
#include "codegen/sizes.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "ir/builtins.h"
#include "runtime/uapi/script.h"

/* Tables of globals. TABLE_PARAMS: scalars that can be set when the module is loaded (-G). */
enum table { TABLE_MAPS, TABLE_STATS, TABLE_LOCKS, TABLE_PARAMS, TABLE_MAX };

/* A statistic in an array is part of its map. */
static bool in_table(struct cg *cg, enum table table, const struct ir_global *g)
{
	switch (table) {
	case TABLE_MAPS:
		return g->is_array;
	case TABLE_STATS:
		return !g->is_array && g->type == IR_STATS;
	case TABLE_LOCKS:
		return map_has(&cg->locked, g);
	case TABLE_PARAMS:
		return !g->is_array && !g->is_private &&
		       (g->type == IR_LONG || g->type == IR_STRING);
	case TABLE_MAX:
		break;
	}
	return false;
}

static const char *row(struct cg *cg, enum table table, const struct ir_global *g)
{
	const char *name = cg_global(cg, g);

	if (table == TABLE_LOCKS)
		return cg_printf(cg, "&%s,", cg_lock(cg, g));
	if (table != TABLE_PARAMS)
		return cg_printf(cg, "&%s,", name);
	if (sharing_storage(g) == STORE_COUNTER)
		return cg_printf(cg, "{ .name = %s, .counter = %s },", cg_quoted(cg, g->name->text),
				 cg_counter(cg, g));
	return cg_printf(cg, "{ .name = %s, .%s = &%s },", cg_quoted(cg, g->name->text),
			 g->type == IR_STRING ? "string" : "value", name);
}

/* The table of the globals that belong in it; returns how many. */
static size_t globals_table(struct cg *cg, enum table table)
{
	static const char *const heads[] = {
		[TABLE_MAPS] = "static struct stp_map *const maps[] =",
		[TABLE_STATS] = "static struct stp_stat *const stats[] =",
		[TABLE_LOCKS] = "static struct stp_lock *const locks[] =",
		[TABLE_PARAMS] = "static const struct stp_param params[] =",
	};
	size_t n = 0;

	vec_foreach(it, &cg->program->globals) {
		if (!in_table(cg, table, *it))
			continue;
		if (!n++)
			emit_open(&cg->w, "%s", heads[table]);
		emit_line(&cg->w, "%s", row(cg, table, *it));
	}
	if (n) {
		emit_close(&cg->w, ";");
		emit_blank(&cg->w);
	}
	return n;
}

/* Row 0 is the empty text of no position. */
static void positions(struct cg *cg)
{
	struct strbuf quoted;

	if (!cg->positions.texts.n)
		return;
	strbuf_init(&quoted);
	emit_comment(&cg->w, "what c->position numbers: operations that can fail, in the script");
	emit_open(&cg->w, "static const char *const positions[] =");
	for (size_t i = 0; i < cg->positions.texts.n; i++) {
		const char *text = cg->positions.texts.data[i];

		strbuf_reset(&quoted);
		emit_add_string(&quoted, text, strlen(text));
		emit_line(&cg->w, "[%zu] = %s,", i, quoted.s);
	}
	strbuf_deinit(&quoted);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* Counters begin at 0, so only initialised ones need code. */
static bool init_function(struct cg *cg)
{
	bool any = false;

	vec_foreach(it, &cg->program->globals) {
		const struct ir_global *g = *it;

		if (sharing_storage(g) != STORE_COUNTER || !g->has_init || !g->init_long)
			continue;
		if (!any) {
			emit_line(&cg->w, "static int init(struct stp_ctx *c)");
			emit_line(&cg->w, "{");
			cg->w.depth++;
		}
		any = true;
		emit_line(&cg->w, "stp_counter_set(c, %s, %s);", cg_counter(cg, g),
			  cg_number(cg, g->init_long).text);
	}
	if (any) {
		emit_line(&cg->w, "return 0;");
		emit_close(&cg->w, "");
		emit_blank(&cg->w);
	}
	return any;
}

/* NAME is the C array of N rows for the pointer and count called FIELD. */
static void table_row(struct cg *cg, const char *field, const char *name, size_t n)
{
	if (!n)
		return;
	emit_line(&cg->w, ".%s = %s,", field, name);
	emit_line(&cg->w, ".n_%s = %zu,", field, n);
}

/* Probes in the kernel's text: any of them may need a kprobe. */
static bool has_text_probes(const struct ir_program *p)
{
	vec_foreach(probe, &p->probes)
		if (ir_kind_is((*probe)->kind, IR_KIND_KERNEL))
			return true;
	return false;
}

/*
 * What the conditions of members ask besides the program: sizes of tables that are written by then.
 */
struct member_tables {
	const size_t *globals; /* by enum table */
	size_t n_regexes;
};

/* Rows of uapi/members.def. */
enum member {
#define MEMBER(name) MEMBER_##name,
#include "runtime/uapi/members.def"
#undef MEMBER
};

/* Does the script have what the member prepares? No default: a new row needs its condition. */
static bool needs_member(const struct cg *cg, enum member member, const struct member_tables *t)
{
	unsigned needs = ir_program_needs(cg->program);

	switch (member) {
	case MEMBER_points:
		return cg->n_row_tables;
	case MEMBER_stats:
		return t->globals[TABLE_STATS];
	case MEMBER_maps:
		return t->globals[TABLE_MAPS];
	case MEMBER_matches:
		return t->n_regexes;
	case MEMBER_scopes:
		return cg->scopes.n || needs & IR_NEEDS_TARGET;
	case MEMBER_slide:
		return cg_anchor(cg)->symbol;
	case MEMBER_user_tables:
		return needs & IR_NEEDS_USER_MAP;
	case MEMBER_user_map:
		return needs & IR_NEEDS_USER_MAP || cg->mapped.n;
	case MEMBER_mapped:
		return cg->mapped.n;
	case MEMBER_task_stacks:
		return needs & IR_NEEDS_TASK_STACK;
	case MEMBER_optimise:
		return has_text_probes(cg->program);
	}
	return false;
}

/*
 * The parts of the runtime that prepare something for what the script has: &stp_member_NAME pulls
 * one in.
 */
static size_t members_table(struct cg *cg, const struct member_tables *t)
{
	static const char *const names[] = {
#define MEMBER(name) #name,
#include "runtime/uapi/members.def"
#undef MEMBER
	};
	size_t used = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!needs_member(cg, (enum member)i, t))
			continue;
		if (!used++)
			emit_open(&cg->w, "static const struct stp_member *const members[] =");
		emit_line(&cg->w, "&stp_member_%s,", names[i]);
	}
	if (used) {
		emit_close(&cg->w, ";");
		emit_blank(&cg->w);
	}
	return used;
}

/* Limits of the command line, and what follows from the script itself. */
static void limits(struct cg *cg)
{
	const struct codegen_limits *l = &cg->in->limits;

	emit_line(&cg->w, ".max_string = MAXSTRINGLEN,");
	emit_line(&cg->w, ".max_action = %u,", l->max_action);
	emit_line(&cg->w, ".max_action_interruptible = %u,", l->max_action_interruptible);
	emit_line(&cg->w, ".max_nesting = %u,", cg_max_nesting(cg));
	emit_line(&cg->w, ".max_errors = %u,", l->max_errors);
	emit_line(&cg->w, ".max_skipped = %u,", l->max_skipped);
	emit_line(&cg->w, ".max_trylock = %u,", l->max_trylock);
	emit_line(&cg->w, ".trylock_delay_us = %u,", l->trylock_delay_us);
	emit_line(&cg->w, ".min_stack = %u + STP_FRAME_EXCESS,", cg_stack_need(cg));
	emit_line(&cg->w, ".scratch_size = %" PRIu64 ",", cg_scratch_size(cg));
	if (l->overload_interval) {
		emit_line(&cg->w, ".overload_interval = %" PRIu64 "ULL,", l->overload_interval);
		emit_line(&cg->w, ".overload_threshold = %" PRIu64 "ULL,", l->overload_threshold);
	}
}

static bool has_inlines(const struct codegen_carries *carries)
{
	vec_foreach(l, &carries->lines)
		if (l->inlines)
			return true;
	return false;
}

/*
 * What has numbers given on the way is written before the script's own object, which counts it.
 */
void cg_tables(struct cg *cg)
{
	static const char *const fields[] = { "maps", "stats", "locks", "params" };
	const struct ir_program *program = cg->program;
	const struct codegen_carries *carries = &cg->in->carries;
	const struct ir_anchor *anchor = cg_anchor(cg);
	size_t n[TABLE_MAX], n_members;
	struct member_tables sizes = { .globals = n };
	unsigned flags;
	bool init, fetches;

	cg_probes(cg);
	fetches = cg_fetches(cg);
	cg_carried(cg);
	cg_lines(cg);
	cg_mapped_table(cg);
	cg_objects(cg);
	for (int i = 0; i < TABLE_MAX; i++)
		n[i] = globals_table(cg, i);
	sizes.n_regexes = cg_regex_table(cg);
	n_members = members_table(cg, &sizes);
	positions(cg);
	init = init_function(cg);
	emit_open(&cg->w, "struct stp_script stp_script =");
	emit_line(&cg->w, ".abi = STP_SCRIPT_ABI,");
	flags = cg->in->flags |
		(ir_program_needs(cg->program) & IR_NEEDS_ZONE ? STP_SCRIPT_ZONE : 0);
	if (flags)
		emit_line(&cg->w, ".flags = 0x%x,", flags);
	if (cg->in->remote && ir_program_needs(cg->program) & IR_NEEDS_REMOTE)
		emit_line(&cg->w, ".remote = %s,", cg_quoted(cg, cg->in->remote));
	emit_line(&cg->w, ".script_name = %s,", cg_quoted(cg, cg->in->script_name));
	table_row(cg, "probes", "probes", program->probes.n);
	emit_line(&cg->w, ".n_points = %zu,", cg_point_count(program));
	for (int i = 0; i < TABLE_MAX; i++)
		table_row(cg, fields[i], fields[i], n[i]);
	table_row(cg, "formats", "formats", program->formats.n);
	table_row(cg, "hists", "hists", program->hists.n);
	table_row(cg, "regexes", "regexes", sizes.n_regexes);
	table_row(cg, "objects", "objects", cg->objects.n);
	table_row(cg, "sections", "sections", cg->sections.n);
	table_row(cg, "scopes", "scopes", cg->scopes.n);
	table_row(cg, "carried", "carried", carries->files.n);
	table_row(cg, "lines", "lines", carries->lines.n);
	if (has_inlines(carries))
		emit_line(&cg->w, ".put_inlined = stp_put_inlined,");
	table_row(cg, "mapped", "mapped", cg->mapped.n);
	table_row(cg, "members", "members", n_members);
	table_row(cg, "positions", "positions", cg->positions.texts.n);
	if (cg_counter_count(cg))
		emit_line(&cg->w, ".n_counters = %u,", cg_counter_count(cg));
	limits(cg);
	if (init)
		emit_line(&cg->w, ".init = init,");
	if (fetches)
		emit_line(&cg->w, ".fetch = fetches,");
	if (anchor->symbol) {
		emit_line(&cg->w, ".anchor_symbol = %s,", cg_quoted(cg, anchor->symbol));
		emit_line(&cg->w, ".anchor_addr = 0x%" PRIx64 ",", anchor->addr);
	}
	emit_close(&cg->w, ";");
}
