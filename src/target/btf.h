/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF (Documentation/bpf/btf.rst) as one kernel or module carries it. Ids of a module's split BTF
 * continue those of vmlinux, as do its string offsets. The data is checked once, when it is
 * scanned; a btf opened with a kept offset table is not scanned again, so every access still checks
 * its bounds.
 */
#ifndef SPILE_TARGET_BTF_H
#define SPILE_TARGET_BTF_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arena;

/* BTF that was checked. Data is borrowed and must outlive it. */
struct btf {
	const struct btf *base; /* vmlinux, for split BTF; else NULL */
	const unsigned char *types;
	uint32_t types_len;
	const char *strings;
	uint32_t strings_len, first_string;
	/* of type first_id + i in types; the table is the caller's or the arena's */
	const uint32_t *offsets;
	uint32_t first_id, n; /* ids first_id .. first_id + n - 1 are ours */
};

/* Named types by hash of their name, for lookup; sorted by hash, then id. */
struct btf_name {
	uint32_t hash, id;
};

/*
 * LEN bytes at DATA, which stay the caller's. BASE: for split BTF, else NULL; it must outlive *ret.
 * OFFSETS and N from an earlier scan of the same data, or NULL: scan now, with the table in ARENA.
 * On failure *ret is untouched.
 */
struct error *btf_open(const unsigned char *data, size_t len, const struct btf *base,
		       const uint32_t *offsets, uint32_t n, struct arena *arena,
		       struct btf *ret) ERROR_MUST_CHECK;

/*
 * The record of a type, of B or its base. Void (id 0), ids out of range and damaged offsets give
 * NULL; the record lies whole within the data.
 */
const struct btf_type *btf_type(const struct btf *b, uint32_t id);
/* Text at OFF; "" when that is outside. Lives as long as the data. */
const char *btf_string(const struct btf *b, uint32_t off);
/* BTF_KIND_x of a type. */
static inline unsigned btf_kind(const struct btf_type *t)
{
	return BTF_INFO_KIND(t->info);
}

/*
 * One entry for each named type of B itself (not of its base), tags apart, sorted for btf_find(),
 * in ARENA; returns how many. B must come from a scan.
 */
size_t btf_names(const struct btf *b, struct arena *arena, struct btf_name **ret);
/* By hash, then id. */
void btf_sort_names(struct btf_name *names, size_t n);
/* Ids named NAME whose kind is in KINDS (1 << BTF_KIND_x), at most MAX. */
size_t btf_find(const struct btf *b, const struct btf_name *names, size_t n_names, const char *name,
		uint32_t kinds, uint32_t *ret, size_t max);

#endif
