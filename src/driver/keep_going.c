/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Semantic errors for programs: a fixed form, a line each, whatever colours and wording the
 * messages for people have.
 */
#include "driver/keep_going.h"

#include <string.h>

#include "diag/diag.h"

/* Tabs and newlines separate fields and lines here. */
static void put(const char *text, size_t len, FILE *to)
{
	for (size_t i = 0; i < len; i++)
		fputc(text[i] == '\t' || text[i] == '\n' ? ' ' : text[i], to);
}

void keep_going_print(const struct diag_sink *sink, FILE *to)
{
	fprintf(to, "SEMANTIC_ERRORS: %zu\n", diag_count_of(sink, DIAG_SEMANTIC_ERROR));
	for (size_t i = 0; i < diag_count(sink); i++) {
		const struct diagnostic *d = diag_get(sink, i);
		struct source_position at = { .file = "" };
		const char *token = "";
		size_t len = 0;

		if (d->severity != DIAG_SEMANTIC_ERROR)
			continue;
		if (d->span.start) {
			source_map_locate(diag_sink_map(sink), d->span.start, &at);
			token = source_map_text(diag_sink_map(sink), d->span, &len);
		}
		fputs("SEMANTIC_ERROR\t", to);
		put(at.file, strlen(at.file), to);
		fprintf(to, "\t%u\t%u\t", at.line, at.column);
		put(token, len, to);
		fputc('\t', to);
		put(d->text, strlen(d->text), to);
		fputc('\n', to);
	}
	fputs("SEMANTIC_ERRORS_END\n", to);
}
