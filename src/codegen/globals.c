/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Globals: their C objects, locks and counters. A global is a struct of the runtime (map,
 * statistic, string), a plain stp_long, or, when storage found that it is only added to, a counter
 * per CPU. A lock of its own stands behind each global that some handler locks.
 */
#include <inttypes.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/expr.h"
#include "codegen/internal.h"
#include "codegen/sharing.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "runtime/uapi/hist.h"
#include "runtime/uapi/script.h"

_Static_assert(IR_HIST_LOG_BUCKETS == STP_HIST_LOG_BUCKETS, "the runtime takes no other number");

const char *cg_global(const struct cg *cg, const struct ir_global *g)
{
	return map_get(&cg->globals, g);
}

/* g_NAME; private globals of several files may share a name, and are numbered then. */
static const char *unique_name(struct cg *cg, const struct ir_global *g)
{
	map_foreach(it, &cg->globals) {
		const struct ir_global *other = it->key;

		if (other->name == g->name)
			return emit_name(cg->arena, cg_printf(cg, "g%u", g->index), g->name->text);
	}
	return emit_name(cg->arena, "g", g->name->text);
}

/*
 * What belongs to a global has its C name, another word in place of the "g": "COUNTER_n", and
 * "COUNTER5_n" for the n of another file.
 */
const char *cg_counter(struct cg *cg, const struct ir_global *g)
{
	return cg_printf(cg, "COUNTER%s", cg_global(cg, g) + 1);
}

const char *cg_lock(struct cg *cg, const struct ir_global *g)
{
	return cg_printf(cg, "lock%s", cg_global(cg, g) + 1);
}

unsigned cg_counter_count(const struct cg *cg)
{
	unsigned n = 0;

	vec_foreach(it, &cg->program->globals)
		n += sharing_storage(*it) == STORE_COUNTER;
	return n;
}

static void note_locked(struct cg *cg, struct lock_uses uses)
{
	vec_foreach(use, &uses)
		map_put(&cg->locked, use->global, cg);
}

void cg_find_locked(struct cg *cg)
{
	vec_foreach(it, &cg->program->probes) {
		note_locked(cg, sharing_body_locks(cg->arena, *it));
		note_locked(cg, sharing_condition_locks(cg->arena, *it));
		note_locked(cg, sharing_entry_locks(cg->arena, *it));
	}
}

