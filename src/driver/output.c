/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes 3 to 5, which are the back end's: each calls one of its functions and shows what went
 * wrong. No pass here knows which back end it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	struct strbuf text;

	if (!shown(s->backend->lower(&s->job)))
		return false;
	if (s->options.last_pass > 3)
		return true;
	strbuf_init(&text);
	s->backend->show(&s->job, &text);
	fwrite(strbuf_cstr(&text), 1, text.len, stdout);
	strbuf_deinit(&text);
	return true;
}

/*
 * One line of a C compiler, "FILE:LINE:COLUMN: error: TEXT", where FILE is one of the script's.
 * False for other lines.
 */
static bool report_compiler_line(struct session *s, const char *line, size_t len)
{
	static const char mark[] = ": error: ";
	const char *text = memmem(line, len, mark, strlen(mark)), *colon[2], *end;
	struct span at = { 0 };

	end = text;
	for (int i = 0; text && i < 2; i++) {
		colon[i] = memrchr(line, ':', (size_t)(end - line));
		if (!colon[i])
			return false;
		end = colon[i];
	}
	if (text)
		at.start =
			source_map_offset(diag_sink_map(s->sink), line, (size_t)(colon[1] - line),
					  (unsigned)strtoul(colon[1] + 1, NULL, 10),
					  (unsigned)strtoul(colon[0] + 1, NULL, 10));
	if (!at.start)
		return false;
	at.end = at.start + 1;
	text += strlen(mark);
	diag_set_token(s->sink,
		       diag_report(s->sink, DIAG_EMBEDDED_C, at,
				   arena_strndup(s->arena, text, (size_t)(line + len - text))),
		       "embedded-code");
	return true;
}

/* What a compiler said of the script's own C, as diagnostics. Else, or of other C, ERR is shown. */
static bool build_failed(struct session *s, struct error *err)
{
	bool any = false;

	for (const char *line = err->text, *end; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		any |= report_compiler_line(s, line, (size_t)(end - line));
	}
	if (!any)
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
