/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calling conventions: where parameters are at the entry of a function and its result at the
 * return, from their types alone. Rows of machine/ say what differs between machines. Locations are
 * made in the arena given.
 */
#ifndef SPILE_TARGET_CONVENTION_H
#define SPILE_TARGET_CONVENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "target/location.h"

struct arena;
struct machine;
struct target;
struct target_type;

/* A variable and where its value is at one pc. name: "" for a parameter without one. */
struct variable {
	const char *name;
	const struct target_type *type;
	struct location location;
	bool is_param;
	bool is_unlisted; /* there for who asks for it by name */
};
/* A list in the target's arena. */
struct variables {
	struct variable *data;
	size_t n, cap;
};

/* Values in values that the conventions follow: more is not what a compiler made. */
#define CONVENTION_DEPTH_MAX 64
/*
 * Parts of a value that are looked at for one question: damaged information may have the same types
 * within each other again and again.
 */
#define CONVENTION_PARTS_MAX 4096
/*
 * The calling convention: sets the location of each of PARAMS, in the order of the declaration, at
 * the entry of a function with this result. Types must be known; nothing else of PARAMS is read.
 */
void convention_locate_parameters(const struct machine *machine, struct arena *arena,
				  const struct target_type *result, struct variable *params,
				  size_t n);
/*
 * The same of a function that keeps to Microsoft's convention; the machine must have its registers.
 */
void convention_locate_microsoft(const struct machine *machine, struct arena *arena,
				 const struct target_type *result, struct variable *params,
				 size_t n);
/* Is it left in memory whose address the caller gives? */
bool convention_result_in_memory(const struct machine *machine, const struct target_type *result);
/* Where a result that is not void is at the return; NONE when no register leads to it any more. */
struct location convention_locate_result(const struct machine *machine, struct arena *arena,
					 const struct target_type *result);

/*
 * The same of a Rust function, of a closure if it CAPTURES; NONE where no convention is certain.
 * (rust_convention.c)
 */
void convention_locate_rust(const struct machine *machine, struct arena *arena,
			    const struct target_type *result, bool captures,
			    struct variables *params);
struct location convention_locate_rust_result(const struct machine *machine, struct arena *arena,
					      const struct target_type *result);

/*
 * The same of a Go function by the convention of registers: parameters at its entry, behind the
 * look at the stack too, and results where it is left. (go_convention.c)
 */
void convention_locate_go(struct target *t, struct arena *arena, struct variables *params,
			  struct variables *results);

#endif
