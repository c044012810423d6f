/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From records to text: decides for each record what to print where. Text and formats go to the
 * output, errors and warnings to standard error after a flush of what was printed before them,
 * commands of system() to run.
 */
#ifndef SPILE_READER_RENDER_H
#define SPILE_READER_RENDER_H

#include "reader/bulk.h"
#include "reader/perf_map.h"
#include "reader/messages.h"
#include "reader/output.h"
#include "reader/tables.h"

/* Everything here is borrowed. run may be NULL: commands are then left out. */
struct render {
	const struct tables *tables;
	struct output *out;
	struct messages *messages;
	/* run a shell command of system(); the text is not NUL-terminated */
	void (*run)(void *cookie, const char *command, size_t len);
	void *cookie;
	unsigned long n_damaged; /* records that could not be decoded */
	struct bulk *bulk;       /* NULL, or where out, which is its text, goes */
	struct perf_maps *perf_maps;
};

/* Of type merge_fn; cookie is a struct render. The record's size was checked to lie in the ring. */
void render_record(void *cookie, const struct stp_rec *rec, int cpu);

#endif
