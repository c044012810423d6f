/* links: target ir base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module written by the test, byte by byte: a relocatable ELF file with symbols in two text sections, a table of
 * traced functions, and DWARF whose addresses and names are relocations. What target/ makes of it: functions, inlined
 * copies, variables, sections, its index in the cache; and that no damage to it is more than an error.
 *
 *   .text        toy_read(int n) at 16, traced, 32 bytes; local "twice" in rbx; an inlined copy of toy_help at 24, and
 *                one of toy_split in two parts, of which that at 40 is the first
 *                toy_twin at 48 and at 56, one name for two functions; toy_raw at 64, not in BTF or traced
 *   .init.text   toy_init at 0, which is init_module too
 *   .kprobes.text toy_forbidden
 *   .data        toy_count at 8
 *   .data..percpu toy_each
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/seal.h"
#include "target/btf_types.h"
#include "target/convention.h"
#include "target/dwarf.h"
#include "target/index_format.h"
#include "target/index_set.h"
#include "target/object.h"
#include "target/objects.h"
#include "target/scope.h"
#include "target/target.h"
#include "target/variables.h"
#include "target/workers.h"
#include "target/internal.h"

/* ---- bytes ---- */

struct bytes {
	unsigned char data[2048];
	size_t n;
};

static size_t put(struct bytes *b, const void *data, size_t n)
{
	size_t at = b->n;

	memcpy(b->data + at, data, n);
	b->n += n;
	return at;
}

static size_t put_number(struct bytes *b, uint64_t v, size_t n)
{
	return put(b, &v, n);
}

static size_t put_text(struct bytes *b, const char *s)
{
	return put(b, s, strlen(s) + 1);
}

/* ---- the file ---- */

enum section {
	S_NONE,
	S_NOTE,
	S_TEXT,
	S_INIT,
	S_KPROBES,
	S_DATA,
	S_PERCPU,
	S_MCOUNT,
	S_RELA_MCOUNT,
	S_INFO,
	S_RELA_INFO,
	S_ABBREV,
	S_STR,
	S_RANGES,
	S_RELA_RANGES,
	S_LINK,
	S_SYMTAB,
	S_STRTAB,
	S_SHSTRTAB,
	S_COUNT
};

