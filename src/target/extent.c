/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From where to where the functions of a file go. Debug information says it, then symbols, those of
 * MiniDebugInfo too; a function that has neither is told by the entry that unwinders have for it in
 * .eh_frame, which strip leaves. Entries count only where no symbol does: one may be for several
 * functions in assembly. Those of the linker's own stubs are none.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "target/dwarf.h"
#include "target/frame_rules.h"
#include "target/image.h"
#include "target/index.h"
#include "target/objects.h"

/* From addr to before end. */
struct extent {
	uint64_t addr, end;
};

/* Ascending. */
struct extent_list {
	struct extent *data;
	size_t n, cap;
};

struct extents {
	struct arena *arena;
	const struct image *image;
	struct extent_list symbols, frames;
	bool has_frames; /* they have been looked for */
};

static int extent_cmp(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1)
				  : (x->end > y->end) - (x->end < y->end);
}

static void sort(struct extent_list *list)
{
	if (list->n)
		qsort(list->data, list->n, sizeof(*list->data), extent_cmp);
}

static void collect_symbol(void *arg, const char *name, uint64_t addr, uint64_t size)
{
	struct extents *e = arg;

	(void)name;
	vec_push(e->arena, &e->symbols, ((struct extent){ addr, addr + size }));
}

static bool is_stub(const struct image *img, uint64_t addr)
{
	static const char *const names[] = { ".plt", ".plt.sec", ".plt.got" };
	struct image_section s;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (image_section(img, names[i], &s) && addr >= s.addr && addr - s.addr < s.size)
			return true;
	return false;
}

static void collect_frame(void *arg, uint64_t addr, uint64_t size)
{
	struct extents *e = arg;

	if (image_at(e->image, addr, size) && !is_stub(e->image, addr))
		vec_push(e->arena, &e->frames, ((struct extent){ addr, addr + size }));
}

/* Made when first asked for. */
static struct extents *extents_of(struct target_object *o)
{
	if (o->extents)
		return o->extents;
	o->extents = arena_new(o->target->arena, struct extents);
	*o->extents = (struct extents){ .arena = o->target->arena, .image = &o->image };
	file_each_function(&o->image, collect_symbol, o->extents);
	sort(&o->extents->symbols);
	return o->extents;
}

/* The last that begins at ADDR or before it, when it has it. */
static bool find(const struct extent_list *list, uint64_t addr, struct extent *ret)
{
	size_t low = bisect(i, list->n, list->data[i].addr <= addr);

	if (!low || addr >= list->data[low - 1].end)
		return false;
	*ret = list->data[low - 1];
	return true;
}

static bool find_frame(struct extents *e, uint64_t addr, struct extent *ret)
{
	if (!e->has_frames) {
		e->has_frames = true;
		frame_rules_each_function(e->image, collect_frame, e);
		sort(&e->frames);
	}
	return find(&e->frames, addr, ret);
}

bool object_code_extent(const struct target_object *o, uint64_t addr, uint64_t *begin,
			uint64_t *end)
{
	struct extents *e = extents_of((struct target_object *)o);
	const struct dwarf_function *f;
	struct extent ret;

	f = o->dwarf ? dwarf_index_at(&o->dwarf->index, addr) : NULL;
	if (f && addr < f->end)
		ret = (struct extent){ f->pc, f->end };
	else if (!find(&e->symbols, addr, &ret) && !find_frame(e, addr, &ret))
		return false;
	*begin = ret.addr;
	*end = ret.end;
	return true;
}
