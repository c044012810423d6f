/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information from the servers that DEBUGINFOD_URLS lists, by elfutils' client. The library
 * is opened when the first file is asked for, since it brings a client of HTTP and a dozen
 * libraries with it; without the variable it is not, and nothing is asked of the network. What was
 * fetched is kept by the library, in its own cache.
 */
#ifndef SPILE_TARGET_DEBUGINFOD_H
#define SPILE_TARGET_DEBUGINFOD_H

#include "target/internal.h"
#include "target/object.h"

/*
 * The file with debug information of O, which has a build-id, in the target's arena; NULL: no
 * server has it, or none can be asked, which is told as progress.
 */
const char *debuginfod_find(struct target_object *o);
/* Tells, as progress, that the file at PATH, which debuginfod_find() gave for O, is another's. */
void debuginfod_refuse(struct target_object *o, const char *path);

#endif
