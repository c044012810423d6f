/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See line_table.h. libdw runs the line programs (DWARF 5, 6.2) and walks the DIEs; the rows of all
 * units are sorted by address, and those that say nothing new are left out. Code that the linker
 * dropped has sequences from address 0 on, or from just below it, which are left out too: no code
 * of an image lies in its first page.
 */
#include "target/line_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "target/dwarf_file.h"
#include "target/kept_file.h"
#include "runtime/uapi/line_table.h"

#define LOWEST 0x1000
#define HIGHEST                                                                                    \
	(UINT64_MAX - 1) /* lld's addresses of what it dropped: -1, and -2 in .debug_ranges */
#define ALIGN 4          /* of what follows the rows */

/* A row; line 0 ends a sequence. order: as the line program has them, for rows at one address. */
struct row {
	uint64_t addr;
	uint32_t file, line, order;
};

/* A range of a copy. depth: how many copies are around it. */
struct copy {
	uint64_t low, high;
	uint32_t depth, name, call_file, call_line;
};

/* A table under construction. */
struct table {
	struct arena *arena;
	const struct line_table_source *source;
	VEC(struct row) rows;
	VEC(struct copy) copies;
	struct map by_text; /* name -> 1 + offset in names */
	struct map
		/* the same by libdw's own string, which are shared by the rows of a unit */
		by_pointer;
	struct interner *strings;
	struct strbuf names;
	const char *comp_dir; /* of the unit that is read */
};

/* Offset of TEXT among the names. */
static uint32_t name_offset(struct table *t, const char *text)
{
	const char *key = intern(t->strings, text ? text : "")->text;
	void *known = map_get(&t->by_text, key);

	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	map_put(&t->by_text, key, (void *)(t->names.len + 1));
	strbuf_add(&t->names, key, strlen(key) + 1);
	return (uint32_t)((uintptr_t)map_get(&t->by_text, key) - 1);
}

/* "fs/open.c" of "/build/linux/./fs/open.c"; of a program as it is. */
static const char *file_text(const struct table *t, const char *file)
{
	size_t len = t->comp_dir ? strlen(t->comp_dir) : 0;

	if (t->source->is_program || !len || strncmp(file, t->comp_dir, len) || file[len] != '/')
		return file;
	file += len + 1;
	return strncmp(file, "./", 2) ? file : file + 2;
}

static uint32_t file_offset(struct table *t, const char *file)
{
	void *known = file ? map_get(&t->by_pointer, file) : NULL;
	uint32_t offset;

	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	offset = name_offset(t, file ? file_text(t, file) : "");
	if (file)
		map_put(&t->by_pointer, file, (void *)(uintptr_t)(offset + 1));
	return offset;
}

/* Where the linker puts what it dropped. */
static bool is_dropped(Dwarf_Addr addr)
{
	return addr < LOWEST || addr >= HIGHEST;
}

/* ---- reading lines ---- */
static void add_row(struct table *t, Dwarf_Line *line)
{
	bool ends = false;
	Dwarf_Addr addr;
	int number = 0;

	if (dwarf_lineaddr(line, &addr) || is_dropped(addr))
		return;
	dwarf_lineendsequence(line, &ends);
	dwarf_lineno(line, &number);
	vec_push(t->arena, &t->rows,
		 ((struct row){ addr, file_offset(t, ends ? NULL : dwarf_linesrc(line, NULL, NULL)),
				ends ? 0 : (uint32_t)number, (uint32_t)t->rows.n }));
}

/*
 * Does a sequence of the unit begin where no code is? libdw sorts the rows of all its sequences
 * together.
 */
static bool has_dropped(Dwarf_Lines *lines, size_t n)
{
	Dwarf_Addr first, last;

	return n && !dwarf_lineaddr(dwarf_onesrcline(lines, 0), &first) &&
	       !dwarf_lineaddr(dwarf_onesrcline(lines, n - 1), &last) &&
	       (is_dropped(first) || is_dropped(last));
}

/* The code that a unit says it has. */
struct range {
	Dwarf_Addr low, high;
};

struct ranges {
	VEC(struct range) all; /* but what was dropped */
	bool known;
};

static void read_ranges(struct table *t, Dwarf_Die *unit, struct ranges *ret)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &low, &high)) > 0) {
		ret->known = true;
		if (!is_dropped(low))
			vec_push(t->arena, &ret->all, ((struct range){ low, high }));
	}
}

/* Is the address, or the end of a sequence there, in it? A unit that says nothing may have any. */
static bool is_within(const struct ranges *ranges, Dwarf_Addr addr)
{
	vec_foreach(r, &ranges->all)
		if (addr >= r->low && addr <= r->high)
			return true;
	return !ranges->known;
}

/*
 * Of dropped sequences the rows further up are told by the ranges of the unit: they lie among those
 * of code that is there.
 */
