/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turn collected diagnostics into the text that the reference shows, colours included. The text is
 * appended to a buffer of the caller's, who prints it. Nothing here changes the sink: rendering
 * twice gives the same text.
 */
#ifndef SPILE_DIAG_RENDER_H
#define SPILE_DIAG_RENDER_H

#include <stdbool.h>

#include "diag/diag.h"

struct strbuf;

/* What the command line and the terminal ask for; read during the call only. */
struct diag_style {
	bool color;
	bool no_warnings;   /* -w */
	int verbose;        /* 0: repeated diagnostics of one source are suppressed and counted */
	const char *colors; /* SYSTEMTAP_COLORS, or NULL for the default */
};

/*
 * The diagnostics from FIRST on; repetitions (same tag and position, or same text) are left out
 * unless verbose.
 */
void diag_render(const struct diag_sink *sink, size_t first, const struct diag_style *style,
		 struct strbuf *out);

/* "N parse errors." when there are any: goes right after the rendered diagnostics of pass 1. */
void diag_render_parse_count(const struct diag_sink *sink, struct strbuf *out);
/*
 * What diag_render left out, to print last of all ("Number of similar error messages suppressed:
 * ..."), or nothing.
 */
void diag_render_suppressed(const struct diag_sink *sink, size_t first,
			    const struct diag_style *style, struct strbuf *out);

#endif
