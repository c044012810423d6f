/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading BTF: the header (Documentation/bpf/btf.rst, 2), strings (2.1), and where each type
 * begins, which takes the size of what follows a type of each kind (2.2.1 to 2.2.19).
 */
#include "target/btf.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/intern.h"

/*
 * Bytes behind struct btf_type; -1 for a kind we do not know. 12 are struct btf_member (2.2.4),
 * btf_var_secinfo (2.2.15) and btf_enum64 (2.2.19), 8 struct btf_enum (2.2.6) and btf_param
 * (2.2.13), 4 the word of an integer (2.2.1), struct btf_var (2.2.14) and btf_decl_tag (2.2.17).
 */
static long tail_size(const struct btf_type *t)
{
	long n = BTF_INFO_VLEN(t->info);

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return 12 * n;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return 8 * n;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

/*
 * Finds where each type begins, which is checked to lie within the data. The table has room for as
 * many types as would fit if all were of the smallest size.
 */
static struct error *scan(struct btf *b, struct arena *arena)
{
	uint32_t *offsets =
		arena_alloc(arena, b->types_len / sizeof(struct btf_type) * sizeof(*offsets) + 4);
	uint32_t at = 0;

	while (at < b->types_len) {
		const struct btf_type *t = (const void *)(b->types + at);
		long tail;

		if (b->types_len - at < sizeof(*t))
			return error_create("BTF ends inside a type");
		tail = tail_size(t);
		if (tail < 0)
			return error_create("BTF with an unknown kind of type (%u)", btf_kind(t));
		if (b->types_len - at - sizeof(*t) < (unsigned long)tail)
			return error_create("BTF ends inside a type");
		offsets[b->n++] = at;
		at += sizeof(*t) + tail;
	}
	b->offsets = offsets;
	return NULL;
}

/*
 * Header fields are relative to the end of the header, whose length is taken from itself: later
 * kernels may have a longer one.
 */
struct error *btf_open(const unsigned char *data, size_t len, const struct btf *base,
		       const uint32_t *offsets, uint32_t n, struct arena *arena, struct btf *ret)
{
	const struct btf_header *h = (const void *)data;
	struct btf b = { .base = base };
	struct error *err = NULL;

	if (len < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len < sizeof(*h) ||
	    h->hdr_len > len)
		return error_create("not BTF");
	len -= h->hdr_len;
	/* split BTF whose names are all in the base has no strings of its own */
	if (h->type_off > len || h->type_len > len - h->type_off || h->str_off > len ||
	    (!h->str_len && !base) || h->str_len > len - h->str_off || h->type_off % 4)
		return error_create("BTF header is damaged");
	b.types = data + h->hdr_len + h->type_off;
	b.types_len = h->type_len;
	b.strings = (const char *)data + h->hdr_len + h->str_off;
	b.strings_len = h->str_len;
	if (b.strings_len && b.strings[b.strings_len - 1])
		return error_create("BTF strings are not terminated");
	b.first_id = base ? base->first_id + base->n : 1;
	b.first_string = base ? base->first_string + base->strings_len : 0;
	if (offsets) {
		b.offsets = offsets;
		b.n = n;
	} else {
		err = scan(&b, arena);
	}
	if (!err)
		*ret = b;
	return err;
}

/* Bounds are checked again: the offsets may come from a file. */
const struct btf_type *btf_type(const struct btf *b, uint32_t id)
{
	const struct btf_type *t;
	uint32_t at;
	long tail;

	while (b && id < b->first_id)
		b = b->base;
	if (!b || id - b->first_id >= b->n)
		return NULL;
	at = b->offsets[id - b->first_id];
	if (at > b->types_len || b->types_len - at < sizeof(*t))
		return NULL;
	t = (const void *)(b->types + at);
	tail = tail_size(t);
	return tail >= 0 && b->types_len - at - sizeof(*t) >= (unsigned long)tail ? t : NULL;
}

const char *btf_string(const struct btf *b, uint32_t off)
{
	while (b->base && off < b->first_string)
		b = b->base;
	return off - b->first_string < b->strings_len ? b->strings + (off - b->first_string) : "";
}

/* By hash, then id: equal names stay in the order of their definition. */
static int name_cmp(const void *a, const void *b)
{
	const struct btf_name *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void btf_sort_names(struct btf_name *names, size_t n)
{
	if (n)
		qsort(names, n, sizeof(*names), name_cmp);
}

size_t btf_names(const struct btf *b, struct arena *arena, struct btf_name **ret)
{
	struct btf_name *names = arena_new_array(arena, struct btf_name, b->n + 1);
	size_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct btf_type *t = (const void *)(b->types + b->offsets[i]);
		const char *name = btf_string(b, t->name_off);

		if (*name && btf_kind(t) != BTF_KIND_TYPE_TAG && btf_kind(t) != BTF_KIND_DECL_TAG)
			names[n++] = (struct btf_name){ hash_bytes(name, strlen(name)),
							b->first_id + i };
	}
	btf_sort_names(names, n);
	*ret = names;
	return n;
}

/* Names with the same hash need not be equal; each is compared. */
size_t btf_find(const struct btf *b, const struct btf_name *names, size_t n_names, const char *name,
		uint32_t kinds, uint32_t *ret, size_t max)
{
	uint32_t hash = hash_bytes(name, strlen(name));
	size_t low = bisect(i, n_names, names[i].hash < hash), n = 0;

	for (; low < n_names && names[low].hash == hash && n < max; low++) {
		const struct btf_type *t = btf_type(b, names[low].id);

		if (t && kinds & 1u << btf_kind(t) && !strcmp(btf_string(b, t->name_off), name))
			ret[n++] = names[low].id;
	}
	return n;
}