static const struct {
	const char *name;
	uint32_t type, flags, align, entry;
} kinds[S_COUNT] = {
	[S_NOTE] = { ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 4, 0 },
	[S_TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, 0 },
	[S_INIT] = { ".init.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, 0 },
	[S_KPROBES] = { ".kprobes.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, 0 },
	[S_DATA] = { ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 32, 0 },
	[S_PERCPU] = { ".data..percpu", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, 0 },
	[S_MCOUNT] = { "__mcount_loc", SHT_PROGBITS, SHF_ALLOC, 8, 0 },
	[S_RELA_MCOUNT] = { ".rela__mcount_loc", SHT_RELA, 0, 8, sizeof(Elf64_Rela) },
	[S_INFO] = { ".debug_info", SHT_PROGBITS, 0, 1, 0 },
	[S_RELA_INFO] = { ".rela.debug_info", SHT_RELA, 0, 8, sizeof(Elf64_Rela) },
	[S_ABBREV] = { ".debug_abbrev", SHT_PROGBITS, 0, 1, 0 },
	[S_STR] = { ".debug_str", SHT_PROGBITS, SHF_MERGE | SHF_STRINGS, 1, 1 },
	[S_RANGES] = { ".debug_rnglists", SHT_PROGBITS, 0, 1, 0 },
	[S_RELA_RANGES] = { ".rela.debug_rnglists", SHT_RELA, 0, 8, sizeof(Elf64_Rela) },
	[S_LINK] = { ".gnu_debuglink", SHT_PROGBITS, 0, 4, 0 },
	[S_SYMTAB] = { ".symtab", SHT_SYMTAB, 0, 8, sizeof(Elf64_Sym) },
	[S_STRTAB] = { ".strtab", SHT_STRTAB, 0, 1, 0 },
	[S_SHSTRTAB] = { ".shstrtab", SHT_STRTAB, 0, 1, 0 },
};

struct toy {
	struct bytes sections[S_COUNT];
	Elf64_Off offsets[S_COUNT];
	unsigned char file[16384];
	size_t len;
};

static void symbol(struct toy *t, const char *name, int type, int section, uint64_t value)
{
	Elf64_Sym sym = { .st_name = put_text(&t->sections[S_STRTAB], name),
			  .st_info = ELF64_ST_INFO(STB_LOCAL, type),
			  .st_shndx = section,
			  .st_value = value };

	put(&t->sections[S_SYMTAB], &sym, sizeof(sym));
}

/* Symbols 1 to S_SHSTRTAB are those of the sections: relocations refer to them by the section's number. */
static void symbols(struct toy *t)
{
	put_number(&t->sections[S_STRTAB], 0, 1);
	symbol(t, "", STT_NOTYPE, 0, 0);
	for (int i = 1; i < S_COUNT; i++)
		symbol(t, "", STT_SECTION, i, 0);
	symbol(t, "toy_read", STT_FUNC, S_TEXT, 16);
	symbol(t, "toy_twin", STT_FUNC, S_TEXT, 48);
	symbol(t, "toy_twin", STT_FUNC, S_TEXT, 56);
	symbol(t, "toy_raw", STT_FUNC, S_TEXT, 64);
	symbol(t, "toy_label", STT_NOTYPE, S_TEXT, 72);
	symbol(t, "toy_init", STT_FUNC, S_INIT, 0);
	symbol(t, "init_module", STT_FUNC, S_INIT, 0);
	symbol(t, "toy_forbidden", STT_FUNC, S_KPROBES, 0);
	symbol(t, "toy_count", STT_OBJECT, S_DATA, 8);
	symbol(t, "toy_each", STT_OBJECT, S_PERCPU, 0);
}

static void relocate(struct toy *t, int section, size_t at, int type, int symbol, int64_t addend)
{
	Elf64_Rela r = { at, ELF64_R_INFO((uint64_t)symbol, type), addend };

	put(&t->sections[section], &r, sizeof(r));
}

static void traced(struct toy *t, int section, uint64_t offset)
{
	relocate(t, S_RELA_MCOUNT, put_number(&t->sections[S_MCOUNT], 0, 8), R_X86_64_64, section,
		 offset);
}

static const unsigned char abbreviations[] = {
	1,
	DW_TAG_compile_unit,
	1,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_comp_dir,
	DW_FORM_string,
	0,
	0,
	2,
	DW_TAG_base_type,
	0,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_encoding,
	DW_FORM_data1,
	DW_AT_byte_size,
	DW_FORM_data1,
	0,
	0,
	3,
	DW_TAG_subprogram,
	1,
	DW_AT_name,
	DW_FORM_strp,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data8,
	DW_AT_type,
	DW_FORM_ref4,
	DW_AT_prototyped,
	DW_FORM_flag_present,
	0,
	0,
	4,
	DW_TAG_formal_parameter,
	0,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_type,
	DW_FORM_ref4,
	DW_AT_location,
	DW_FORM_exprloc,
	0,
	0,
	5,
	DW_TAG_variable,
	0,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_type,
	DW_FORM_ref4,
	DW_AT_location,
	DW_FORM_exprloc,
	0,
	0,
	6,
	DW_TAG_inlined_subroutine,
	0,
	DW_AT_abstract_origin,
	DW_FORM_ref4,
	DW_AT_low_pc,
	DW_FORM_addr,
	DW_AT_high_pc,
	DW_FORM_data8,
	0,
	0,
	7,
	DW_TAG_subprogram,
	0,
	DW_AT_name,
	DW_FORM_string,
	DW_AT_inline,
	DW_FORM_data1,
	0,
	0,
	8,
	DW_TAG_inlined_subroutine,
	0,
	DW_AT_abstract_origin,
	DW_FORM_ref4,
	DW_AT_ranges,
	DW_FORM_sec_offset,
	0,
	0,
	0,
};

static void put_string(struct toy *t, const char *s)
{
	struct bytes *info = &t->sections[S_INFO];
	size_t at = put_text(&t->sections[S_STR], s);

	relocate(t, S_RELA_INFO, put_number(info, 0, 4), R_X86_64_32, S_STR, at);
}

static void put_range(struct toy *t, int section, uint64_t low, uint64_t len)
{
	struct bytes *info = &t->sections[S_INFO];

	relocate(t, S_RELA_INFO, put_number(info, 0, 8), R_X86_64_64, section, low);
	put_number(info, len, 8);
}

static void function(struct toy *t, const char *name, int section, uint64_t low, uint64_t len,
		     size_t type)
{
	put_number(&t->sections[S_INFO], 3, 1);
	put_string(t, name);
	put_range(t, section, low, len);
	put_number(&t->sections[S_INFO], type, 4);
}

static void variable(struct toy *t, int code, const char *name, size_t type, int op)
{
	struct bytes *info = &t->sections[S_INFO];

	put_number(info, code, 1);
	put_text(info, name);
	put_number(info, type, 4);
	put_number(info, 1, 1);
	put_number(info, op, 1);
}

static size_t inlined_function(struct toy *t, const char *name)
{
	struct bytes *info = &t->sections[S_INFO];
	size_t at = put_number(info, 7, 1);

	put_text(info, name);
	put_number(info, DW_INL_inlined, 1);
	return at;
}

/* DWARF 5, 7.28: its only list. Returns where that begins. */
static size_t ranges(struct toy *t)
{
	/* in .text, from, bytes */
	static const unsigned parts[][2] = { { 40, 4 }, { 30, 2 } };
	struct bytes *b = &t->sections[S_RANGES];
	uint32_t len;
	size_t list;

	put_number(b, 0, 4); /* length */
	put_number(b, 5, 2);
	put_number(b, 8, 1);
	put_number(b, 0, 1);
	list = put_number(b, 0, 4) + 4;
	for (size_t i = 0; i < 2; i++) {
		put_number(b, DW_RLE_start_length, 1);
		relocate(t, S_RELA_RANGES, put_number(b, 0, 8), R_X86_64_64, S_TEXT, parts[i][0]);
		put_number(b, parts[i][1], 1);
	}
	put_number(b, DW_RLE_end_of_list, 1);
	len = b->n - 4;
	memcpy(b->data, &len, 4);
	return list;
}

static void debug_info(struct toy *t)
{
	struct bytes *info = &t->sections[S_INFO];
	size_t type, help, split;
	uint32_t len;

	put(&t->sections[S_ABBREV], abbreviations, sizeof(abbreviations));
	put_number(&t->sections[S_STR], 0, 1);
	put_number(info, 0, 4); /* length */
	put_number(info, 5, 2);
	put_number(info, DW_UT_compile, 1);
	put_number(info, 8, 1);
	put_number(info, 0, 4);
	put_number(info, 1, 1);
	put_text(info, "toy.c");
	put_text(info, "/b");
	type = put_number(info, 2, 1);
	put_text(info, "int");
	put_number(info, DW_ATE_signed, 1);
	put_number(info, 4, 1);
	help = inlined_function(t, "toy_help");
	split = inlined_function(t, "toy_split");
	function(t, "toy_read", S_TEXT, 16, 32, type);
	variable(t, 4, "n", type, DW_OP_reg5);
	variable(t, 5, "twice", type, DW_OP_reg3);
	put_number(info, 6, 1);
	put_number(info, help, 4);
	put_range(t, S_TEXT, 24, 4);
	put_number(info, 8, 1);
	put_number(info, split, 4);
	put_number(info, ranges(t), 4);
	put_number(info, 0, 1);
	function(t, "toy_init", S_INIT, 0, 16, type);
	put_number(info, 0, 1);
	put_number(info, 5, 1);
	put_text(info, "toy_count");
	put_number(info, type, 4);
	put_number(info, 9, 1);
	put_number(info, DW_OP_addr, 1);
	relocate(t, S_RELA_INFO, put_number(info, 0, 8), R_X86_64_64, S_DATA, 8);
	put_number(info, 0, 1);
	len = info->n - 4;
	memcpy(info->data, &len, 4);
}

#define ID "twenty bytes of name"

static void contents(struct toy *t, bool build_id)
{
	if (build_id) {
		struct bytes *note = &t->sections[S_NOTE];

		put_number(note, 4, 4);
		put_number(note, BUILD_ID_SIZE, 4);
		put_number(note, NT_GNU_BUILD_ID, 4);
		put_text(note, "GNU");
		put(note, ID, BUILD_ID_SIZE);
	}
	t->sections[S_TEXT].n = 80;
	t->sections[S_INIT].n = 16;
	t->sections[S_KPROBES].n = 8;
	t->sections[S_DATA].n = 16;
	t->sections[S_PERCPU].n = 8;
	traced(t, S_TEXT, 16);
	traced(t, S_TEXT, 52);
	traced(t, S_INIT, 4);
	symbols(t);
}

static void assemble(struct toy *t)
{
	Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			 .e_type = ET_REL,
			 .e_machine = EM_X86_64,
			 .e_version = EV_CURRENT,
			 .e_ehsize = sizeof(e),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = S_COUNT,
			 .e_shstrndx = S_SHSTRTAB };
	Elf64_Shdr headers[S_COUNT] = { 0 };
	size_t at = sizeof(e);

	for (int i = 1; i < S_COUNT; i++)
		headers[i].sh_name = put_text(&t->sections[S_SHSTRTAB], kinds[i].name);
	for (int i = 1; i < S_COUNT; i++) {
		Elf64_Shdr *h = &headers[i];

		at = (at + 31) & ~31ull;
		h->sh_type = kinds[i].type;
		h->sh_flags = kinds[i].flags;
		h->sh_addralign = kinds[i].align;
		h->sh_entsize = kinds[i].entry;
		h->sh_offset = t->offsets[i] = at;
		h->sh_size = t->sections[i].n;
		memcpy(t->file + at, t->sections[i].data, t->sections[i].n);
		at += t->sections[i].n;
	}
	headers[S_RELA_MCOUNT].sh_link = headers[S_RELA_INFO].sh_link = S_SYMTAB;
	headers[S_RELA_RANGES].sh_link = S_SYMTAB;
	headers[S_RELA_RANGES].sh_info = S_RANGES;
	headers[S_RELA_MCOUNT].sh_info = S_MCOUNT;
	headers[S_RELA_INFO].sh_info = S_INFO;
	headers[S_SYMTAB].sh_link = S_STRTAB;
	headers[S_SYMTAB].sh_info = S_COUNT;
	at = (at + 31) & ~31ull;
	e.e_shoff = at;
	memcpy(t->file, &e, sizeof(e));
	memcpy(t->file + at, headers, sizeof(headers));
	t->len = at + sizeof(headers);
	assert_true(t->len <= sizeof(t->file));
}

static void write_file(const char *path, const void *data, size_t len)
{
	struct error *err = file_write_atomic(path, data, len, 0644);

	assert_null(err);
}

/* ---- a target that has it ---- */

struct fixture {
	struct target target;
	struct target_object module;
	char dir[64], path[128];
	struct toy toy;
};

static void open_target(struct fixture *f)
{
	struct target *t = &f->target;
	struct btf_types *types = &t->kernel.types;

	memset(t, 0, sizeof(*t));
	t->arena = arena_create();
	t->release = "test";
	t->cache_dir = f->dir;
	t->root = "/nonexistent";
	t->has_modules = true;
	t->machine = &machine_x86_64;
	t->kernel = (struct target_object){ .target = t,
					    .kind = OBJECT_KERNEL,
					    .name = "kernel",
					    .is_loaded = true,
					    .has_sought_dwarf = true };
	btf_types_init(types, t);
	t->none = (struct target_scope){ .target = t, .object = &t->kernel };
	f->module = (struct target_object){
		.target = t, .kind = OBJECT_MODULE, .name = "toy", .path = f->path
	};
	vec_push(t->arena, &t->modules, &f->module);
}

static void close_target(struct fixture *f)
{
	if (f->module.dwarf)
		dwarf_close(f->module.dwarf);
	f->target.kernel.is_loaded = false;
	objects_close(&f->target);
	arena_destroy(f->target.arena);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	strcpy(f->dir, "/tmp/spile-module-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->path, sizeof(f->path), "%s/toy.ko", f->dir);
	contents(&f->toy, true);
	debug_info(&f->toy);
	assemble(&f->toy);
	write_file(f->path, f->toy.file, f->toy.len);
	open_target(f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	close_target(f);
	assert_null(dir_remove_all(f->dir));
	free(f);
	return 0;
}

static struct target_functions find(struct fixture *f, const char *name, bool inlines)
{
	struct target_function_query q = { .name = name, .module = "toy", .inlines = inlines };
	struct target_functions found;
	struct error *err = target_find_functions(&f->target, &q, &found);

	if (err)
		fprintf(stderr, "%s\n", err->text);
	assert_null(err);
	return found;
}

/* ---- tests ---- */

static void lists_functions(void **state)
{
	static const char *const want[] = { "toy_help",  "toy_init", "toy_raw", "toy_read",
					    "toy_split", "toy_twin", "toy_twin" };
	struct target_functions found = find(*state, "*", true);

	assert_int_equal(found.n, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_string_equal(found.data[i].name, want[i]);
		assert_string_equal(found.data[i].module, "toy");
	}
	assert_true(found.data[1].traceable && found.data[1].is_unique);
	assert_true(found.data[3].traceable && found.data[3].is_unique);
	assert_false(found.data[2].traceable);
	assert_false(found.data[5].is_unique);
	/* the call of __fentry__ of the first is behind an ENDBR64 */
	assert_true(found.data[5].traceable);
	assert_false(found.data[6].traceable);
}

static void finds_aliases_by_name(void **state)
{
	assert_int_equal(find(*state, "init_*", true).n, 0);
	assert_int_equal(find(*state, "init_module", true).n, 1);
}

static void knows_sections(void **state)
{
	struct fixture *f = *state;
	struct target_functions found = find(f, "toy_init", false);
	struct target_address at = target_address_in(found.data[0].object, found.data[0].addr);

	assert_string_equal(at.section->name, ".init.text");
	assert_int_equal(at.offset, 0);
	assert_ptr_equal(at.object, &f->module);
	assert_string_equal(at.section->object->name, "toy");
	assert_true(at.section->object->has_build_id);
	/* init_module is as good: the first by name */
	assert_string_equal(at.section->anchor, "init_module");
	assert_int_equal(at.section->anchor_offset, 0);
	found = find(f, "toy_read", false);
	at = target_address_in(found.data[0].object, found.data[0].addr);
	assert_string_equal(at.section->name, ".text");
	assert_int_equal(at.offset, 16);
	assert_string_equal(at.section->anchor, "toy_read");
	assert_int_equal(at.section->anchor_offset, 16);
	at = target_address_in(&f->module, object_symbol(&f->module, "toy_count"));
	assert_string_equal(at.section->name, ".data");
	assert_int_equal(at.offset, 8);
}

static void finds_inlined_copies(void **state)
{
	struct target_functions found = find(*state, "toy_help", true);

	assert_int_equal(found.n, 1);
	assert_string_equal(found.data[0].holder, "toy_read");
	assert_int_equal(found.data[0].holder_offset, 8);
}

/* Where its code is in parts a copy begins with the first that is listed (DWARF 5, 2.18). */
static void finds_parted_copies(void **state)
{
	struct target_functions found = find(*state, "toy_split", true);

	assert_int_equal(found.n, 1);
	assert_string_equal(found.data[0].holder, "toy_read");
	assert_int_equal(found.data[0].holder_offset, 24);
}

static struct location linked(struct fixture *f, uint64_t addr)
{
	return location_relocate(&f->module, location_linked(f->target.arena, addr));
}

/* One rule for what DWARF and the symbol table say: what cannot be found at run time is refused. */
static void relocates_addresses(void **state)
{
	struct fixture *f = *state;
	struct location l = linked(f, object_symbol(&f->module, "toy_count"));
	uint64_t each = object_symbol(&f->module, "toy_each");

	assert_int_equal(l.kind, LOCATION_MEMORY);
	assert_string_equal(l.address.insns[0].section->name, ".data");
	assert_int_equal(l.address.insns[0].value, 8);
	assert_string_equal(target_address_in(&f->module, each).section->name, ".data..percpu");
	l = linked(f, each);
	assert_int_equal(l.kind, LOCATION_MEMORY);
	assert_string_equal(l.address.insns[0].section->name, ".data..percpu");
	/* in no section */
	assert_int_equal(linked(f, UINT64_MAX).kind, LOCATION_NONE);
	/* of vmlinux: as it is linked */
	l = location_relocate(&f->target.kernel, location_linked(f->target.arena, 4096));
	assert_int_equal(l.address.insns[0].value, 4096);
	assert_null(l.address.insns[0].section);
}

/* Of the module's own, by DWARF: an offset in a section. */
static void reads_globals(void **state)
{
	struct fixture *f = *state;
	struct target_query q = { .base = TARGET_GLOBAL, .name = "toy_count", .module = "toy" };
	struct target_value value;

	assert_null(target_resolve(&f->target, target_scope_none(&f->target), &q, &value));
	assert_int_equal(value.status, TARGET_OK);
	assert_int_equal(value.load.insns[0].op, FETCH_ADDRESS);
	assert_string_equal(value.load.insns[0].section->name, ".data");
	assert_int_equal(value.load.insns[0].value, 8);
	q.module = "toys";
	assert_null(target_resolve(&f->target, target_scope_none(&f->target), &q, &value));
	assert_int_equal(value.status, TARGET_NO_VARIABLE);
}

static void reads_variables(void **state)
{
	struct fixture *f = *state;
	struct target_functions found = find(f, "toy_read", false);
	const struct target_scope *scope = target_scope_entry(&f->target, &found.data[0]);
	struct target_query q = { .name = "twice" };
	struct target_variables vars;
	struct target_value value;

	assert_null(target_variables(&f->target, scope, &vars));
	assert_int_equal(vars.n, 2);
	assert_string_equal(vars.data[0].name, "n");
	assert_true(vars.data[0].is_param && vars.data[0].readable);
	assert_string_equal(vars.data[0].ctype, "int");
	assert_string_equal(vars.data[1].name, "twice");
	assert_null(target_resolve(&f->target, scope, &q, &value));
	assert_int_equal(value.status, TARGET_OK);
	assert_int_equal(value.load.insns[0].number, 3);
	assert_null(target_variables(&f->target, target_scope_return(&f->target, &found.data[0]),
				     &vars));
	assert_int_equal(vars.n, 1);
}

/* What a hint may say of a module's functions: names of its own, not of the kernel. */
static void knows_similar_names(void **state)
{
	struct fixture *f = *state;
	const char *near[2];

	assert_int_equal(target_similar_functions(&f->target, "toy", "toy_raed", near, 2), 1);
	assert_string_equal(near[0], "toy_read");
	assert_int_equal(target_similar_functions(&f->target, "to*", "toy_raed", near, 2), 0);
	assert_int_equal(target_similar_functions(&f->target, "toys", "toy_raed", near, 2), 0);
	assert_true(target_has_dwarf(&f->target, "toy"));
	assert_false(target_has_dwarf(&f->target, NULL));
}

/* A second unit that cannot be read: the first is no whole answer, and the words are the scanner's. */
static void tells_of_a_damaged_unit(void **state)
{
	struct fixture *f = *state;
	struct bytes *info = &f->toy.sections[S_INFO];

	put_number(info, 100000, 4);
	put_number(info, 5, 2);
	assemble(&f->toy);
	write_file(f->path, f->toy.file, f->toy.len);
	assert_false(target_has_dwarf(&f->target, "toy"));
	assert_non_null(f->module.dwarf_problem);
	assert_null(strstr(f->module.dwarf_problem, "scanning the debug information failed"));
	assert_non_null(strstr(f->module.dwarf_problem, f->path));
}

/* The files of CACHE/modules whose names begin so, and the last of them in *ret. */
static size_t kept_files(struct fixture *f, const char *prefix, const char **ret)
{
	const char *dir = arena_printf(f->target.arena, "%s/modules", f->dir);
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t n = 0;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, prefix, strlen(prefix))) {
			*ret = path_join(f->target.arena, dir, e->d_name);
			n++;
		}
	if (d)
		closedir(d);
	return n;
}

/*
 * Opened a second time, the index in the cache is what answers: the module's own bytes are gone, its size and time are
 * not.
 */
static void keeps_the_index(void **state)
{
	struct fixture *f = *state;
	struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	static char nothing[16384];
	const char *kept = "";

	assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0);
	find(f, "*", false);
	assert_null(f->module.index.map.data);
	assert_int_equal(kept_files(f, "toy-", &kept), 2); /* with its seal */
	assert_non_null(strstr(kept, arena_printf(f->target.arena, ".%u", INDEX_VERSION)));
	close_target(f);
	open_target(f);
	f->target.no_dwarf = true;
	assert_int_equal(find(f, "toy_read", false).n, 1);
	assert_non_null(f->module.index.map.data);
	close_target(f);
	/* another one, in place and with the old time */
	for (int fd = open(f->path, O_WRONLY), once = 1; once; once--) {
		assert_true(fd >= 0);
		assert_int_equal(write(fd, nothing, f->toy.len + 1), f->toy.len + 1);
		close(fd);
	}
	assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0);
	open_target(f);
	assert_false(object_try_load(&f->module));
}

