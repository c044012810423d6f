/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes 3 to 5, which are the back end's: each calls one of its functions and shows what went
 * wrong. No pass here knows which back end it is.
 */
#include <stdio.h>

#include "driver/passes.h"
#include "driver/session.h"

/* True for no error; else it is shown, and destroyed. */
static bool shown(struct error *err)
{
	if (err)
		session_show_error(err);
	return !err;
}

bool pass3_run(struct session *s)
{
	if (!shown(s->backend->lower(&s->job)))
		return false;
	if (s->options.last_pass == 3)
		s->backend->show(&s->job, stdout);
	return true;
}

/* What the back end reported to the sink is what it failed of; else ERR is shown. */
static bool build_failed(struct session *s, struct error *err)
{
	if (!diag_error_count(s->sink))
		return shown(err);
	session_show_diagnostics(s);
	error_destroy(err);
	return false;
}

/*
 * The back end may have the temporary directory kept, when what was built can be left nowhere
 * else.
 */
bool pass4_run(struct session *s)
{
	struct error *err = s->backend->build(&s->job);

	s->options.keep |= s->job.options.keep;
	return err ? build_failed(s, err) : true;
}

bool pass5_run(struct session *s)
{
	bool ok = false;
	struct error *err = s->backend->run(&s->job, &ok);

	s->ran = true;
	return shown(err) && ok;
}

void passes_say_backend(struct session *s, int pass)
{
	fprintf(stderr, "Pass %d: %s", pass, s->backend->said(&s->job, pass));
}
