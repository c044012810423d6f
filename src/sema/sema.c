/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of pass 2, in order. close and expand make no program yet; from bind on, the
 * program is verified after every step, and the pass stops at the first step that reported an
 * error.
 */
#include "sema/expand.h"
#include "sema/mistakes.h"
#include "sema/sema.h"

#include <stdio.h>
#include <stdlib.h>

#include "ir/dump.h"
#include "ir/facts.h"
#include "sema/pass.h"
#include "target/target.h"

struct diagnostic *sema_token(struct sema *s, struct diagnostic *d, const char *token)
{
	if (token)
		diag_set_token(s->sink, d, "%s", token);
	return d;
}

const char *sema_name_token(struct sema *s, const struct istr *name)
{
	return arena_printf(s->arena, "identifier '%s'", name->text);
}

struct diagnostic *sema_identifier(struct sema *s, struct diagnostic *d, const struct istr *name)
{
	return sema_token(s, d, sema_name_token(s, name));
}

const char *sema_place(struct sema *s, struct span span)
{
	struct source_position at;

	if (!source_map_locate(diag_sink_map(s->sink), span.start, &at))
		return "<unknown>";
	return arena_printf(s->arena, "%s:%u:%u", at.file, at.line, at.column);
}

bool sema_is_user(const struct sema *s, struct span span)
{
	return span.start && !source_map_is_library(diag_sink_map(s->sink), span.start);
}

/* Names of files are the map's own: two files of one name have two. */
bool sema_may_offer(const struct sema *s, const struct ir_global *g, struct span from)
{
	struct source_position here = { 0 }, there = { 0 };

	if (!g->user_script || !g->is_private)
		return g->user_script;
	source_map_locate(diag_sink_map(s->sink), from.start, &here);
	source_map_locate(diag_sink_map(s->sink), g->span.start, &there);
	return here.file == there.file;
}

void sema_init(struct sema *s, const struct sema_input *input)
{
	*s = (struct sema){
		.input = input, .arena = input->arena, .in = input->in, .sink = input->sink
	};
	s->program = arena_new(s->arena, struct ir_program);
	map_init(&s->names, s->arena);
	map_init(&s->globals, s->arena);
	map_init(&s->privates, s->arena);
	map_init(&s->files, s->arena);
	map_init(&s->missing, s->arena);
	map_init(&s->aliases, s->arena);
	map_init(&s->unique_names, s->arena);
	map_init(&s->prints, s->arena);
	map_init(&s->types_wanted, s->arena);
	map_init(&s->elided, s->arena);
	map_init(&s->regexes, s->arena);
	map_init(&s->captured, s->arena);
	map_init(&s->mistakes, s->arena);
}

/* The last step: nothing may change the program behind it. */
static void find_facts(struct sema *s)
{
	ir_find_facts(s->program, s->arena);
}

/* A step from autocast on; the program is in S. */
struct step {
	const char *name;
	void (*run)(struct sema *s);
};

static const struct step steps[] = {
	{ "autocast", sema_autocast },     { "elide", sema_elide },
	{ "infer", sema_infer },           { "check", sema_check },
	{ "display", sema_display },       { "optimise", sema_optimise },
	{ "unresolved", sema_unresolved }, { "formats", sema_formats },
	{ "merge", sema_merge },           { "varying", sema_varying },
	{ "entries", sema_entries },       { "counters", sema_counters },
	{ "words", sema_words },           { "finish", sema_finish },
	{ "regexes", sema_regexes },       { "facts", find_facts },
};
#define N_STEPS (sizeof(steps) / sizeof(steps[0]))
#define FIRST_STEP "bind" /* it makes the program */

const char *sema_step_name(size_t i)
{
	if (i == 0)
		return FIRST_STEP;
	return i <= N_STEPS ? steps[i - 1].name : NULL;
}

/*
 * The program is verified after every step: what is wrong in it would be wrong in the kernel. With
 * mistakes in it that are held, it is not whole before step elide.
 */
static bool step_done(struct sema *s, const char *name)
{
	const char *wrong;

	if (diag_error_count(s->sink)) {
		sema_release_all(s);
		return false;
	}
	/* known from the first question about the kernel on */
	if (s->input->env && s->input->env->target)
		s->program->machine = target_machine(s->input->env->target);
	wrong = s->mistakes.n ? NULL : ir_verify(s->program, s->arena);
	if (wrong) {
		fprintf(stderr, "internal error: after step %s: %s\n", name, wrong);
		abort();
	}
	if (s->input->after_step)
		s->input->after_step(s->input->after_arg, name, s->program);
	return true;
}

struct ir_program *sema_analyse(const struct sema_input *input)
{
	struct sema_expansions expansions = { 0 };
	struct sema s;

	sema_init(&s, input);
	sema_close(&s);
	sema_expand(&s, &expansions);
	sema_bind(&s, &expansions);
	if (!step_done(&s, FIRST_STEP))
		return NULL;
	for (size_t i = 0; i < N_STEPS; i++) {
		steps[i].run(&s);
		if (!step_done(&s, steps[i].name))
			return NULL;
	}
	return s.program;
}