/* Counters have no object: the enumerators number them. */
static void counter_enum(struct cg *cg)
{
	unsigned n = 0;

	if (!cg_counter_count(cg))
		return;
	emit_comment(&cg->w, "counters kept per CPU");
	emit_open(&cg->w, "enum");
	vec_foreach(it, &cg->program->globals)
		if (sharing_storage((*it)) == STORE_COUNTER)
			emit_line(&cg->w, "%s = %u,", cg_counter(cg, *it), n++);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

const char *cg_hist_kind(enum ir_hist_kind kind)
{
	return kind == IR_HIST_LOG ? "STP_HIST_LOG" : "STP_HIST_LINEAR";
}

/* What the runtime must collect for the extractors and the histogram that the script uses. */
static const char *stat_desc(struct cg *cg, const struct ir_global *g)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	strbuf_addf(&b, ".desc = { .collect = 0x%x", g->collect);
	if (g->bit_shift)
		strbuf_addf(&b, ", .bit_shift = %u", g->bit_shift);
	if (g->hist.kind) {
		strbuf_addf(&b, ", .hist = { .kind = %s, .n_buckets = %u",
			    cg_hist_kind(g->hist.kind), g->hist.n_buckets);
		if (g->hist.kind == IR_HIST_LINEAR)
			strbuf_addf(&b, ", .low = %s, .high = %s, .step = %s",
				    cg_number(cg, g->hist.low).text,
				    cg_number(cg, g->hist.high).text,
				    cg_number(cg, g->hist.step).text);
		strbuf_addf(&b, ", .width = %u, .elision = (stp_u32)%d }",
			    cg->in->limits.hist_width, cg->in->limits.hist_elision);
	}
	strbuf_adds(&b, " }");
	text = arena_strdup(cg->arena, strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

/* A map with room for its whole capacity; the runtime takes the memory when the module starts. */
static void array(struct cg *cg, const struct ir_global *g)
{
	static const char *const types[] = { [IR_UNKNOWN] = "STP_LONG",
					     [IR_LONG] = "STP_LONG",
					     [IR_STRING] = "STP_STRING",
					     [IR_STATS] = "STP_STATS" };
	unsigned strings = 0;
	const char *flags;

	for (unsigned i = 0; i < g->n_keys; i++)
		strings |= (unsigned)(g->keys[i] == IR_STRING) << i;
	flags = g->wrap && g->sized ? "STP_MAP_WRAP | STP_MAP_SIZED"
		: g->wrap           ? "STP_MAP_WRAP"
		: g->sized          ? "STP_MAP_SIZED"
				    : NULL;
	emit_open(&cg->w, "static struct stp_map %s =", cg_global(cg, g));
	emit_line(&cg->w, ".name = %s,", emit_string(cg->arena, g->name->text, g->name->len));
	emit_line(&cg->w, ".n_keys = %u,", g->n_keys);
	emit_line(&cg->w, ".value = %s,", types[g->type]);
	if (strings)
		emit_line(&cg->w, ".string_keys = 0x%x,", strings);
	emit_line(&cg->w, ".capacity = %u,", g->capacity);
	if (flags)
		emit_line(&cg->w, ".flags = %s,", flags);
	emit_line(&cg->w, ".string_size = MAXSTRINGLEN,");
	if (g->type == IR_STATS)
		emit_line(&cg->w, "%s,", stat_desc(cg, g));
	emit_close(&cg->w, ";");
}

/*
 * Initial values are part of the object, cut to MAXSTRINGLEN. A private global that no code
 * names any more must not make the compiler warn.
 */
static void scalar(struct cg *cg, const struct ir_global *g)
{
	const char *name = cg_global(cg, g), *unused;

	switch (g->type) {
	case IR_STRING: {
		const struct istr *init = g->has_init ? g->init_string : NULL;
		uint32_t len = init ? init->len : 0;

		if (len >= cg->in->limits.max_string)
			len = cg->in->limits.max_string - 1;
		emit_line(&cg->w, "STP_STRING(%s, MAXSTRINGLEN, %s);", name,
			  init ? emit_string(cg->arena, init->text, len) : "\"\"");
		break;
	}
	case IR_STATS:
		emit_open(&cg->w, "static struct stp_stat %s =", name);
		emit_line(&cg->w, ".name = %s,",
			  emit_string(cg->arena, g->name->text, g->name->len));
		emit_line(&cg->w, "%s,", stat_desc(cg, g));
		emit_close(&cg->w, ";");
		break;
	case IR_LONG:
	case IR_UNKNOWN:
		unused = g->is_private && !g->named ? " __attribute__((unused))" : "";
		if (g->has_init && g->init_long)
			emit_line(&cg->w, "static stp_long %s%s = %s;", name, unused,
				  cg_number(cg, g->init_long).text);
		else
			emit_line(&cg->w, "static stp_long %s%s;", name, unused);
		break;
	}
}

/* The object, with its position in the script above it and its lock behind it. */
static void one_global(struct cg *cg, const struct ir_global *g)
{
	const char *at = cg_span_text(cg, g->span);

	if (at)
		emit_comment(&cg->w, "global %s at %s", g->name->text, at);
	if (g->is_array)
		array(cg, g);
	else
		scalar(cg, g);
	if (map_has(&cg->locked, g))
		emit_line(&cg->w, "static struct stp_lock %s = { .name = %s };", cg_lock(cg, g),
			  emit_string(cg->arena, g->name->text, g->name->len));
	emit_blank(&cg->w);
}

/* Names first: one has to differ from all others. */
void cg_globals(struct cg *cg)
{
	vec_foreach(it, &cg->program->globals)
		map_put(&cg->globals, *it, (void *)unique_name(cg, *it));
	counter_enum(cg);
	vec_foreach(it, &cg->program->globals)
		if (sharing_storage((*it)) != STORE_COUNTER)
			one_global(cg, *it);
}
