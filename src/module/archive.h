/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thin archives: a list of object files as one file, for the linker. GNU ld looks at each file of
 * its command line as an archive of every format it knows, which costs more than to link it (0.75 M
 * instructions a file); what is in an archive it takes for what the archive's other files are.
 */
#ifndef SPILE_MODULE_ARCHIVE_H
#define SPILE_MODULE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* An absolute path in an archive ends at the line's end: whether PATH can be in one. */
bool archive_can_hold(const char *path);
/*
 * Write an archive of N files, absolute paths that it can hold, in this order. It has no index: it
 * is for --whole-archive. The format is GNU ar's, as ar(1) writes it with T and S.
 */
struct error *archive_write(const char *archive, const char *const *paths,
			    size_t n) ERROR_MUST_CHECK;

#endif
