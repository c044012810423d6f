/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turn collected diagnostics into the text of cli.md section 4, colours included. The caller prints the buffer. */
#ifndef SPILE_DIAG_RENDER_H
#define SPILE_DIAG_RENDER_H

#include <stdbool.h>

#include "diag/diag.h"

struct strbuf;

struct diag_style {
	bool color;
	bool no_warnings; /* -w */
	int verbose;	  /* 0: repeated diagnostics of one source are suppressed and counted */
	const char *colors; /* SYSTEMTAP_COLORS, or NULL for the default */
};

void diag_render(const struct diag_sink *sink, size_t first, const struct diag_style *style, struct strbuf *out);

#endif
