/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of an image while its index is made. A trace event is described by a struct
 * trace_event_call, which leads to the tracepoint and, through its class, to the system
 * (include/linux/trace_events.h); tracepoints that are no events (DECLARE_TRACE) are in the table
 * of all alone. vmlinux and modules differ in where the tables and pointers are.
 */
#include <stdlib.h>
#include <string.h>

#include "target/index_builder.h"

#define FORMAT_MAX 65536 /* bytes of a "print fmt"; the longest of Linux 6.1 has 11,000 */

/* Byte offset of a member of a struct, by BTF; the fallback when BTF does not say. */
static uint64_t member_offset(const struct index_types *types, const char *type, const char *member,
			      uint64_t fallback)
{
	const struct btf_type *t;
	const struct btf_member *m;
	uint32_t id;

	if (!btf_find(types->btf, types->names, types->n_names, type, 1u << BTF_KIND_STRUCT, &id,
		      1))
		return fallback;
	t = btf_type(types->btf, id);
	m = (const void *)(t + 1);
	for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (!strcmp(btf_string(types->btf, m[i].name_off), member))
			return (BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m[i].offset)
							: m[i].offset) /
			       8;
	return fallback;
}

/* The value of a 32-bit enumerator; false when there is none of that name. */
static bool enumerator(const struct btf *btf, const char *name, int64_t *ret)
{
	for (uint32_t id = btf->first_id; id < btf->first_id + btf->n; id++) {
		const struct btf_type *t = btf_type(btf, id);
		const struct btf_enum *e = (const void *)(t + 1);

		if (!t || btf_kind(t) != BTF_KIND_ENUM)
			continue;
		for (uint32_t i = 0; i < BTF_INFO_VLEN(t->info); i++)
			if (!strcmp(btf_string(btf, e[i].name_off), name)) {
				*ret = e[i].val;
				return true;
			}
	}
	return false;
}

/* Where things are in the structures that describe events. */
struct event_layout {
	uint64_t class_at, tracepoint_at, format_at, flags_at, system_at, name_at;
	int64_t is_tracepoint; /* the flag; without it a name stands in place of the tracepoint */
};

static struct event_layout event_layout(const struct index_types *types)
{
	struct event_layout l = {
		.class_at = member_offset(types, "trace_event_call", "class", 16),
		.format_at = member_offset(types, "trace_event_call", "print_fmt", 72),
		.flags_at = member_offset(types, "trace_event_call", "flags", 88),
		.system_at = member_offset(types, "trace_event_class", "system", 0),
		.name_at = member_offset(types, "tracepoint", "name", 0),
		.is_tracepoint = 16,
	};

	l.tracepoint_at = l.class_at + 8; /* the union of name and tracepoint follows the class */
	if (types->n_names)
		enumerator(types->btf, "TRACE_EVENT_FL_TRACEPOINT", &l.is_tracepoint);
	return l;
}

static int tracepoint_cmp(const void *a, const void *b)
{
	const struct tracepoint *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->system, y->system);
}

void builder_sort_tracepoints(struct builder *b)
{
	if (b->tracepoints.n)
		qsort(b->tracepoints.data, b->tracepoints.n, sizeof(struct tracepoint),
		      tracepoint_cmp);
}

static int name_cmp(const void *name, const void *tracepoint)
{
	return strcmp(name, ((const struct tracepoint *)tracepoint)->name);
}

/* Is one of the first N, which are sorted, of that name? */
static bool is_event(const struct builder *b, size_t n, const char *name)
{
	return n && bsearch(name, b->tracepoints.data, n, sizeof(struct tracepoint), name_cmp);
}

/* The "print fmt" of the event described at CALL, if it names values. */
static const char *format_of(const struct builder *b, uint64_t call, const struct event_layout *l,
			     bool (*pointer_at)(const struct builder *b, uint64_t addr,
						uint64_t *ret))
{
	uint64_t at;
	const char *format = pointer_at(b, call + l->format_at, &at)
				     ? image_text(b->image, at, FORMAT_MAX)
				     : NULL;

	return format && (strstr(format, "__print_flags") || strstr(format, "__print_symbolic"))
		       ? format
		       : NULL;
}

void builder_collect_tracepoints(struct builder *b, const struct index_types *types,
				 bool (*pointer_at)(const struct builder *b, uint64_t addr,
						    uint64_t *ret),
				 const struct addresses *events, const struct addresses *all)
{
	const struct event_layout l = event_layout(types);
	uint64_t class_addr, tp, text;
	int32_t flags;
	size_t n_events;

	vec_foreach(call, events) {
		struct tracepoint found;

		if (!image_s32(b->image, *call + l.flags_at, &flags) ||
		    !(flags & l.is_tracepoint) || !pointer_at(b, *call + l.class_at, &class_addr) ||
		    !pointer_at(b, *call + l.tracepoint_at, &tp))
			continue;
		found = (struct tracepoint){
			.name = pointer_at(b, tp + l.name_at, &text) ? image_string(b->image, text)
								     : NULL,
			.system = pointer_at(b, class_addr + l.system_at, &text)
					  ? image_string(b->image, text)
					  : NULL,
			.format = format_of(b, *call, &l, pointer_at),
		};
		if (found.name && found.system)
			vec_push(b->arena, &b->tracepoints, found);
	}
	builder_sort_tracepoints(b);
	n_events = b->tracepoints.n;
	vec_foreach(at, all) {
		const char *name =
			pointer_at(b, *at + l.name_at, &text) ? image_string(b->image, text) : NULL;

		if (name && !is_event(b, n_events, name))
			vec_push(b->arena, &b->tracepoints,
				 ((struct tracepoint){ .name = name, .system = "" }));
	}
	builder_sort_tracepoints(b);
}
