/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions: their tables, as runtime/uapi/dfa.h has them, and the calls that run
 * them. The tables are made by regex/; here they become constant C arrays. A pattern
 * whose groups are never asked about has tables to test with only.
 */
#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "regex/regex.h"
#include "runtime/uapi/dfa.h"

/*
 * A kept match sets what the runtime's matched() answers from, which is an effect, so errors
 * are looked at first. A negated one keeps nothing.
 */
struct value cg_match(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_regex *regex = e->match.regex;
	struct value v = cg_lower(cg, e->match.subject);
	bool kept = regex->kept && !e->match.negated;
	struct value ret;
	const char *text;

	if (kept) {
		v = cg_evaluate(cg, v, IR_STRING);
		cg_check(cg);
	}
	text = cg_printf(cg, "%sstp_regex_%s&regex_%u, %s)", e->match.negated ? "!" : "",
			 kept ? "match(c, " : "test(", regex->index, v.text);
	ret = cg_around(text, e->match.negated ? PREC_UNARY : PREC_PRIMARY, v);
	ret.narrow = true;
	ret.effect |= kept;
	return cg_at_least(ret, V_READS);
}

/* ---- tables ---- */

const struct stp_regex **cg_compile_regexes(struct arena *arena, struct diag_sink *sink,
					    const struct ir_program *program)
{
	const struct stp_regex **ret =
		arena_new_array(arena, const struct stp_regex *, program->regexes.n);

	vec_foreach(it, &program->regexes) {
		const struct ir_regex *regex = *it;
		const char *needs;

		ret[regex->index] = regex_compile(arena, regex->pattern, regex->kept, &needs);
		if (!ret[regex->index])
			diag_set_token(sink, diag_report(sink, DIAG_REGEX_SIZE, regex->span, needs),
				       "regex \"%s\"", regex->text->text);
	}
	return ret;
}

/* As a character where that can be read. */
static const char *byte(struct cg *cg, unsigned c)
{
	if (c == '\'' || c == '\\')
		return cg_printf(cg, "'\\%c'", c);
	return c > ' ' && c < 127 ? cg_printf(cg, "'%c'", c) : cg_printf(cg, "%u", c);
}

/* Ranges of bytes of one class. Class 0 is what is left out. */
static void classes(struct cg *cg, const char *name, const struct stp_regex *re)
{
	emit_open(&cg->w, "static const stp_u8 %s_classes[256] =", name);
	for (unsigned c = 0, end; c < 256; c = end) {
		for (end = c + 1; end < 256 && re->classes[end] == re->classes[c]; end++)
			;
		if (re->classes[c] && end == c + 1)
			emit_line(&cg->w, "[%s] = %u,", byte(cg, c), re->classes[c]);
		else if (re->classes[c])
			emit_line(&cg->w, "[%s ... %s] = %u,", byte(cg, c), byte(cg, end - 1),
				  re->classes[c]);
	}
	emit_close(&cg->w, ";");
}

/* A line for each state. */
static void transitions(struct cg *cg, const char *name, const stp_u16 *next, unsigned n_states,
			unsigned n_classes)
{
	struct strbuf b;

	strbuf_init(&b);
	emit_open(&cg->w, "static const stp_u16 %s[] =", name);
	for (unsigned i = 0; i < n_states; i++) {
		strbuf_reset(&b);
		for (unsigned c = 0; c < n_classes; c++)
			strbuf_addf(&b, "%s%u,", c ? " " : "", next[i * n_classes + c]);
		emit_line(&cg->w, "%s", strbuf_cstr(&b));
	}
	emit_close(&cg->w, ";");
	strbuf_deinit(&b);
}

/* A table on one line, which the writer breaks. */
static void bytes(struct cg *cg, const char *name, const stp_u8 *data, size_t n)
{
	struct strbuf b;

	strbuf_init(&b);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&b, "%s%u", i ? ", " : " ", data[i]);
	emit_line(&cg->w, "static const stp_u8 %s[] = {%s };", name, strbuf_cstr(&b));
	strbuf_deinit(&b);
}

/* The automata of a pattern's parts, by which groups are found after a match. */
static void dfas(struct cg *cg, const char *name, const struct stp_regex *re)
{
	const struct stp_regex_groups *g = re->groups;

	for (unsigned i = 0; i < g->n_dfas; i++) {
		const struct stp_dfa *dfa = &g->dfas[i];

		transitions(cg, cg_printf(cg, "%s_next_%u", name, i), dfa->next, dfa->n_states,
			    re->n_classes);
		bytes(cg, cg_printf(cg, "%s_marks_%u", name, i), dfa->marks,
		      2u * dfa->n_states * ((dfa->n_marks + 7u) / 8u));
	}
	emit_open(&cg->w, "static const struct stp_dfa %s_dfas[] =", name);
	for (unsigned i = 0; i < g->n_dfas; i++) {
		const struct stp_dfa *dfa = &g->dfas[i];

		emit_line(&cg->w, "{ %s_next_%u, %s_marks_%u, %u, %u, { %u, %u } },", name, i, name,
			  i, dfa->n_states, dfa->n_marks, dfa->start[0], dfa->start[1]);
	}
	emit_close(&cg->w, ";");
}

