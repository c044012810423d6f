/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The members of the runtime that a script needs: found by its undefined symbols, and by those of
 * the members themselves; compiled when the kernel's base has not got them yet. Beside base.o
 * stand, for the member map/map.c,
 *
 *   members/map_map.o         after objtool, with its version table
 *   members/map_map.provided  the exports that table has
 *   members/map_map.failed    instead of both: what the compiler said. It is not tried again
 *
 * the first two with their seals.
 */
#ifndef SPILE_MODULE_MEMBER_H
#define SPILE_MODULE_MEMBER_H

#include "base/vec.h"
#include "module/base.h"
#include "module/object.h"

/* One member that a script needs. */
struct member {
	const struct unit *unit;
	const char *path;     /* of its object */
	const char *asked_by; /* the symbol that first asked for it */
	struct object object; /* when open */
	bool open;
};
/*
 * The members found, in the order in which they were asked for. Their objects are mappings while
 * open; paths stay for the linker.
 */
struct members {
	struct arena *arena;
	struct strbuf provided; /* what base.o and these have versions for, as base->provided */
	VEC(struct member) list;
};

/*
 * The members that n objects need. Compiles on all cores. Of members that do not compile on this
 * kernel the error names the first, what the script wants it for, and the compiler's first line. On
 * failure ret holds nothing.
 */
struct error *members_find(struct module_base *base, const struct object *objects, unsigned n,
			   struct arena *arena, struct members *ret) ERROR_MUST_CHECK;
/* Unmaps the objects and frees provided; the list with its paths stays. */
void members_close(struct members *members);

#endif
