/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 2: analysis, and its output for -p2 and --dump-after. The input of sema is put together
 * here, from options and session; sema itself sees neither.
 */
#include <stdio.h>
#include <string.h>

#include "backend/limits.h"
#include "driver/keep_going.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "driver/verbose.h"
#include "ir/dump.h"

/* The limit that shapes the program, not what runs it. */
static const struct limit_row limits[] = {
	{ "MAXMAPENTRIES", 0, sizeof(uint32_t), 1, 0x7fffffff, 2048 },
	{ 0 },
};

bool pass_elaborate_input(struct session *s, struct sema_input *ret)
{
	uint32_t max_map_entries;
	struct error *err = limits_read(limits, s->options.defines.data, s->options.defines.n,
					&max_map_entries);

	if (err) {
		session_show_error(err);
		return false;
	}
	session_need_target(s);
	*ret = (struct sema_input){
		.arena = s->arena, .in = s->in, .sink = s->sink, .library = s->library, .files = s->files.data,
		.n_files = s->files.n, .catalog = &probe_catalog, .env = &s->probe_env,
		.options = {
			.guru = s->options.guru, .unoptimised = s->options.unoptimised,
			.skip_badvars = s->options.skip_badvars,
			.sum_must_be_fed = strverscmp(s->parse_env.compatible, "1.5") < 0,
			.wide_pointers = strverscmp(s->parse_env.compatible, "1.3") < 0,
			.no_global_display = s->options.no_global_display,
			.max_map_entries = max_map_entries, .set_globals = s->options.set_globals.data,
			.n_set = s->options.set_globals.n, .verbose = s->options.verbose[2],
		},
	};
	return true;
}

/* --dump-after=STEP */
static void dump_step(void *arg, const char *step, const struct ir_program *program)
{
	struct session *s = arg;
	struct strbuf text;

	if (strcmp(step, s->options.dump_after))
		return;
	strbuf_init(&text);
	ir_dump(program, 1, &text);
	fprintf(stderr, "# after %s\n%s", step, strbuf_cstr(&text));
	strbuf_deinit(&text);
}

/* -p2's text goes to standard output, --dump-after's to standard error. */
bool pass2_run(struct session *s)
{
	struct sema_input input;
	struct error *err = session_open_job(s); /* its options are looked at before any work */
	struct strbuf text;
	bool fine;

	if (err) {
		session_show_error(err);
		return false;
	}
	if (!pass_elaborate_input(s, &input))
		return false;
	if (s->options.dump_after) {
		input.after_step = dump_step;
		input.after_arg = s;
	}
	s->program = sema_analyse(&input);
	s->job.program = s->program;
	if (s->program)
		err = s->backend->check(&s->job);
	fine = session_show_diagnostics(s) && s->program && !err;
	if (err)
		session_show_error(err);
	if (!fine && s->options.keep_going)
		keep_going_print(s->sink, stderr);
	if (!fine)
		return false;
	if (s->options.last_pass > 2) {
		err = s->backend->gather(&s->job, &fine);
		if (err)
			session_show_error(err);
		return fine && !err;
	}
	strbuf_init(&text);
	ir_dump(s->program, s->options.verbose[2], &text);
	fwrite(strbuf_cstr(&text), 1, text.len, stdout);
	strbuf_deinit(&text);
	return true;
}

/*
 * The line of -v. Probes are counted as points: what will be attached. Those that keep values of
 * entries are told apart from the script's, and the array of these values is no global of it.
 */
void pass2_say(struct session *s)
{
	const struct ir_program *p = s->program;
	size_t probes = 0, entries = 0, globals = p->globals.n - !!p->entry_values;

	vec_foreach(probe, &p->probes)
		*((*probe)->kept_for ? &entries : &probes) += (*probe)->points.n;
	fprintf(stderr,
		"Pass 2: analyzed script: %zu probe%s, %zu function%s, %zu embed%s, %zu global%s",
		probes, plural(probes), p->functions.n, plural(p->functions.n), p->embedded.n,
		plural(p->embedded.n), globals, plural(globals));
	if (entries)
		fprintf(stderr, ", %zu entr%s kept", entries, entries == 1 ? "y" : "ies");
}
