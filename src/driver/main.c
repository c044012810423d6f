/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap: reads the command line, then lists or runs the passes. The exit status is 0 or 1, or a
 * signal's, see base/cleanup.h.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "driver/backends.h"
#include "driver/list.h"
#include "driver/pipeline.h"
#include "driver/session.h"

/* For cleanup_guard(): a run that never came to be says why. */
static void tell_signal(void *cookie, int sig)
{
	const struct session *s = cookie;

	if (s->options.last_pass == 5 && !s->options.list && !s->ran)
		dprintf(STDERR_FILENO, "ERROR: The session was ended by SIG%s before it ran.\n",
			sigabbrev_np(sig));
}

int main(int argc, char **argv)
{
	struct session s = {
		.arena = arena_create(),
	};
	struct error *err;
	int status;

	switch (options_parse(s.arena, argc, argv, &s.options)) {
	case OPTIONS_DONE:
		arena_destroy(s.arena);
		return session_flush_output() ? 0 : 1;
	case OPTIONS_FAILED:
		arena_destroy(s.arena);
		return 1;
	case OPTIONS_RUN:
		break;
	}
	s.backend = backends_find(s.options.runtime);
	cleanup_guard(tell_signal, &s);
	err = session_open(&s);
	if (err) {
		session_show_error(err);
		arena_destroy(s.arena);
		return 1;
	}
	if (s.options.clean_cache) {
		err = session_clean_cache(&s);
		status = err ? 1 : 0;
		if (err)
			session_show_error(err);
	} else {
		status = s.options.list ? list_run(&s) : pipeline_run(&s);
	}
	session_close(&s);
	arena_destroy(s.arena);
	return status;
}
