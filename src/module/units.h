/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtime/runtime.list: the units of the runtime, and which of them defines what. Everything is in
 * the arena given.
 */
#ifndef SPILE_MODULE_UNITS_H
#define SPILE_MODULE_UNITS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "module/tool.h"

/* One row of runtime.list. */
struct unit {
	const char *source; /* relative to the runtime */
	const char *stem;   /* the same as a file name: "map_map" */
	const char *what;   /* what a member gives to scripts; NULL: core */
	const char *config; /* the kernel's option it needs, without CONFIG_; or NULL */
};
/* The whole list, in the file's order: the order of linking. */
struct units {
	struct arena *arena;
	VEC(struct unit) list;
};

/* The list as it stands in the file; an unreadable, malformed or empty one is an error. */
struct error *units_read(const char *runtime_dir, struct arena *arena,
			 struct units *ret) ERROR_MUST_CHECK;

/*
 * A line "NAME NUMBER" for each global name stp_* that a member defines, sorted by name as
 * strcmp(3) does; NUMBER is its place in the list. A name that two members define is an error.
 */
struct error *units_index(const struct units *units, const char *runtime_dir,
			  struct strbuf *ret) ERROR_MUST_CHECK;
/* The member that defines NAME by such an index of LEN bytes, or NULL. */
const struct unit *units_find(const struct units *units, const char *index, size_t len,
			      const char *name);

/*
 * Calls each for every global name stp_* defined in a C text. A macro call at file scope defines
 * the names among its arguments; what a macro makes up of other words is not seen.
 */
void units_scan(const char *text, void (*each)(void *arg, const char *name, size_t len), void *arg);

/*
 * Adds to ARGV the command line that compiles a unit, without file and -o. dir has the
 * precompiled header and stp_features.h.
 */
void units_command(struct argv *argv, const char *const *kernel_flags, const char *runtime_dir,
		   const char *dir);

#endif
