/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.type(T).config(C): performance events, by the numbers of the kernel's perf_event_attr, on
 * every processor. The handler runs every so many of them, or so many times a second; with
 * .process, when that finds a process at work that is meant. With .counter no handler runs: what
 * threads cause is counted, for @perf.
 */
#include "base/glob.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"

#define DEFAULT_SAMPLE 1000000
#define MAX_RATE 100000 /* times a second; the kernel's own limit is at most as high */

/*
 * The event, as POINT has it, appended as a counter or for handlers of this kind; NULL: a number is
 * refused.
 */
static struct probe_point *add(struct probe_env *env, const struct ast_point *point,
			       const struct ir_probe_kind *kind, const char *pp,
			       struct probe_points *ret)
{
	const struct ast_component *counter = point_find(point, "counter");
	long long type, config, sample, rate;
	struct probe_point *p;

	if (!point_number(env, point, "type", 0, UINT32_MAX, 0, &type) ||
	    !point_number(env, point, "config", INT64_MIN, INT64_MAX, 0, &config) ||
	    !point_number(env, point, "sample", 1, INT64_MAX, DEFAULT_SAMPLE, &sample) ||
	    !point_number(env, point, "hz", 1, MAX_RATE, 0, &rate))
		return NULL;
	p = point_add(env, ret, point, counter ? &ir_kind_perf_counter : kind, pp);
	p->row.optional = point->optional;
	p->row.attach.perf.type = (uint32_t)type;
	p->row.attach.perf.config = (uint64_t)config;
	p->row.attach.perf.sample = (uint64_t)(rate ? rate : sample);
	p->row.attach.perf.by_rate = rate != 0;
	p->row.attach.perf.counter = counter ? component_string(counter) : NULL;
	return p;
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	return add(env, point, &ir_kind_perf, point_text(env, point), ret) != NULL;
}

/* "perf.type(1).config(0).process(\"/usr/bin/ls\")" */
static const char *process_text(struct probe_env *env, const struct ast_point *point,
				const char *file)
{
	static const char *const numbers[] = { "type", "config", "sample", "hz" };
	const char *text = "perf";

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct ast_component *c = point_find(point, numbers[i]);

		if (c)
			text = arena_printf(env->arena, "%s.%s(%lld)", text, numbers[i],
					    (long long)component_number(c));
	}
	text = arena_printf(env->arena, "%s.process(\"%s\")", text, file);
	return point_find(point, "counter")
		       ? arena_printf(env->arena, "%s.counter(\"%s\")", text,
				      component_string(point_find(point, "counter")))
		       : text;
}

/*
 * The programs meant: those of the name, or that of -c or -x. false: there is none, and it was
 * reported.
 */
static bool find_files(struct probe_env *env, const struct ast_point *point, const char *name,
		       struct process_files *ret, const char **why)
{
	const char *file;

	if (name) {
		process_find_files(env, name, ret, why);
		return true;
	}
	if (!env->command && !env->target_pid) {
		diag_report(env->sink, DIAG_PROCESS_UNSPECIFIED, point->span);
		return false;
	}
	file = process_target_file(env, why);
	if (file)
		vec_push(env->arena, ret, file);
	return true;
}

static bool derive_process(struct probe_env *env, const struct ast_point *point,
			   const struct probe_pattern *pattern, struct probe_points *ret,
			   const char **why)
{
	const struct ast_component *process = point_find(point, "process");
	const char *name = process->param ? component_string(process) : NULL;
	struct process_files files = { 0 };

	if (!find_files(env, point, name, &files, why))
		return false;
	vec_foreach(file, &files) {
		struct probe_point *p = add(env, point, &ir_kind_perf_process,
					    process_text(env, point, *file), ret);

		if (!p)
			return false;
		p->row.scope = process_scope(env, *file, 0);
		/* what a pattern has found may be refused: others were found with it */
		p->row.wild = name && is_glob(name);
		p->row.optional |= p->row.wild;
	}
	return true;
}

/* How samples are chosen is nothing to a counter, but may be said. */
#define EVENT(samples)                                                                             \
	{ "perf.type(number).config(number)" samples, derive },                                    \
		{ "perf.type(number).config(number)" samples ".counter(string)", derive },         \
		{ "perf.type(number).config(number)" samples ".process", derive_process },         \
		{ "perf.type(number).config(number)" samples ".process.counter(string)",           \
		  derive_process },                                                                \
		{ "perf.type(number).config(number)" samples ".process(string)", derive_process }, \
	{                                                                                          \
		"perf.type(number).config(number)" samples ".process(string).counter(string)",     \
			derive_process                                                             \
	}

static const struct probe_pattern patterns[] = {
	EVENT(""),
	EVENT(".sample(number)"),
	EVENT(".hz(number)"),
	{ 0 },
};

const struct probe_family probe_family_perf = { "perf", patterns };
