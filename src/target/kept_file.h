/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making a file of the cache from debug information: beside its place, sealed and renamed, so that
 * no other process sees half of it. The temporary file is removed when Spile is interrupted
 * (base/cleanup.h).
 */
#ifndef SPILE_TARGET_KEPT_FILE_H
#define SPILE_TARGET_KEPT_FILE_H

#include "base/error.h"

/* Writes the file OUT. */
typedef struct error *kept_file_maker(void *arg, const char *out);

/*
 * FILE's folder is created when it is missing. On failure nothing is kept. FROM: the debug
 * information, for errors.
 */
struct error *kept_file_make(const char *file, const char *from, kept_file_maker *make,
			     void *arg) ERROR_MUST_CHECK;
/*
 * The same with the maker in a child process: a damaged file may bring a reader of debug
 * information down, and the memory it takes is given back with the child.
 */
struct error *kept_file_make_apart(const char *file, const char *from, kept_file_maker *make,
				   void *arg) ERROR_MUST_CHECK;

#endif
