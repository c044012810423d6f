/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call frame information (DWARF 5, 6.4) as rules of a word each (runtime/uapi/user_table.h).
 *
 * Most programs have theirs in .eh_frame, stripped or not. Where that does not tell of a function
 * (a program built without it) .debug_frame does, of the file itself or of its debug file.
 * Functions are found by the table that the linker makes of them for the program's own unwinder
 * (.eh_frame_hdr; LSB Core 5.0, 10.6.2), or where it made none, as in static programs, and in
 * .debug_frame, by the entries themselves; libdw executes them. What has none, or what no rule can
 * say, is left to frame pointers.
 */
#ifndef SPILE_TARGET_FRAME_RULES_H
#define SPILE_TARGET_FRAME_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct frame_source;
struct image;
struct machine;
struct target_object;

/* Addresses are linked ones less a base. Ascending. */
struct frame_rules {
	VEC(uint32_t) starts; /* of functions */
	VEC(uint32_t) addrs;  /* from where on a rule holds */
	VEC(uint32_t) rules;  /* STP_RULE_* */
};

/* An address less BASE in 32 bits; false: it lies elsewhere. */
bool frame_rules_relative(uint64_t base, uint64_t addr, uint32_t *ret);
/* Where the functions of .eh_frame begin, and their sizes, in the order of the section. */
void frame_rules_each_function(const struct image *img,
			       void (*each)(void *arg, uint64_t addr, uint64_t size), void *arg);
/*
 * The debug file whose .debug_frame adds to what O itself has; NULL: there is none. Servers are not
 * asked.
 */
const char *frame_rules_debug_file(struct target_object *o);
/* Those of O, a loaded file; DEBUG_FILE: as above. The arena is the target's. */
void frame_rules_find(const struct target_object *o, const char *debug_file, uint64_t base,
		      struct frame_rules *ret);

/* Its call frame information as it is asked of one place; NULL: it has none. */
struct frame_source *frame_source_open(const struct image *img);
void frame_source_close(struct frame_source *s);
/*
 * Is the stack pointer known not to be at ADDR what it is at entries of functions? A jump there
 * stays within its function.
 */
bool frame_source_is_within(const struct frame_source *s, const struct machine *m, uint64_t addr);

#endif
