/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns of =~ and !~: the text becomes a tree when it is met, so that mistakes come out where
 * the script is elided too; step regexes lists those that are left.
 *
 * A pattern is the value of the string, but for one thing: behind a backslash that means nothing
 * to a string a byte stands for itself, so "\." and "\\." are the same.
 */
#include "regex/regex.h"

#include <string.h>

#include "ir/builtins.h"
#include "ir/walk.h"
#include "parse/parse.h"
#include "sema/pass.h"

/* A pattern as bytes; quoted: the byte stands for itself. */
struct pattern {
	VEC(char) text;
	VEC(bool) quoted;
	VEC(uint32_t) at; /* of each byte: where it begins in the text as written */
};

/*
 * From the text between the quotes of the script. at has one element more than text, for faults
 * at the end.
 */
static void read_pattern(struct arena *arena, const struct istr *written, struct pattern *ret)
{
	const char *at = written->text, *end = at + written->len;

	while (at < end) {
		uint32_t start = (uint32_t)(at - written->text);
		bool unknown;
		char c;

		/* where two strings were joined */
		if (*at == '"') {
			at++;
			continue;
		}
		c = parse_string_byte(&at, end, true, &unknown);
		vec_push(arena, &ret->text, c);
		vec_push(arena, &ret->quoted, unknown);
		vec_push(arena, &ret->at, start);
	}
	vec_push(arena, &ret->at, written->len);
}

/* From the byte at fault on, when the script has the pattern as one string. */
static struct span fault_span(struct sema *s, const struct ast_expr *match, uint32_t at)
{
	const struct istr *written = match->match.pattern;
	struct span span = match->match.pattern_span;
	const char *text;
	size_t len;

	text = source_map_text(diag_sink_map(s->sink), span, &len);
	if (len == written->len + 2 && !memcmp(text + 1, written->text, written->len))
		span.start += 1 + at;
	return span;
}

/* AT is the place of the fault in the text as written. */
static void report_fault(struct sema *s, const struct ast_expr *match,
			 const struct regex_fault *fault, uint32_t at)
{
	struct diagnostic *d =
		diag_report(s->sink, DIAG_REGEX, fault_span(s, match, at), fault->what, fault->at);

	sema_token(s, d, arena_printf(s->arena, "regex \"%s\"", match->match.pattern->text));
	if (fault->hint)
		diag_set_hint(s->sink, d, "%s", fault->hint);
}

/* Patterns of equal text are one. A mistake is reported, and again at each use of the text. */
struct ir_regex *sema_regex(struct sema *s, const struct ast_expr *match)
{
	struct ir_regex *regex = map_get(&s->regexes, match->match.pattern);
	struct pattern pattern = { 0 };
	struct regex_fault fault = { 0 };

	if (regex)
		return regex;
	read_pattern(s->arena, match->match.pattern, &pattern);
	regex = arena_new(s->arena, struct ir_regex);
	regex->text = match->match.pattern;
	regex->span = match->match.pattern_span;
	regex->pattern = regex_parse(s->arena, pattern.text.data, pattern.quoted.data,
				     pattern.text.n, &fault);
	if (!regex->pattern) {
		report_fault(s, match, &fault, pattern.at.data[fault.at]);
		return NULL;
	}
	map_put(&s->regexes, regex->text, regex);
	return regex;
}

/* ---- step regexes ---- */

/* Finds the patterns that are still in use, in the order of the program. */
struct collect {
	struct ir_walker walker;
	struct sema *s;
	struct map seen;
	bool asked; /* some function asks about matches */
};

/* Groups are kept only for patterns whose matches may be asked about. */
static void collect_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct collect *c = (struct collect *)w;
	struct ir_expr *e = *ref;
	struct ir_regex *regex;

	ir_expr_children(w, e);
	if (e->kind != IR_MATCH)
		return;
	regex = e->match.regex;
	if (!map_has(&c->seen, regex)) {
		map_put(&c->seen, regex, c);
		regex->index = (uint32_t)c->s->program->regexes.n;
		regex->kept = false;
		vec_push(c->s->arena, &c->s->program->regexes, regex);
	}
	regex->kept |= c->asked && !e->match.negated;
}

/*
 * Step regexes. Requires an optimised program; ensures program.regexes with index and kept of
 * each.
 */
void sema_regexes(struct sema *s)
{
	struct collect c = { .walker = { .expr = collect_expr }, .s = s };

	map_init(&c.seen, s->arena);
	vec_foreach(f, &s->program->functions)
		c.asked |= ir_needs_match(*f);
	vec_foreach(f, &s->program->functions)
		ir_walk_stmt(&c.walker, &(*f)->body);
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&c.walker, *p);
}
