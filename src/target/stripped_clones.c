/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that a compiler changed are told from others by what it appended to their symbols, and
 * by nothing in their DWARF. Of a file that was stripped of its symbols the debug file has them.
 */
#include <stdlib.h>

#include "base/bisect.h"
#include "target/dwarf.h"
#include "target/internal.h"
#include "target/object.h"

struct clone {
	uint64_t addr;
	const char *suffix;
};

struct stripped_clones {
	struct arena *arena;
	VEC(struct clone) list; /* by address */
};

static void collect(void *arg, const char *name, uint64_t addr, uint64_t size)
{
	struct stripped_clones *c = arg;
	const char *suffix = symbol_clone_suffix(name);

	(void)size;
	if (*suffix)
		vec_push(c->arena, &c->list,
			 ((struct clone){ addr, arena_strdup(c->arena, suffix) }));
}

static int by_addr(const void *a, const void *b)
{
	const struct clone *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Made when first asked for. */
static struct stripped_clones *clones_of(struct target_object *o)
{
	struct stripped_clones *c = o->stripped_clones;
	struct image img;
	struct error *err;

	if (c)
		return c;
	c = o->stripped_clones = arena_new(o->target->arena, struct stripped_clones);
	*c = (struct stripped_clones){ .arena = o->target->arena };
	if (file_has_all_symbols(&o->image) || !o->debug_file)
		return c;
	err = image_open(o->debug_file, &img);
	if (!err) {
		file_each_function(&img, collect, c);
		image_close(&img);
		if (c->list.n)
			qsort(c->list.data, c->list.n, sizeof(*c->list.data), by_addr);
	}
	error_destroy(err);
	return c;
}

const char *object_stripped_suffix(struct target_object *o, uint64_t addr)
{
	const struct stripped_clones *c = clones_of(o);
	size_t low = bisect(i, c->list.n, c->list.data[i].addr <= addr);

	return low && c->list.data[low - 1].addr == addr ? c->list.data[low - 1].suffix : "";
}