/* For numbers of nodes and automata that may be absent. */
static const char *number_or_none(struct cg *cg, unsigned n)
{
	return n == STP_REGEX_NONE ? "STP_REGEX_NONE" : cg_printf(cg, "%u", n);
}

/* Fields that the node's kind does not use are left out. */
static void node(struct cg *cg, const struct stp_regex_node *node)
{
	static const char *const kinds[] = {
		[STP_REGEX_GROUP] = "GROUP",
		[STP_REGEX_SEQUENCE] = "SEQUENCE",
		[STP_REGEX_CHOICE] = "CHOICE",
		[STP_REGEX_REPEAT] = "REPEAT",
	};
	const char *dfa = "", *repeat = "";

	if (node->kind != STP_REGEX_GROUP)
		dfa = cg_printf(cg, ", .dfa = %u", node->dfa);
	if (node->kind == STP_REGEX_REPEAT)
		repeat = cg_printf(cg, ", .min = %u, .loop = %u", node->min, node->loop);
	emit_line(&cg->w, "{ .kind = STP_REGEX_%s, .n = %u, .first = %u%s%s },", kinds[node->kind],
		  node->n, node->first, dfa, repeat);
}

/* The tree of the pattern's groups, with a row for each node and part. */
static void groups(struct cg *cg, const char *name, const struct stp_regex *re)
{
	const struct stp_regex_groups *g = re->groups;

	dfas(cg, name, re);
	emit_open(&cg->w, "static const struct stp_regex_node %s_nodes[] =", name);
	for (unsigned i = 0; i < g->n_nodes; i++)
		node(cg, &g->nodes[i]);
	emit_close(&cg->w, ";");
	emit_open(&cg->w, "static const struct stp_regex_part %s_parts[] =", name);
	for (unsigned i = 0; i < g->n_parts; i++)
		emit_line(&cg->w, "{ .dfa = %s, .node = %s },", number_or_none(cg, g->parts[i].dfa),
			  number_or_none(cg, g->parts[i].node));
	emit_close(&cg->w, ";");
	emit_open(&cg->w, "static const struct stp_regex_groups %s_groups =", name);
	emit_line(&cg->w, ".dfas = %s_dfas,", name);
	emit_line(&cg->w, ".nodes = %s_nodes,", name);
	emit_line(&cg->w, ".parts = %s_parts,", name);
	emit_line(&cg->w, ".n_dfas = %u,", g->n_dfas);
	emit_line(&cg->w, ".n_nodes = %u,", g->n_nodes);
	emit_line(&cg->w, ".n_parts = %u,", g->n_parts);
	emit_line(&cg->w, ".n_groups = %u,", g->n_groups);
	emit_line(&cg->w, ".first = %u,", g->first);
	emit_line(&cg->w, ".whole = %u,", g->whole);
	emit_close(&cg->w, ";");
}

/*
 * All tables of one pattern, each before the one that names it. The pattern stands above as a
 * comment.
 */
static void regex(struct cg *cg, const struct ir_regex *regex)
{
	const char *name = cg_printf(cg, "regex_%u", regex->index);
	const struct stp_regex *re = cg->in->regexes[regex->index];

	emit_comment(&cg->w, "regex \"%s\"", regex->text->text);
	classes(cg, name, re);
	transitions(cg, cg_printf(cg, "%s_next", name), re->next, re->n_states, re->n_classes);
	bytes(cg, cg_printf(cg, "%s_at_end", name), re->at_end, re->n_states);
	if (re->groups)
		groups(cg, name, re);
	emit_open(&cg->w, "static const struct stp_regex %s =", name);
	emit_line(&cg->w, ".classes = %s_classes,", name);
	emit_line(&cg->w, ".next = %s_next,", name);
	emit_line(&cg->w, ".at_end = %s_at_end,", name);
	emit_line(&cg->w, ".n_classes = %u,", re->n_classes);
	emit_line(&cg->w, ".n_states = %u,", re->n_states);
	emit_line(&cg->w, ".start = %u,", re->start);
	if (re->groups)
		emit_line(&cg->w, ".groups = &%s_groups,", name);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* In the order of the program, which gives their numbers. */
void cg_regexes(struct cg *cg)
{
	vec_foreach(it, &cg->program->regexes)
		regex(cg, *it);
}

/* The table of those whose groups are kept; returns how many. */
size_t cg_regex_table(struct cg *cg)
{
	size_t n = 0;

	vec_foreach(it, &cg->program->regexes) {
		if (!(*it)->kept)
			continue;
		if (!n++)
			emit_open(&cg->w, "static const struct stp_regex *const regexes[] =");
		emit_line(&cg->w, "&regex_%u,", (*it)->index);
	}
	if (n) {
		emit_close(&cg->w, ";");
		emit_blank(&cg->w);
	}
	return n;
}
