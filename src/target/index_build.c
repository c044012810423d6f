/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building the index of a kernel: symbols from kallsyms, which functions ftrace can trace and
 * kprobes must not touch from the tables between linker symbols
 * (include/asm-generic/vmlinux.lds.h), trace events, and where BTF types lie. What sorts, flags and
 * writes serves modules and the running kernel too (index_builder.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "target/index_builder.h"
#include "target/index_format.h"
#include "target/kallsyms.h"

/* low <= address < high. */
struct range {
	uint64_t low, high;
};

void builder_add_symbol(void *arg, const char *name, char type, uint64_t addr)
{
	struct builder *b = arg;

	vec_push(b->arena, &b->symbols,
		 ((struct symbol){ .name = arena_strdup(b->arena, name), .addr = addr }));
}

/* By name, then address. */
static int symbol_cmp(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : x->addr < y->addr ? -1 : x->addr > y->addr;
}

size_t builder_lower_bound(const struct builder *b, const char *name)
{
	return bisect(i, b->symbols.n, strcmp(b->symbols.data[i].name, name) < 0);
}

uint64_t builder_symbol(const struct builder *b, const char *name)
{
	size_t i = builder_lower_bound(b, name);

	return i < b->symbols.n && !strcmp(b->symbols.data[i].name, name) ? b->symbols.data[i].addr
									  : 0;
}

/* Between two symbols; empty when either is missing. */
static struct range between(const struct builder *b, const char *start, const char *stop)
{
	struct range r = { builder_symbol(b, start), builder_symbol(b, stop) };

	return r.low && r.low <= r.high ? r : (struct range){ 0 };
}

static bool inside(struct range r, uint64_t addr)
{
	return addr >= r.low && addr < r.high;
}

static int u64_cmp(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void addresses_sort(struct addresses *a)
{
	if (a->n)
		qsort(a->data, a->n, sizeof(*a->data), u64_cmp);
}

/* The table of addresses between two symbols of the image, sorted. */
static struct addresses address_table(const struct builder *b, const char *start, const char *stop)
{
	struct range r = between(b, start, stop);
	const void *table = image_at(b->image, r.low, r.high - r.low);
	struct addresses ret = { 0 };

	if (!table || r.low == r.high)
		return ret;
	ret.n = (r.high - r.low) / sizeof(uint64_t);
	ret.data = arena_new_array(b->arena, uint64_t, ret.n);
	memcpy(ret.data, table, ret.n * sizeof(uint64_t));
	addresses_sort(&ret);
	return ret;
}

bool addresses_have(const struct addresses *t, uint64_t low, uint64_t span)
{
	size_t a = 0, z = t->n;

	while (a < z) {
		size_t mid = a + (z - a) / 2;

		if (t->data[mid] < low)
			a = mid + 1;
		else
			z = mid;
	}
	return a < t->n && t->data[a] <= low + span;
}

/* struct kernel_symbol: value, name and namespace, each an offset from its own place (linux 5.4 on,
 * x86) */
static struct addresses exported_addresses(const struct builder *b)
{
	static const char *const names[] = { "__ksymtab", "__ksymtab_gpl" };
	struct addresses ret = { 0 };
	size_t room = 0;

	for (size_t i = 0; i < 2; i++) {
		struct image_section s;

		if (image_section(b->image, names[i], &s))
			room += s.size / 12;
	}
	ret.data = arena_new_array(b->arena, uint64_t, room);
	for (size_t i = 0; i < 2; i++) {
		struct image_section s;

		if (!image_section(b->image, names[i], &s) || !s.data)
			continue;
		for (uint64_t at = 0; at + 12 <= s.size; at += 12) {
			int32_t off;

			memcpy(&off, s.data + at, sizeof(off));
			ret.data[ret.n++] = s.addr + at + (int64_t)off;
		}
	}
	addresses_sort(&ret);
	return ret;
}

bool builder_is_in_btf(const struct builder *b, const struct symbol *s)
{
	const char *base = arena_strndup(b->arena, s->name, symbol_base_length(s->name));
	uint32_t id;

	return btf_find(&b->btf, b->btf_names, b->n_btf_names, base, 1u << BTF_KIND_FUNC, &id, 1) >
	       0;
}

void builder_sort_symbols(struct builder *b)
{
	qsort(b->symbols.data, b->symbols.n, sizeof(struct symbol), symbol_cmp);
}

bool builder_is_several(const struct builder *b, const struct symbol *s)
{
	const struct symbol *first = b->symbols.data, *end = first + b->symbols.n;

	return (s > first && !strcmp(s[-1].name, s->name) && s[-1].addr != s->addr) ||
	       (s + 1 < end && !strcmp(s[1].name, s->name) && s[1].addr != s->addr);
}

void builder_set_flags(struct builder *b)
{
	const struct range text = between(b, "_stext", "_etext");
	const struct range forbidden[] = {
		between(b, "__noinstr_text_start", "__noinstr_text_end"),
		between(b, "__entry_text_start", "__entry_text_end"),
		between(b, "__kprobes_text_start", "__kprobes_text_end"),
	};

	for (size_t i = 0; i < b->symbols.n; i++) {
		struct symbol *s = &b->symbols.data[i];

		if (builder_is_several(b, s))
			s->flags |= SYMBOL_SEVERAL;
		if (!inside(text, s->addr))
			continue;
		s->flags |= SYMBOL_TEXT;
		/* the call of __fentry__ comes first, or behind a 4-byte ENDBR */
		if (addresses_have(&b->traceable, s->addr, 4))
			s->flags |= SYMBOL_TRACEABLE;
		if (addresses_have(&b->exported, s->addr, 0))
			s->flags |= SYMBOL_EXPORTED;
		if (addresses_have(&b->blacklist, s->addr, 0) || inside(forbidden[0], s->addr) ||
		    inside(forbidden[1], s->addr) || inside(forbidden[2], s->addr))
			s->flags |= SYMBOL_FORBIDDEN;
		if (builder_is_in_btf(b, s))
			s->flags |= SYMBOL_IN_BTF;
	}
}

/*
 * .gnu_debuglink: a file name, padding to 4 bytes, the CRC of that file (GDB manual, "Separate
 * Debug Files").
 */
void builder_debuglink(struct builder *b)
{
	struct image_section s;
	size_t n;

	if (!image_section(b->image, ".gnu_debuglink", &s) || !s.data)
		return;
	n = strnlen((const char *)s.data, s.size);
	if (!n || ((n + 4) & ~3ul) + 4 > s.size)
		return;
	b->debuglink = arena_strndup(b->arena, (const char *)s.data, n);
	memcpy(&b->debuglink_crc, s.data + ((n + 4) & ~3ul), 4);
}

/* ---- tracepoints ---- */

/* As the linked image has it. */
static bool pointer_at(const struct builder *b, uint64_t addr, uint64_t *ret)
{
	return image_u64(b->image, addr, ret);
}

/* The table of all tracepoints is relative to its own entries. */
static struct addresses tracepoint_table(const struct builder *b)
{
	struct range r = between(b, "__start___tracepoints_ptrs", "__stop___tracepoints_ptrs");
	struct addresses ret = { 0 };
	int32_t off;

	for (uint64_t at = r.low; at + 4 <= r.high; at += 4)
		if (image_s32(b->image, at, &off))
			vec_push(b->arena, &ret, at + (int64_t)off);
	return ret;
}

static void collect_tracepoints(struct builder *b)
{
	const struct addresses events =
		address_table(b, "__start_ftrace_events", "__stop_ftrace_events");
	const struct addresses all = tracepoint_table(b);
	const struct index_types types = { &b->btf, b->btf_names, b->n_btf_names };

	builder_collect_tracepoints(b, &types, pointer_at, &events, &all);
}

/* ---- the file ---- */

/* The file's header as it grows, and how long the strings are. */
struct layout {
	struct index_header header;
	size_t strings_len;
};

/* Reserves a part behind those before it. */
static void reserve(struct layout *l, enum index_part part, size_t n, size_t size)
{
	l->header.parts[part] = parts_reserve(&l->header.file_size, n, size);
}

/* Where TEXT will be; 0, the empty string, when it is NULL. */
static uint32_t add_string(struct layout *l, const char *text)
{
	uint32_t at = l->strings_len;

	if (!text || !*text)
		return 0;
	l->strings_len += strlen(text) + 1;
	return at;
}

/*
 * Decides where everything goes, and notes in the builder's records where their names will be.
 * Strings come in the order of symbols, so that looking for names that stand together touches few
 * pages.
 */
static void lay_out(struct builder *b, struct layout *l)
{
	struct index_header *h = &l->header;

	l->strings_len = 1;
	for (size_t i = 0; i < b->symbols.n; i++)
		b->symbols.data[i].offset = add_string(l, b->symbols.data[i].name);
	for (size_t i = 0; i < b->tracepoints.n; i++) {
		struct tracepoint *tp = &b->tracepoints.data[i];

		tp->name_offset = add_string(l, tp->name);
		tp->system_offset = add_string(l, tp->system);
		tp->format_offset = add_string(l, tp->format);
	}
	vec_foreach(section, &b->sections)
		section->offset = add_string(l, section->name);
	h->problem = add_string(l, b->problem);
	h->debuglink = add_string(l, b->debuglink);
	h->debuglink_crc = b->debuglink_crc;
	memcpy(h->magic, INDEX_MAGIC, sizeof(h->magic));
	h->version = INDEX_VERSION;
	h->header_size = sizeof(*h);
	if (b->image) {
		memcpy(h->build_id, b->image->build_id, BUILD_ID_SIZE);
		h->has_build_id = b->image->has_build_id;
		h->has_debug_info = image_has_debug_info(b->image);
	}
	h->identity = b->identity;
	h->file_size = sizeof(*h);
	reserve(l, INDEX_STRINGS, l->strings_len, 1);
	reserve(l, INDEX_SYMBOLS, b->symbols.n, sizeof(struct index_symbol));
	reserve(l, INDEX_BY_ADDR, b->symbols.n, sizeof(uint32_t));
	reserve(l, INDEX_BTF_OFFSETS, b->btf.n, sizeof(uint32_t));
	reserve(l, INDEX_BTF_NAMES, b->n_btf_names, sizeof(struct btf_name));
	reserve(l, INDEX_TRACEPOINTS, b->tracepoints.n, sizeof(struct index_tracepoint));
	reserve(l, INDEX_SECTIONS, b->sections.n, sizeof(struct index_section));
	reserve(l, INDEX_BTF, b->btf_len, 1);
}

/* To sort symbols by address; of one address in the order of names. */
struct addr_key {
	uint64_t addr;
	uint32_t i;
};

static int addr_key_cmp(const void *a, const void *b)
{
	const struct addr_key *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static void write_by_addr(const struct builder *b, uint32_t *out)
{
	struct addr_key *keys = arena_new_array(b->arena, struct addr_key, b->symbols.n + 1);

	for (size_t i = 0; i < b->symbols.n; i++)
		keys[i] = (struct addr_key){ b->symbols.data[i].addr, i };
	qsort(keys, b->symbols.n, sizeof(*keys), addr_key_cmp);
	for (size_t i = 0; i < b->symbols.n; i++)
		out[i] = keys[i].i;
}

/* A part whose elements are in memory as they are in the file. */
static void copy_part(char *file, const struct layout *l, enum index_part part, const void *from,
		      size_t size)
{
	if (l->header.parts[part].n)
		memcpy(file + l->header.parts[part].off, from, l->header.parts[part].n * size);
}

/* 0 is the empty string, which calloc() has written. */
static void put_string(char *strings, uint32_t at, const char *text)
{
	if (at)
		strcpy(strings + at, text);
}

static void write_sections(const struct builder *b, char *strings, struct index_section *out)
{
	for (size_t i = 0; i < b->sections.n; i++) {
		const struct builder_section *s = &b->sections.data[i];

		put_string(strings, s->offset, s->name);
		out[i] = (struct index_section){ s->addr, s->size, s->offset, s->flags };
	}
}

/* The whole file, on the heap. Requires lay_out(). */
static char *write_file(const struct builder *b, const struct layout *l)
{
	const struct file_part *parts = l->header.parts;
	char *file = calloc(1, l->header.file_size);
	char *strings;
	struct index_symbol *symbols;
	struct index_tracepoint *tracepoints;

	if (!file)
		arena_out_of_memory();
	strings = file + parts[INDEX_STRINGS].off;
	symbols = (void *)(file + parts[INDEX_SYMBOLS].off);
	tracepoints = (void *)(file + parts[INDEX_TRACEPOINTS].off);
	memcpy(file, &l->header, sizeof(l->header));
	for (size_t i = 0; i < b->symbols.n; i++) {
		const struct symbol *s = &b->symbols.data[i];

		put_string(strings, s->offset, s->name);
		symbols[i] = (struct index_symbol){ s->addr, s->offset, s->flags };
	}
	for (size_t i = 0; i < b->tracepoints.n; i++) {
		const struct tracepoint *tp = &b->tracepoints.data[i];

		put_string(strings, tp->name_offset, tp->name);
		put_string(strings, tp->system_offset, tp->system);
		put_string(strings, tp->format_offset, tp->format);
		tracepoints[i] = (struct index_tracepoint){ tp->name_offset, tp->system_offset,
							    tp->format_offset };
	}
	put_string(strings, l->header.problem, b->problem);
	put_string(strings, l->header.debuglink, b->debuglink);
	write_sections(b, strings, (void *)(file + parts[INDEX_SECTIONS].off));
	write_by_addr(b, (void *)(file + parts[INDEX_BY_ADDR].off));
	copy_part(file, l, INDEX_BTF_OFFSETS, b->btf.offsets, sizeof(uint32_t));
	copy_part(file, l, INDEX_BTF_NAMES, b->btf_names, sizeof(struct btf_name));
	copy_part(file, l, INDEX_BTF, b->btf_bytes, 1);
	return file;
}

/* In this order: flags need symbols, BTF and the three tables; tracepoints need symbols and BTF. */
static struct error *collect(struct builder *b, const char *system_map)
{
	struct image_section s;
	struct kallsyms_tables tables;
	struct error *err = kallsyms_open(b->image, &tables);

	if (err)
		return err;
	kallsyms_each(&tables, builder_add_symbol, b);
	builder_sort_symbols(b);
	if (system_map)
		builder_add_data_symbols(b, system_map);
	if (image_section(b->image, ".BTF", &s) && s.data) {
		err = btf_open(s.data, s.size, NULL, NULL, 0, b->arena, &b->btf);
		if (err)
			return err;
		b->n_btf_names = btf_names(&b->btf, b->arena, &b->btf_names);
	}
	b->traceable = address_table(b, "__start_mcount_loc", "__stop_mcount_loc");
	b->blacklist = address_table(b, "__start_kprobe_blacklist", "__stop_kprobe_blacklist");
	b->exported = exported_addresses(b);
	builder_set_flags(b);
	if (!b->traceable.n && !b->n_btf_names)
		builder_find_functions(b);
	collect_tracepoints(b);
	return NULL;
}

char *builder_write(struct builder *b, size_t *len)
{
	struct layout l = { 0 };

	lay_out(b, &l);
	*len = l.header.file_size;
	return write_file(b, &l);
}

struct error *index_build(const struct image *img, const char *system_map, char **ret, size_t *len)
{
	struct builder b = { .image = img, .arena = arena_create(), .identity = img->map.len };
	struct error *err = collect(&b, system_map);

	if (!err)
		*ret = builder_write(&b, len);
	arena_destroy(b.arena);
	return err;
}