static void read_lines(struct table *t, Dwarf_Die *unit)
{
	struct ranges ranges = { 0 };
	Dwarf_Lines *lines;
	Dwarf_Addr addr;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n))
		return;
	if (has_dropped(lines, n))
		read_ranges(t, unit, &ranges);
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);

		if (!dwarf_lineaddr(line, &addr) && is_within(&ranges, addr))
			add_row(t, line);
	}
}

/* ---- reading copies ---- */
static uint32_t call_file(struct table *t, Dwarf_Die *die)
{
	const char *file = dwarf_called_in(die);

	return file ? file_offset(t, file) : name_offset(t, "");
}

static void add_copy(struct table *t, Dwarf_Die *die, uint32_t depth)
{
	Dwarf_Attribute attr;
	Dwarf_Word line = 0;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	struct copy copy = { .depth = depth };
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	if (!name)
		return;
	dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line);
	copy.name = name_offset(t, name);
	copy.call_file = call_file(t, die);
	copy.call_line = (uint32_t)line;
	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		copy.low = low;
		copy.high = high;
		if (!is_dropped(low) && high > low)
			vec_push(t->arena, &t->copies, copy);
	}
}

/* Of a function that the linker dropped: its copies may seem to lie in code that is there. */
static bool is_dropped_function(Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
		if (is_dropped(low))
			return true;
	return false;
}

/* Copies in functions, in blocks and in each other; functions in namespaces, modules and types. */
static void walk(struct table *t, Dwarf_Die *parent, uint32_t depth)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			add_copy(t, &die, depth);
			walk(t, &die, depth + 1);
			break;
		case DW_TAG_subprogram:
			if (!is_dropped_function(&die))
				walk(t, &die, depth);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			walk(t, &die, depth);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* ---- all units ---- */
static void read_unit(struct table *t, enum line_table_kind kind, Dwarf_Die *unit,
		      Dwarf_Die *skeleton)
{
	Dwarf_Attribute attr;

	t->comp_dir = dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &attr));
	if (kind == LINE_TABLE_LINES)
		read_lines(t, skeleton);
	else
		walk(t, unit, 0);
}

static struct error *read_units(struct table *t, enum line_table_kind kind, Dwarf *dw)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	uint8_t type;
	int more;

	while ((more = dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, &split)) == 0) {
		if (type == DW_UT_compile)
			read_unit(t, kind, &unit, &unit);
		else if (type == DW_UT_skeleton && split.cu)
			read_unit(t, kind, &split, &unit);
	}
	return more < 0 ? error_create("%s: %s", t->source->path, dwarf_errmsg(-1)) : NULL;
}

/* ---- writing ---- */
static void put(struct strbuf *b, const void *data, size_t len)
{
	strbuf_add(b, data, len);
}

static void put_number(struct strbuf *b, uint32_t v)
{
	while (v >= 0x80) {
		strbuf_addc(b, (char)(v | 0x80));
		v >>= 7;
	}
	strbuf_addc(b, (char)v);
}

static void pad(struct strbuf *b)
{
	while (b->len % ALIGN)
		strbuf_addc(b, '\0');
}

/* At one address what ends a sequence goes first: another may begin there. */
static int row_cmp(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	if (!x->line != !y->line)
		return x->line ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Of rows at one address the last, and of rows that say the same the first. */
static void thin(struct table *t)
{
	struct row *rows = t->rows.data;
	size_t n = 0;

	if (t->rows.n)
		qsort(rows, t->rows.n, sizeof(*rows), row_cmp);
	for (size_t i = 0; i < t->rows.n; i++) {
		if (i + 1 < t->rows.n && rows[i + 1].addr == rows[i].addr)
			continue;
		if (!n || rows[n - 1].line != rows[i].line || rows[n - 1].file != rows[i].file)
			rows[n++] = rows[i];
	}
	t->rows.n = n;
}

/* Files by number: those of the rows, in the order of their first. */
struct files {
	VEC(uint32_t) names;
	struct map numbers; /* 1 + offset of the name -> 1 + number */
};

static uint32_t file_number(struct table *t, struct files *files, uint32_t name)
{
	void *key = (void *)(uintptr_t)(name + 1), *known = map_get(&files->numbers, key);

	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	vec_push(t->arena, &files->names, name);
	map_put(&files->numbers, key, (void *)files->names.n);
	return (uint32_t)files->names.n - 1;
}

static void encode_row(struct strbuf *b, uint32_t distance, int32_t lines, bool moves,
		       uint32_t file)
{
	put_number(b, distance);
	put_number(b, STP_LINE_ZIGZAG(lines) << 1 | moves);
	if (moves)
		put_number(b, file);
}

/* The tables have distances of 32 bits. */
static struct error *too_far(const struct table *t)
{
	return error_create("%s: its code lies further apart than 4 GB", t->source->path);
}

static struct error *write_lines(struct table *t, struct strbuf *out)
{
	struct stp_line_table head = { STP_LINE_TABLE_VERSION, STP_TABLE_LINES };
	struct strbuf addrs, offsets, rows;
	struct files files = { 0 };
	uint32_t file = 0, line = 0;
	uint64_t addr = 0;

	map_init(&files.numbers, t->arena);
	thin(t);
	head.base = t->rows.n ? t->rows.data[0].addr : 0;
	if (t->rows.n && t->rows.data[t->rows.n - 1].addr - head.base > UINT32_MAX)
		return too_far(t);
	strbuf_init(&addrs);
	strbuf_init(&offsets);
	strbuf_init(&rows);
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct row *r = &t->rows.data[i];
		uint32_t number = file_number(t, &files, r->file);
		uint32_t from = (uint32_t)(r->addr - head.base), at = (uint32_t)rows.len;

		if (i % STP_LINE_BLOCK == 0) {
			put(&addrs, &from, sizeof(from));
			put(&offsets, &at, sizeof(at));
			head.n_blocks++;
			addr = r->addr;
			file = line = 0;
		}
		encode_row(&rows, (uint32_t)(r->addr - addr), (int32_t)(r->line - line),
			   number != file, number);
		addr = r->addr;
		line = r->line;
		file = number;
	}
	pad(&rows);
	head.n_files = (uint32_t)files.names.n;
	head.rows_len = (uint32_t)rows.len;
	head.names_len = (uint32_t)t->names.len;
	put(out, &head, sizeof(head));
	put(out, addrs.s, addrs.len);
	put(out, offsets.s, offsets.len);
	put(out, files.names.data, files.names.n * sizeof(uint32_t));
	put(out, rows.s, rows.len);
	strbuf_deinit(&addrs);
	strbuf_deinit(&offsets);
	strbuf_deinit(&rows);
	return NULL;
}

