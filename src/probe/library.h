/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared libraries that a program is linked with, of this machine. */
#ifndef SPILE_PROBE_LIBRARY_H
#define SPILE_PROBE_LIBRARY_H

#include "probe/process.h"

/*
 * Appends the files of the libraries that PROGRAM needs, directly or through others, and whose name (libc.so.6) the
 * glob NAME matches. None: *why says so, " (...)" for the message.
 */
void library_find(struct probe_env *env, const struct target_object *program, const char *name,
		  struct process_files *ret, const char **why);

#endif
