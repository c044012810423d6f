/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See unit_files.h. Of a table only the places of its entries are kept; an entry is read when
 * somebody asks for it. Whatever is damaged, or of a form that no compiler gives these entries, is
 * left to libdw, so that its answer counts.
 */
#include "target/unit_files.h"

#include <dwarf.h>
#include <string.h>

#include "base/vec.h"

/*
 * What an entry consists of: five things have numbers (DWARF 5, 7.22), compilers add one of their
 * own.
 */
#define FORMATS_MAX 8

/*
 * The sections of a file that tables are in; a NULL d_buf: there is none that could be read here.
 */
struct sections {
	Elf_Data line, line_str, str;
};

struct format {
	unsigned n;
	struct {
		uint64_t content, form;
	} parts[FORMATS_MAX];
};

/* Entries of directories or files: where each begins, from the table's start. */
struct entries {
	struct format format; /* from DWARF 5 on */
	VEC(uint32_t) at;
};

/* The head of a line table. start NULL: it cannot be read here. */
struct table {
	const struct sections *sections;
	const unsigned char *start, *end;
	unsigned version;
	const char *comp_dir; /* before DWARF 5 directory 0 */
	struct entries dirs, files;
};

/* Reading forward; what would go behind the end is 0 or NULL, and is remembered. */
struct cursor {
	const unsigned char *at, *end;
	bool failed;
};

/* ---- reading ---- */

static uint64_t take(struct cursor *c, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < size) {
		c->failed = true;
		return 0;
	}
	memcpy(&value, c->at, size < sizeof(value) ? size : sizeof(value));
	c->at += size;
	return value;
}

static void skip(struct cursor *c, uint64_t size)
{
	if ((uint64_t)(c->end - c->at) < size)
		c->failed = true;
	else
		c->at += size;
}

static uint64_t take_uleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0, byte;

	do {
		byte = (unsigned)take(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static const char *take_string(struct cursor *c)
{
	const char *ret = (const char *)c->at;

	/* NUL not found: behind the end */
	skip(c, strnlen(ret, c->end - c->at) + 1);
	return c->failed ? NULL : ret;
}

/* The string at an offset of another section. */
static const char *take_offset(struct cursor *c, const Elf_Data *strings)
{
	uint64_t off = take(c, 4);
	const char *ret = (const char *)strings->d_buf + off;

	if (!strings->d_buf || off >= strings->d_size ||
	    strnlen(ret, strings->d_size - off) == strings->d_size - off)
		c->failed = true;
	return c->failed ? NULL : ret;
}

/* What an entry says that is of use. */
struct entry {
	const char *name;
	uint64_t dir;
};

static void take_part(struct cursor *c, const struct sections *s, uint64_t content, uint64_t form,
		      struct entry *ret)
{
	const char *text = NULL;
	uint64_t number = 0;

	switch (form) {
	case DW_FORM_string:
		text = take_string(c);
		break;
	case DW_FORM_line_strp:
		text = take_offset(c, &s->line_str);
		break;
	case DW_FORM_strp:
		text = take_offset(c, &s->str);
		break;
	case DW_FORM_udata:
		number = take_uleb(c);
		break;
	case DW_FORM_data1:
		number = take(c, 1);
		break;
	case DW_FORM_data2:
		number = take(c, 2);
		break;
	case DW_FORM_data4:
		number = take(c, 4);
		break;
	case DW_FORM_data8:
		number = take(c, 8);
		break;
	case DW_FORM_data16:
		skip(c, 16);
		break;
	case DW_FORM_block:
		skip(c, take_uleb(c));
		break;
	default:
		c->failed = true;
	}
	if (content == DW_LNCT_path)
		ret->name = text;
	else if (content == DW_LNCT_directory_index)
		ret->dir = number;
}

static struct entry take_entry(struct cursor *c, const struct table *t, const struct entries *of)
{
	struct entry ret = { 0 };

	if (t->version < 5) {
		ret.name = take_string(c);
		if (of == &t->files && ret.name && *ret.name) {
			ret.dir = take_uleb(c);
			take_uleb(c); /* when it was changed */
			take_uleb(c); /* its length */
		}
		return ret;
	}
	for (unsigned i = 0; i < of->format.n; i++)
		take_part(c, t->sections, of->format.parts[i].content, of->format.parts[i].form,
			  &ret);
	return ret;
}

/* ---- tables ---- */

static void take_format(struct cursor *c, struct format *ret)
{
	ret->n = (unsigned)take(c, 1);
	if (ret->n > FORMATS_MAX) {
		c->failed = true;
		ret->n = 0;
	}
	for (unsigned i = 0; i < ret->n; i++) {
		ret->parts[i].content = take_uleb(c);
		ret->parts[i].form = take_uleb(c);
	}
}

/* Before DWARF 5 a list ends with an empty name, and its first entry is number 1. */
static void take_list(struct unit_files *u, struct cursor *c, struct table *t, struct entries *ret)
{
	uint64_t n = UINT64_MAX;

	if (t->version < 5) {
		vec_push(u->arena, &ret->at, 0);
	} else {
		take_format(c, &ret->format);
		n = take_uleb(c);
		if (!ret->format.n || n > (uint64_t)(c->end - c->at)) {
			c->failed = c->failed || n;
			return;
		}
		vec_reserve(u->arena, &ret->at, n);
	}
	for (uint64_t i = 0; i < n && !c->failed; i++) {
		uint32_t at = (uint32_t)(c->at - t->start);
		struct entry e = take_entry(c, t, ret);

		if (t->version < 5 && (!e.name || !*e.name))
			return;
		vec_push(u->arena, &ret->at, at);
	}
}

/* Up to where the entries begin; what stands behind them is the program's. */
static void take_head(struct cursor *c, struct table *t)
{
	uint64_t length = take(c, 4);
	unsigned opcodes;

	/* above are the escapes of 64-bit DWARF (7.4) */
	if (length >= 0xfffffff0 || length > (uint64_t)(c->end - c->at)) {
		c->failed = true;
		return;
	}
	c->end = c->at + length;
	t->version = (unsigned)take(c, 2);
	if (t->version < 2 || t->version > 5)
		c->failed = true;
	if (t->version >= 5)
		skip(c, 2); /* sizes of addresses and of segment selectors */
	length = take(c, 4);
	if (length > (uint64_t)(c->end - c->at))
		c->failed = true;
	else
		c->end = c->at + length;
	/*
	 * least instruction, operations each (from DWARF 4 on), default_is_stmt, line_base,
	 * line_range
	 */
	skip(c, t->version >= 4 ? 5 : 4);
	opcodes = (unsigned)take(c, 1);
	skip(c, opcodes ? opcodes - 1 : 0);
}

/* The one section of that name; none where there are several, or where it is still compressed. */
static void find_section(Elf *elf, const char *name, Elf_Data *ret)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	size_t names;
	GElf_Shdr h;
	bool seen = false;

	*ret = (Elf_Data){ 0 };
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *text = gelf_getshdr(scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (!text || strcmp(text, name))
			continue;
		data = seen || h.sh_flags & SHF_COMPRESSED ? NULL : elf_getdata(scn, NULL);
		*ret = data ? *data : (Elf_Data){ 0 };
		seen = true;
	}
}

static const struct sections *sections_of(struct unit_files *u, Dwarf *dw)
{
	struct sections *s = map_get(&u->sections, dw);

	if (s)
		return s;
	s = arena_new(u->arena, struct sections);
	find_section(dwarf_getelf(dw), ".debug_line", &s->line);
	find_section(dwarf_getelf(dw), ".debug_line_str", &s->line_str);
	find_section(dwarf_getelf(dw), ".debug_str", &s->str);
	map_put(&u->sections, dw, s);
	return s;
}

/* The files of a split unit are in another table than its lines. */
static bool is_split(Dwarf_Die *unit)
{
	uint8_t type;

	return dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
	       (type != DW_UT_compile && type != DW_UT_partial);
}

static const struct table *table_of(struct unit_files *u, Dwarf_Die *unit)
{
	struct table *t = map_get(&u->tables, unit->cu);
	struct cursor c = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Word offset;

	if (t)
		return t;
	t = arena_new(u->arena, struct table);
	map_put(&u->tables, unit->cu, t);
	if (is_split(unit) || dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &attr), &offset))
		return t;
	t->sections = sections_of(u, dwarf_cu_getdwarf(unit->cu));
	if (!t->sections->line.d_buf || offset >= t->sections->line.d_size)
		return t;
	t->start = c.at = (const unsigned char *)t->sections->line.d_buf + offset;
	c.end = t->start + (t->sections->line.d_size - offset);
	t->comp_dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	take_head(&c, t);
	t->end = c.end;
	take_list(u, &c, t, &t->dirs);
	take_list(u, &c, t, &t->files);
	if (c.failed)
		t->start = NULL;
	return t;
}