static int copy_cmp(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->high > y->high ? -1 : x->high < y->high;
}

/* Ranges nest; AROUND is the innermost one so far. */
static uint32_t outer_of(const struct stp_inline_copy *copies, uint32_t around, uint32_t low)
{
	while (around && copies[around - 1].high <= low)
		around = copies[around - 1].outer;
	return around;
}

static struct error *write_copies(struct table *t, struct strbuf *out)
{
	struct stp_inline_table head = { STP_LINE_TABLE_VERSION, STP_TABLE_INLINES };
	struct stp_inline_copy *copies =
		arena_new_array(t->arena, struct stp_inline_copy, t->copies.n);
	uint32_t n = 0;

	if (t->copies.n)
		qsort(t->copies.data, t->copies.n, sizeof(*t->copies.data), copy_cmp);
	head.base = t->copies.n ? t->copies.data[0].low : 0;
	vec_foreach(c, &t->copies) {
		uint32_t low = (uint32_t)(c->low - head.base);

		if (c->high - head.base > UINT32_MAX)
			return too_far(t);
		copies[n] = (struct stp_inline_copy){ low,
						      (uint32_t)(c->high - head.base),
						      outer_of(copies, n, low),
						      c->name,
						      c->call_file,
						      c->call_line };
		n++;
	}
	head.n_copies = n;
	head.names_len = (uint32_t)t->names.len;
	put(out, &head, sizeof(head));
	put(out, copies, n * sizeof(*copies));
	return NULL;
}

static struct error *build(struct table *t, enum line_table_kind kind, const char *out)
{
	struct dwarf_file file;
	struct error *err = dwarf_file_open(t->source->path, &file);
	struct strbuf bytes;

	if (err)
		return err;
	strbuf_init(&bytes);
	strbuf_init(&t->names);
	t->strings = interner_create(t->arena);
	map_init(&t->by_text, t->arena);
	map_init(&t->by_pointer, t->arena);
	err = read_units(t, kind, file.dw);
	if (!err && kind == LINE_TABLE_LINES)
		err = write_lines(t, &bytes);
	else if (!err)
		err = write_copies(t, &bytes);
	if (!err) {
		put(&bytes, t->names.s, t->names.len);
		pad(&bytes);
		err = file_write_atomic(out, bytes.s, bytes.len, 0644);
	}
	strbuf_deinit(&bytes);
	strbuf_deinit(&t->names);
	dwarf_file_close(&file);
	return err;
}

/* What the child is told. */
struct job {
	const struct line_table_source *source;
	enum line_table_kind kind;
};

static struct error *make(void *arg, const char *out)
{
	const struct job *job = arg;
	struct table t = { .arena = arena_create(), .source = job->source };
	struct error *err = build(&t, job->kind, out);

	arena_destroy(t.arena);
	return err;
}

const char *line_table_path(struct arena *arena, const struct line_table_source *source,
			    enum line_table_kind kind, const char *cache_dir)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(source->build_id, hex);
	return path_join(arena, cache_dir,
			 arena_printf(arena, "%s-%s.%u",
				      kind == LINE_TABLE_LINES ? "lines" : "inlines", hex,
				      STP_LINE_TABLE_VERSION));
}

bool line_table_is_kept(const char *kept)
{
	return seal_holds(kept);
}

struct error *line_table_make(const struct line_table_source *source, enum line_table_kind kind,
			      const char *kept)
{
	struct job job = { source, kind };

	return kept_file_make_apart(kept, source->path, make, &job);
}
