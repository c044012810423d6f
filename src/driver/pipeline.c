/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The passes in order, with their clocks and their messages. A pass that fails ends the run. */
#include "driver/pipeline.h"

#include <stdio.h>

#include "driver/passes.h"
#include "driver/session.h"
#include "driver/verbose.h"

/* The lines of passes 3 and 4 are the back end's. */
static void say3(struct session *s)
{
	passes_say_backend(s, 3);
}

static void say4(struct session *s)
{
	passes_say_backend(s, 4);
}

static void say5(struct session *s)
{
	fputs("Pass 5: run completed", stderr);
}

/* In order. All take and leave their results in the session. */
static const struct pass {
	/* false: it failed, and has reported why */
	bool (*run)(struct session *s);
	void (*say)(struct session *s); /* the -v line, without its times */
	const char *failed;             /* "parse failed" */
	bool memory;                    /* -v says how much is in use */
} passes[] = {
	{ pass1_run, pass1_say, "parse failed", true },
	{ pass2_run, pass2_say, "analysis failed", true },
	{ pass3_run, say3, "translation failed", true },
	{ pass4_run, say4, "compilation failed", false },
	{ pass5_run, say5, "run failed", false },
};

/* n counts from 1. What the pass has printed comes out before the message of its failure. */
static bool run_pass(struct session *s, int n)
{
	const struct pass *pass = &passes[n - 1];
	struct pass_clock clock;

	clock_start(&clock);
	if (n == 5 && s->options.verbose[5])
		fputs("Pass 5: starting run.\n", stderr);
	if (!pass->run(s)) {
		fflush(stdout);
		fprintf(stderr, "Pass %d: %s.  [man error::pass%d]\n", n, pass->failed, n);
		return false;
	}
	if (s->options.verbose[n]) {
		flockfile(
			stderr); /* one line, whatever the thread of a guest has to say meanwhile */
		pass->say(s);
		clock_print(&clock, pass->memory);
		funlockfile(stderr);
	}
	return true;
}

/* What could not be written to standard output is a failure too, though all passes succeeded. */
int pipeline_run(struct session *s)
{
	bool fine = true;

	for (int n = 1; n <= s->options.last_pass && fine; n++)
		fine = run_pass(s, n);
	if (fine)
		fine = session_flush_output();
	session_show_suppressed(s);
	return fine ? 0 : 1;
}