#define COPIES 20

/* A target with COPIES of the module beside it, none of them loaded. */
static void open_copies(struct fixture *f)
{
	struct target *t = &f->target;

	open_target(f);
	for (int i = 0; i < COPIES; i++) {
		struct target_object *o = arena_new(t->arena, struct target_object);

		o->target = t;
		o->kind = OBJECT_MODULE;
		o->name = arena_printf(t->arena, "copy%d", i);
		o->path = arena_printf(t->arena, "%s/%s.ko", f->dir, o->name);
		if (!file_exists(o->path))
			write_file(o->path, f->toy.file, f->toy.len);
		vec_push(t->arena, &t->modules, o);
	}
}

/* Loads them together, in a target of their own; returns how many could be. */
static size_t load_copies(struct fixture *f)
{
	struct target *t = &f->target;
	size_t n = 0;

	close_target(f);
	open_copies(f);
	modules_load(t, t->modules.data + 1, COPIES);
	vec_foreach(o, &t->modules)
		if ((*o)->is_loaded) {
			assert_int_not_equal(object_symbol(*o, "toy_read"), 0);
			n++;
		}
	return n;
}

static void count_report(void *arg, const char *path, const char *why)
{
	size_t *n = arg;

	*n += strstr(path, "/modules/all-") != NULL;
}

