/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module says about its script (the `script` file, struct stp_script_info): formats,
 * histogram shapes, probe names. Everything is checked once here, so users of the tables need no
 * checks. The tables point into the blob.
 */
#ifndef SPILE_READER_TABLES_H
#define SPILE_READER_TABLES_H

#include <stddef.h>

#include "base/error.h"
#include "runtime/uapi/wire.h"

/*
 * All pointers but formats lead into the blob. Offsets in it were checked to stay inside, so
 * tables_text() of any of them is a NUL-terminated text.
 */
struct tables {
	char *blob; /* owned, NUL-terminated */
	const struct stp_script_info *info;
	const char **formats; /* owned array of n_formats */
	const struct stp_hist_shape *hists;
	const struct stp_probe_info *probes;
	const stp_u32 *points; /* n_points offsets of pp() */
	const stp_u32 *locks;  /* n_locks offsets of names */
};

/* Takes the blob over (malloc'd, one NUL behind len), also on failure. */
struct error *tables_init(struct tables *t, char *blob, size_t len) ERROR_MUST_CHECK;
/* Frees blob and formats; harmless on a zeroed one. */
void tables_deinit(struct tables *t);
/* The text at an offset that the tables hold. */
static inline const char *tables_text(const struct tables *t, stp_u32 off)
{
	return t->blob + off;
}

#endif
