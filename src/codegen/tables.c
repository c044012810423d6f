/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables by which the runtime knows the script, and what initialises it. */
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "codegen/internal.h"
#include "uapi/script.h"

static const char *quoted(struct cg *cg, const char *s)
{
	return s ? emit_string(cg->arena, s, strlen(s)) : "NULL";
}

static const char *kind_name(uint32_t kind)
{
	static const char *const names[] = {
		[STP_PROBE_BEGIN] = "STP_PROBE_BEGIN",
		[STP_PROBE_END] = "STP_PROBE_END",
		[STP_PROBE_ERROR] = "STP_PROBE_ERROR",
		[STP_PROBE_NEVER] = "STP_PROBE_NEVER",
		[STP_PROBE_TIMER] = "STP_PROBE_TIMER",
		[STP_PROBE_JIFFIES] = "STP_PROBE_JIFFIES",
		[STP_PROBE_PROFILE] = "STP_PROBE_PROFILE",
		[STP_PROBE_ENTRY] = "STP_PROBE_ENTRY",
		[STP_PROBE_RETURN] = "STP_PROBE_RETURN",
		[STP_PROBE_KPROBE] = "STP_PROBE_KPROBE",
		[STP_PROBE_TRACEPOINT] = "STP_PROBE_TRACEPOINT",
	};

	return kind < sizeof(names) / sizeof(names[0]) ? names[kind] : NULL;
}

