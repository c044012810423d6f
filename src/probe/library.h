/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared libraries that a program is linked with, of this machine. */
#ifndef SPILE_PROBE_LIBRARY_H
#define SPILE_PROBE_LIBRARY_H

#include "probe/process.h"

/*
 * Appends the files of the libraries that PROGRAM needs, directly or through others, and whose name
 * (libc.so.6) the glob NAME matches. None: *why says so, " (...)" for the message.
 */
void library_find(struct probe_env *env, const struct target_object *program, const char *name,
		  struct process_files *ret, const char **why);

/*
 * Where the system has libraries for MACHINE, with colons between, in the arena: the directories
 * that Debian's ld.so.conf names, and those of ld.so itself. MACHINE NULL: the latter.
 */
const char *library_directories(struct arena *arena, const struct machine *machine);
/*
 * The first file of that name for MACHINE in those of the probed system, in the arena; NULL: there
 * is none.
 */
const char *library_in_system(struct probe_env *env, const struct machine *machine,
			      const char *name);

/*
 * The C library whose errno the process has that hits POINT: a file, the program itself when it is
 * static. NULL: *why says why there is none, ": ..." for the message.
 */
const struct target_object *c_library_of(struct probe_env *env, const struct probe_point *point,
					 const char **why);

#endif
