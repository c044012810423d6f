/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol index while it is made: what is collected, by whom, and then written. Of
 * index_build.c, index_sparse.c, index_tracepoint.c, index_module.c, index_file.c and live.c only.
 */
#ifndef SPILE_TARGET_INDEX_BUILDER_H
#define SPILE_TARGET_INDEX_BUILDER_H

#include "base/arena.h"
#include "base/vec.h"
#include "target/index.h"

/* A symbol of the object. offset: of its name in the file's strings, set by builder_write(). */
struct symbol {
	const char *name;
	uint64_t addr;
	uint32_t flags, offset;
};

/* Addresses in ascending order: addresses_sort(). */
struct addresses {
	uint64_t *data;
	size_t n, cap;
};

/* A tracepoint of the object; offsets as in struct symbol. */
struct tracepoint {
	const char *name, *system; /* system: "" when it is no trace event */
	const char *format;        /* or NULL, see struct index_tracepoint */
	uint32_t name_offset, system_offset, format_offset;
};

/* A section of a module that occupies memory; offset as that of symbols. */
struct builder_section {
	const char *name;
	uint64_t addr, size;
	uint32_t flags, offset; /* flags: SHF_* */
};

/*
 * All that is collected. Everything is in ARENA or borrowed from IMAGE; the caller destroys the
 * arena after builder_write().
 */
struct builder {
	const struct image *image; /* NULL: the running kernel tells itself */
	struct arena *arena;
	VEC(struct symbol) symbols; /* sorted by name after collection */
	VEC(struct tracepoint) tracepoints;
	struct btf btf;
	struct btf_name *btf_names;
	size_t n_btf_names;
	struct addresses traceable, exported, blacklist;
	/* modules */
	VEC(struct builder_section) sections;
	const unsigned char *btf_bytes;
	size_t btf_len;
	uint64_t identity;
	const char *problem, *debuglink; /* or NULL */
	uint32_t debuglink_crc;
};

/*
 * Copies NAME; type is as in /proc/kallsyms, and is not kept. A callback of kallsyms_each(), hence
 * void *.
 */
void builder_add_symbol(void *builder, const char *name, char type, uint64_t addr);
/* By name, then address. Required by all that asks for symbols. */
void builder_sort_symbols(struct builder *b);
/* Index of the first symbol whose name is not before NAME; the number of symbols: there is none. */
size_t builder_lower_bound(const struct builder *b, const char *name);
/* Address of the first symbol of that name, 0: there is none. */
uint64_t builder_symbol(const struct builder *b, const char *name);
/* Puts them in ascending order; the list may be empty. */
void addresses_sort(struct addresses *a);
/* Is one of them in LOW .. LOW + SPAN? */
bool addresses_have(const struct addresses *a, uint64_t low, uint64_t span);
/* S is of the sorted table. Has another address the same name (SYMBOL_SEVERAL)? */
bool builder_is_several(const struct builder *b, const struct symbol *s);
/* Has the builder's BTF a function of its base name (SYMBOL_IN_BTF)? */
bool builder_is_in_btf(const struct builder *b, const struct symbol *s);
/*
 * Sets the flags of all symbols of a vmlinux, which are sorted; requires BTF and the three tables
 * of addresses.
 */
void builder_set_flags(struct builder *b);
/*
 * Symbols that are not text, from the file SYSTEM_MAP, when the image has none and the file is its
 * own (index_sparse.c). Requires sorted symbols, and leaves them so.
 */
void builder_add_data_symbols(struct builder *b, const char *system_map);
/*
 * Sets SYMBOL_FUNCTION of those that code calls, as far as the machine's calls are recognized, data
 * points to or modules may call: for a vmlinux with neither ftrace nor BTF (index_sparse.c).
 */
void builder_find_functions(struct builder *b);
/* Notes .gnu_debuglink of the builder's image, if there is one. */
void builder_debuglink(struct builder *b);
/*
 * The trace events whose descriptions are at EVENTS, and of the tracepoints at ALL those that are
 * no event (index_tracepoint.c). TYPES describe the kernel's own structures, if they can;
 * POINTER_AT finds the pointer that stands at an address of the image.
 */
void builder_collect_tracepoints(struct builder *b, const struct index_types *types,
				 bool (*pointer_at)(const struct builder *b, uint64_t addr,
						    uint64_t *ret),
				 const struct addresses *events, const struct addresses *all);
/* By name, then system. */
void builder_sort_tracepoints(struct builder *b);
/* The index as the bytes of its file, on the heap. */
char *builder_write(struct builder *b, size_t *len);

#endif