static void points(struct cg *cg, const struct ir_probe *p)
{
	if (!p->places.n)
		return;
	emit_open(&cg->w, "static const struct stp_point points_%u[] =", p->index);
	vec_foreach(place, &p->places) {
		struct strbuf b;

		strbuf_init(&b);
		strbuf_addf(&b, ".symbol = %s", quoted(cg, place->symbol));
		if (place->module)
			strbuf_addf(&b, ", .module = %s", quoted(cg, place->module));
		strbuf_addf(&b, ", .pp = %s", quoted(cg, place->pp));
		if (place->addr)
			strbuf_addf(&b, ", .addr = 0x%" PRIx64, place->addr);
		if (place->offset)
			strbuf_addf(&b, ", .offset = %u", place->offset);
		if (place->optional || p->full_regs)
			strbuf_addf(&b, ", .flags = %s",
				    !p->full_regs ? "STP_POINT_OPTIONAL"
				    : !place->optional
					    ? "STP_POINT_FULL_REGS"
					    : "STP_POINT_OPTIONAL | STP_POINT_FULL_REGS");
		emit_line(&cg->w, "{ %s },", strbuf_cstr(&b));
		strbuf_deinit(&b);
	}
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

static void probe_row(struct cg *cg, const struct ir_probe *p)
{
	const char *kind = kind_name(p->kind), *at = cg_position(cg, p->span);

	emit_open(&cg->w, "[%u] =", p->index);
	emit_line(&cg->w, ".handler = %s,", cg_handler_name(cg, p));
	if (p->saved.n) {
		uint32_t n_texts = cg_saved_index(p, p->saved.n, IR_STRING);

		emit_line(&cg->w, ".entry = entry_%u,", p->index);
		emit_line(&cg->w, ".n_saved = %zu,", p->saved.n - n_texts);
		if (n_texts)
			emit_line(&cg->w, ".n_texts = %u,", n_texts);
	}
	if (p->condition)
		emit_line(&cg->w, ".condition = condition_%u,", p->index);
	if (p->places.n) {
		emit_line(&cg->w, ".points = points_%u,", p->index);
		emit_line(&cg->w, ".n_points = %zu,", p->places.n);
	}
	emit_line(&cg->w, ".kind = %s,", kind ? kind : cg_printf(cg, "%u", p->kind));
	emit_line(&cg->w, ".index = %u,", p->index);
	if (p->param)
		emit_line(&cg->w, ".param = %s,", cg_number(cg, p->param).text);
	if (p->param2)
		emit_line(&cg->w, ".param2 = %s,", cg_number(cg, p->param2).text);
	emit_line(&cg->w, ".pp = %s,", quoted(cg, p->pp));
	if (!p->named_by_place)
		emit_line(&cg->w, ".pn = %s,", quoted(cg, p->pn));
	emit_line(&cg->w, ".location = %s,", quoted(cg, at ? at : ""));
	if (cg->in->flags & STP_SCRIPT_TIMING && p->chain)
		emit_line(&cg->w, ".from = %s,", quoted(cg, p->chain + sizeof("<-")));
	emit_close(&cg->w, ",");
}

static void probes(struct cg *cg)
{
	vec_foreach(it, &cg->program->probes)
		points(cg, *it);
	if (!cg->program->probes.n)
		return;
	emit_open(&cg->w, "static struct stp_probe probes[] =");
	vec_foreach(it, &cg->program->probes)
		probe_row(cg, *it);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

enum table { TABLE_MAPS, TABLE_STATS, TABLE_LOCKS, TABLE_PARAMS, TABLE_MAX };

static bool in_table(struct cg *cg, enum table table, const struct ir_global *g)
{
	switch ((int)table) {
	case TABLE_MAPS:
		return g->is_array;
	case TABLE_STATS:
		return !g->is_array && g->type == IR_STATS;
	case TABLE_LOCKS:
		return map_has(&cg->locked, g);
	default:
		return !g->is_array && !g->is_private &&
		       (g->type == IR_LONG || g->type == IR_STRING);
	}
}

static const char *row(struct cg *cg, enum table table, const struct ir_global *g)
{
	const char *name = cg_global(cg, g);

	if (table == TABLE_LOCKS)
		return cg_printf(cg, "&lock_%s,", name + 2);
	if (table != TABLE_PARAMS)
		return cg_printf(cg, "&%s,", name);
	if (g->storage == IR_STORE_SLOT)
		return cg_printf(cg, "{ .name = %s, .slot = %s },", quoted(cg, g->name->text),
				 cg_slot(cg, g));
	return cg_printf(cg, "{ .name = %s, .%s = &%s },", quoted(cg, g->name->text),
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

static void sites(struct cg *cg)
{
	if (!cg->sites.texts.n)
		return;
	emit_comment(&cg->w,
		     "what c->site counts: where an operation that can fail stands in the script");
	emit_open(&cg->w, "static const char *const sites[] =");
	for (size_t i = 0; i < cg->sites.texts.n; i++)
		emit_line(&cg->w, "[%zu] = %s,", i, quoted(cg, cg->sites.texts.data[i]));
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* Counters begin at 0, so only initialised ones need code. */
static bool init_function(struct cg *cg)
{
	bool any = false;

	vec_foreach(it, &cg->program->globals) {
		const struct ir_global *g = *it;

		if (g->storage != IR_STORE_SLOT || !g->has_init || !g->init_long)
			continue;
		if (!any) {
			emit_line(&cg->w, "static int init(struct stp_ctx *c)");
			emit_line(&cg->w, "{");
			cg->w.depth++;
		}
		any = true;
		emit_line(&cg->w, "stp_slot_set(c, %s, %s);", cg_slot(cg, g),
			  cg_number(cg, g->init_long).text);
	}
	if (any) {
		emit_line(&cg->w, "return 0;");
		emit_close(&cg->w, "");
		emit_blank(&cg->w);
	}
	return any;
}

static void table_row(struct cg *cg, const char *field, const char *name, size_t n)
{
	if (!n)
		return;
	emit_line(&cg->w, ".%s = %s,", field, name);
	emit_line(&cg->w, ".n_%s = %zu,", field, n);
}

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
	emit_line(&cg->w, ".min_stack = %u,", cg_stack_need(cg));
	emit_line(&cg->w, ".scratch_size = %" PRIu64 ",", cg_scratch_size(cg));
	if (l->ring_len)
		emit_line(&cg->w, ".ring_len = %u,", l->ring_len);
	if (l->overload_interval) {
		emit_line(&cg->w, ".overload_interval = %" PRIu64 "ULL,", l->overload_interval);
		emit_line(&cg->w, ".overload_threshold = %" PRIu64 "ULL,", l->overload_threshold);
	}
}

void cg_tables(struct cg *cg)
{
	static const char *const fields[] = { "maps", "stats", "locks", "params" };
	const struct ir_program *program = cg->program;
	size_t n[TABLE_MAX], n_regexes;
	bool init;

	probes(cg);
	for (int i = 0; i < TABLE_MAX; i++)
		n[i] = globals_table(cg, i);
	n_regexes = cg_regex_table(cg);
	sites(cg);
	init = init_function(cg);
	emit_open(&cg->w, "struct stp_script stp_script =");
	emit_line(&cg->w, ".abi = STP_SCRIPT_ABI,");
	if (cg->in->flags)
		emit_line(&cg->w, ".flags = 0x%x,", cg->in->flags);
	emit_line(&cg->w, ".script_name = %s,", quoted(cg, cg->in->script_name));
	table_row(cg, "probes", "probes", program->probes.n);
	for (int i = 0; i < TABLE_MAX; i++)
		table_row(cg, fields[i], fields[i], n[i]);
	table_row(cg, "formats", "formats", program->formats.n);
	table_row(cg, "hists", "hists", program->hists.n);
	table_row(cg, "regexes", "regexes", n_regexes);
	table_row(cg, "sites", "sites", cg->sites.texts.n);
	if (program->n_slots)
		emit_line(&cg->w, ".n_slots = %u,", program->n_slots);
	limits(cg);
	if (init)
		emit_line(&cg->w, ".init = init,");
	if (program->anchor_symbol) {
		emit_line(&cg->w, ".anchor_symbol = %s,", quoted(cg, program->anchor_symbol));
		emit_line(&cg->w, ".anchor_addr = 0x%" PRIx64 ",", program->anchor_addr);
	}
	emit_close(&cg->w, ";");
}