/* false: there is no such entry. */
static bool read_entry(const struct table *t, const struct entries *of, uint64_t i,
		       struct entry *ret)
{
	struct cursor c = { .end = t->end };

	if (i >= of->at.n || (t->version < 5 && !i))
		return false;
	c.at = t->start + of->at.data[i];
	*ret = take_entry(&c, t, of);
	return !c.failed && ret->name;
}

/*
 * false: the directory is not known; *RET may be NULL all the same, as that of a unit that has
 * none.
 */
static bool read_dir(const struct table *t, uint64_t i, const char **ret)
{
	struct entry e;

	if (t->version < 5 && !i) {
		*ret = t->comp_dir;
		return true;
	}
	if (!read_entry(t, &t->dirs, i, &e))
		return false;
	*ret = e.name;
	return true;
}

void unit_files_init(struct unit_files *u, struct arena *arena)
{
	u->arena = arena;
	map_init(&u->tables, arena);
	map_init(&u->sections, arena);
	strbuf_init(&u->text);
}

void unit_files_deinit(struct unit_files *u)
{
	strbuf_deinit(&u->text);
}

const char *unit_files_declared_in(struct unit_files *u, Dwarf_Die *die)
{
	const struct table *t;
	const char *dir;
	Dwarf_Word number;
	struct entry e;
	Dwarf_Die unit;

	if (!dwarf_declared_number(die, &unit, &number))
		return NULL;
	t = table_of(u, &unit);
	if (!t->start || !read_entry(t, &t->files, number, &e))
		return dwarf_declared_in(die);
	if (*e.name == '/')
		return e.name;
	if (!read_dir(t, e.dir, &dir))
		return dwarf_declared_in(die);
	strbuf_reset(&u->text);
	if (dir) {
		strbuf_adds(&u->text, dir);
		strbuf_addc(&u->text, '/');
	}
	strbuf_adds(&u->text, e.name);
	return strbuf_cstr(&u->text);
}