static void flip(const char *path, long at)
{
	int fd = open(path, O_RDWR);
	char c;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &c, 1, at), 1);
	c = (char)~c;
	assert_int_equal(pwrite(fd, &c, 1, at), 1);
	close(fd);
}

static void keeps_many_together(void **state)
{
	struct fixture *f = *state;
	const char *kept = "", *path;
	struct stat before, after;

	assert_int_equal(load_copies(f), COPIES);
	assert_int_equal(kept_files(f, "", &kept), 3); /* with "." and ".." */
	assert_int_equal(kept_files(f, "all-", &kept), 1);
	assert_true(path_has_suffix(
		kept, arena_printf(f->target.arena, ".%u-%u", INDEX_SET_VERSION, INDEX_VERSION)));
	assert_int_equal(stat(kept, &before), 0);
	assert_int_equal(load_copies(f), COPIES);
	/* another of them is made by itself, and the rest stay */
	path = f->target.modules.data[3]->path;
	write_file(path, f->toy.file, f->toy.len - 300);
	assert_int_equal(load_copies(f), COPIES - 1);
	assert_false(object_try_load(f->target.modules.data[3]));
	unlink(path);
	assert_int_equal(load_copies(f), COPIES - 1);
	assert_true(object_try_load(f->target.modules.data[3]));
	assert_int_equal(kept_files(f, "copy2-", &kept), 2); /* with its seal */
	assert_int_equal(kept_files(f, "all-", &kept), 1);
	assert_int_equal(stat(kept, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

/* Of a set that lacks many all that is not new is taken over. */
static void adds_to_the_set(void **state)
{
	struct fixture *f = *state;
	const char *kept = "";

	assert_int_equal(load_copies(f), COPIES);
	for (int i = 0; i < COPIES - 2; i++)
		unlink(f->target.modules.data[1 + i]->path);
	assert_int_equal(load_copies(f), COPIES);
	/* those that were not asked for, too */
	for (int i = 0; i < COPIES - 2; i++)
		unlink(f->target.modules.data[1 + i]->path);
	close_target(f);
	open_copies(f);
	modules_load(&f->target, f->target.modules.data + 1, COPIES - 2);
	close_target(f);
	open_copies(f);
	modules_load(&f->target, f->target.modules.data + 1, COPIES);
	for (int i = 1; i <= COPIES; i++)
		assert_true(f->target.modules.data[i]->index.is_borrowed);
	assert_int_equal(kept_files(f, "all-", &kept), 1);
	assert_int_equal(kept_files(f, "", &kept), 3);
}

/* Cut short, and a wrong byte in the header, in the table and in an index. */
static void notices_a_damaged_set(void **state)
{
	struct fixture *f = *state;
	const char *kept = "";
	struct stat st;
	size_t reports = 0;

	seal_watch(count_report, &reports);
	assert_int_equal(load_copies(f), COPIES);
	assert_int_equal(kept_files(f, "all-", &kept), 1);
	kept = strdup(kept);
	assert_non_null(kept);
	assert_int_equal(stat(kept, &st), 0);
	for (size_t i = 0; i < 4; i++) {
		if (i)
			flip(kept, i == 1 ? 1 : i == 2 ? 64 : st.st_size / 2);
		else
			assert_int_equal(truncate(kept, st.st_size - 8), 0);
		/* of an index one, which is made alone */
		assert_int_equal(load_copies(f), i == 3 ? COPIES - 1 : COPIES);
		assert_int_equal(reports, i + 1);
		assert_int_equal(file_exists(kept), i < 3);
		assert_int_equal(load_copies(f), COPIES);
		assert_int_equal(reports, i + 1);
	}
	free((char *)kept);
	seal_watch(NULL, NULL);
}

/* A new target whose kernel has a file, and what lists of the modules named rest on. */
static uint64_t identity(struct fixture *f, const char *module, bool no_dwarf)
{
	struct target_object *kernel = &f->target.kernel;
	struct image image;
	uint64_t ret;
	char *bytes;
	size_t len;

	close_target(f);
	open_copies(f);
	assert_null(image_open_memory(memcpy(malloc(f->toy.len), f->toy.file, f->toy.len),
				      f->toy.len, "toy", &image));
	assert_null(index_build_module(&image, 1, NULL, &bytes, &len));
	image_close(&image);
	assert_null(index_open_bytes(bytes, len, &kernel->index));
	kernel->path = "/boot/vmlinuz";
	kernel->has_build_id = true;
	f->target.no_dwarf = no_dwarf;
	ret = target_modules_identity(&f->target, module);
	index_close(&kernel->index);
	return ret;
}

static void knows_what_lists_rest_on(void **state)
{
	struct fixture *f = *state;
	uint64_t all = identity(f, "*", true), some = identity(f, "copy1*", true),
		 one = identity(f, "copy1", true), other = identity(f, "copy2", true);
	const char *path = arena_printf(f->target.arena, "%s/copy2.ko", f->dir);

	path = strdup(path);
	assert_true(all && some && one && other);
	assert_true(all != some && some != one && one != other);
	assert_int_equal(identity(f, "none", true), 0);
	assert_int_equal(identity(f, "none*", true), 0);
	/* they have debug information themselves */
	assert_int_not_equal(identity(f, "*", false), all);
	assert_int_not_equal(identity(f, "copy1", false), one);
	assert_int_equal(identity(f, "*", true), all);
	write_file(path, f->toy.file, f->toy.len);
	assert_int_not_equal(identity(f, "*", true), all);
	assert_int_not_equal(identity(f, "copy2", true), other);
	assert_int_equal(identity(f, "copy1*", true), some);
	/* what cannot be read is told each time */
	write_file(path, f->toy.file, f->toy.len - 300);
	assert_int_equal(identity(f, "*", true), 0);
	assert_int_equal(identity(f, "copy2", true), 0);
	assert_int_equal(identity(f, "copy1*", true), some);
	free((char *)path);
}

/* Who comes last leaves a whole one. */
static void makes_two_sets_at_once(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(f->target.arena, "%s/set", f->dir);
	struct index_set_maker *makers[2];
	struct index ix;
	struct index_set *set;

	assert_true(object_try_load(&f->module));
	for (size_t i = 0; i < 2; i++) {
		const struct index_header *h = index_header(&f->module.index);

		makers[i] = index_set_begin(path, 3);
		assert_non_null(makers[i]);
		index_set_add(makers[i], 1, i, h->identity, h, h->file_size);
	}
	for (size_t i = 0; i < 2; i++) {
		assert_null(index_set_finish(makers[i]));
		set = index_set_open(path);
		assert_non_null(set);
		for (size_t key = 0; key < 2; key++)
			assert_int_equal(index_set_find(set, key,
							index_header(&f->module.index)->identity,
							&ix),
					 key == i);
		index_set_close(set);
	}
}

static const char *find_debug(struct fixture *f, const char *path)
{
	f->target.debuginfo_path = path;
	return object_try_load(&f->module) ? debug_file_find(&f->module) : NULL;
}

static struct toy *stripped(bool build_id, const char *link, uint32_t crc)
{
	struct toy *t = calloc(1, sizeof(*t));

	contents(t, build_id);
	if (link) {
		put_text(&t->sections[S_LINK], link);
		while (t->sections[S_LINK].n % 4)
			put_number(&t->sections[S_LINK], 0, 1);
		put_number(&t->sections[S_LINK], crc, 4);
	}
	assemble(t);
	return t;
}

/* The module without debug information, and that in another file: found by path, by build-id, by link. */
static void finds_debug_files(void **state)
{
	struct fixture *f = *state;
	struct arena *arena = f->target.arena;
	const char *build_id = arena_printf(arena, "%s/.build-id/74/%s.debug", f->dir,
					    "77656e7479206279746573206f66206e616d65");
	const char *by_path = arena_printf(arena, "%s%s", f->dir, f->path);
	const char *by_link = arena_printf(arena, "%s/.debug/toy.debug", f->dir);
	const char *const found[] = { build_id, by_path, by_link };
	struct toy *plain = stripped(true, "toy.debug", 0);

	write_file(f->path, plain->file, plain->len);
	free(plain);
	for (size_t i = 0; i < 3; i++) {
		assert_null(find_debug(f, f->dir));
		assert_null(find_debug(f, ".debug"));
		assert_null(dir_create_all(
			arena_strndup(arena, found[i], path_base(found[i]) - found[i] - 1)));
		write_file(found[i], f->toy.file, f->toy.len);
		assert_string_equal(find_debug(f, i == 2 ? "+.debug" : f->dir), found[i]);
		assert_null(find_debug(f, "/nonexistent"));
		unlink(found[i]);
	}
}

/*
 * A file that the kept index was made from is not opened to find that it is the right one: so another must not count as
 * that.
 */
static void knows_the_indexed_file(void **state)
{
	struct fixture *f = *state;
	const char *copy = arena_printf(f->target.arena, "%s/copy.ko", f->dir);
	struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	unsigned char key[BUILD_ID_SIZE];

	assert_true(object_try_load(&f->module));
	dwarf_key(&f->module, key);
	assert_false(dwarf_index_is_from(f->path, key, f->dir));
	assert_true(target_has_dwarf(&f->target, "toy"));
	assert_true(dwarf_index_is_from(f->path, key, f->dir));
	write_file(copy, f->toy.file, f->toy.len);
	assert_false(dwarf_index_is_from(copy, key, f->dir));
	/* any change of it, this one by the time of the call */
	assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0);
	assert_false(dwarf_index_is_from(f->path, key, f->dir));
	key[0] ^= 1;
	assert_false(dwarf_index_is_from(f->path, key, f->dir));
}

/* Without a build-id the CRC in the link must be the file's. */
static void checks_the_crc(void **state)
{
	struct fixture *f = *state;
	struct toy *whole = calloc(1, sizeof(*whole));

	contents(whole, false);
	debug_info(whole);
	assemble(whole);
	for (int wrong = 0; wrong < 2; wrong++) {
		const char *debug = arena_printf(f->target.arena, "%s/toy.debug", f->dir), *path;
		struct toy *plain =
			stripped(false, "toy.debug", crc32(0, whole->file, whole->len) + wrong);

		write_file(f->path, plain->file, plain->len);
		write_file(debug, whole->file, whole->len);
		free(plain);
		path = find_debug(f, f->dir);
		assert_true(wrong ? !path : path && !strcmp(path, debug));
		close_target(f);
		open_target(f);
	}
	free(whole);
}

static void mark(void *arg, size_t i)
{
	unsigned char *marks = arg;

	if (i == 7)
		_exit(1);
	marks[i]++;
}

static void keep_text(void *arg, const char *text)
{
	snprintf(arg, 128, "%s", text);
}

/* What is told of modules that a pattern means is how many are indexed, and not how many are meant. */
static void counts_what_is_indexed(void **state)
{
	struct fixture *f = *state;
	struct target_function_query q = { .name = "toy_read", .module = "copy?" };
	struct target_functions found;
	char text[128] = "";

	close_target(f);
	open_copies(f);
	/* each with a build-id, and so an index, of its own */
	for (int i = 0; i < COPIES; i++) {
		char *id = memmem(f->toy.file, f->toy.len, ID, strlen(ID));

		assert_non_null(id);
		*id = (char)('A' + i);
		write_file(f->target.modules.data[1 + i]->path, f->toy.file, f->toy.len);
		*id = *ID;
	}
	f->target.progress = keep_text;
	f->target.progress_arg = text;
	assert_true(target_has_dwarf(&f->target, "copy2"));
	assert_string_equal(text,
			    arena_printf(f->target.arena, "indexing %s/copy2.ko, once", f->dir));
	assert_null(target_find_functions(&f->target, &q, &found));
	assert_int_equal(found.n, 10);
	assert_string_equal(text, "indexing the debug information of 9 modules, once");
	vec_foreach(o, &f->target.modules)
		if ((*o)->dwarf)
			dwarf_close((*o)->dwarf);
}

/* A child that dies takes its number with it, and none that was done before. */
static void works_in_children(void **state)
{
	struct fixture *f = *state;
	unsigned char *marks = workers_memory(1000);

	assert_non_null(marks);
	workers_run(&f->target, 7, mark, marks);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(marks[i], i < 7);
	memset(marks, 0, 1000);
	workers_run(&f->target, 1000, mark, marks);
	for (size_t i = 0; i < 1000; i++)
		assert_true(i < 7 ? marks[i] == 1 : i == 7 ? marks[i] == 0 : marks[i] <= 1);
	workers_free(marks, 1000);
}

static void count_notice(void *arg, const char *text)
{
	size_t *n = arg;

	assert_non_null(strstr(text, "left out module bad"));
	*n += 1;
}

/* A pattern leaves out what cannot be read, and says so; a name does not. */
static void leaves_out_the_damaged(void **state)
{
	struct fixture *f = *state;
	struct target_function_query q = { .name = "toy_read", .module = "*" };
	struct target_object bad = { .target = &f->target, .kind = OBJECT_MODULE, .name = "bad" };
	struct target_functions found;
	struct error *err;
	size_t n = 0;

	bad.path = arena_printf(f->target.arena, "%s/bad.ko", f->dir);
	write_file(bad.path, f->toy.file, f->toy.len - 300);
	vec_push(f->target.arena, &f->target.modules, &bad);
	f->target.notice = count_notice;
	f->target.progress_arg = &n;
	assert_null(target_find_functions(&f->target, &q, &found));
	assert_int_equal(found.n, 1);
	assert_int_equal(n, 1);
	q.module = "bad";
	err = target_find_functions(&f->target, &q, &found);
	assert_non_null(err);
	error_destroy(err);
	f->target.modules.n = 1;
}

/* Every truncation, and a wrong byte anywhere, is an error or harmless. */
static void survives_damage(void **state)
{
	struct fixture *f = *state;
	struct dwarf_file file;
	struct image image;

	for (size_t i = 0; i < f->toy.len; i++) {
		unsigned char *copy = malloc(f->toy.len);
		struct error *err;
		char *bytes;
		size_t len;

		memcpy(copy, f->toy.file, f->toy.len);
		copy[i] ^= 0x81;
		err = image_open_memory((char *)copy, f->toy.len, "toy", &image);
		if (!err) {
			err = index_build_module(&image, 1, NULL, &bytes, &len);
			if (!err)
				free(bytes);
			image_close(&image);
		}
		error_destroy(err);
	}
	for (size_t i = 0; i < f->toy.len; i += 7) {
		unsigned char *copy = malloc(f->toy.len);
		struct error *err;

		memcpy(copy, f->toy.file, f->toy.len);
		copy[i] ^= 0x81;
		write_file(f->path, copy, i % 2 ? f->toy.len : i);
		free(copy);
		err = dwarf_file_open(f->path, &file);
		if (!err)
			dwarf_file_close(&file);
		error_destroy(err);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lists_functions, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_aliases_by_name, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_sections, setup, teardown),
		cmocka_unit_test_setup_teardown(relocates_addresses, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_inlined_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_parted_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_variables, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_globals, setup, teardown),
		cmocka_unit_test_setup_teardown(keeps_the_index, setup, teardown),
		cmocka_unit_test_setup_teardown(keeps_many_together, setup, teardown),
		cmocka_unit_test_setup_teardown(adds_to_the_set, setup, teardown),
		cmocka_unit_test_setup_teardown(notices_a_damaged_set, setup, teardown),
		cmocka_unit_test_setup_teardown(makes_two_sets_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_what_lists_rest_on, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_similar_names, setup, teardown),
		cmocka_unit_test_setup_teardown(tells_of_a_damaged_unit, setup, teardown),
		cmocka_unit_test_setup_teardown(finds_debug_files, setup, teardown),
		cmocka_unit_test_setup_teardown(knows_the_indexed_file, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_what_is_indexed, setup, teardown),
		cmocka_unit_test_setup_teardown(works_in_children, setup, teardown),
		cmocka_unit_test_setup_teardown(checks_the_crc, setup, teardown),
		cmocka_unit_test_setup_teardown(leaves_out_the_damaged, setup, teardown),
		cmocka_unit_test_setup_teardown(survives_damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
