/* links: target ir machine diag base */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where threads have the thread-local variables of files that are made up here: the fetch programs, as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "machine/machine.h"
#include "target/convention.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/thread_local.h"

enum { DYNAMIC = 1, STRINGS, SYMBOLS, RELA, NAMES, N_SECTIONS };

#define SECTION_NAMES "\0.dynamic\0.dynstr\0.dynsym\0.rela.dyn\0.shstrtab"
/* names of libraries, by their offsets: 1 and 11 */
#define DYNAMIC_STRINGS "\0libc.so.6\0libc.musl-x86_64.so.1"
#define NEEDS_GNU 1
#define NEEDS_MUSL 11

/* A file: its header, then all that stands in it. */
struct file {
	Elf64_Ehdr ehdr;
	Elf64_Phdr tls;
	Elf64_Dyn dynamic[3];
	Elf64_Sym symbols[4];
	Elf64_Rela rela[4];
	char strings[sizeof(DYNAMIC_STRINGS)], names[sizeof(SECTION_NAMES)];
	Elf64_Shdr sections[N_SECTIONS] __attribute__((aligned(8)));
};

/* What a file is: the rest is the same for all. */
struct recipe {
	const struct machine *machine;
	uint16_t type; /* ET_* */
	Elf64_Dyn dynamic;
	uint64_t addr, size, align; /* of the segment */
	Elf64_Rela rela[4];
};

static void set_section(struct file *f, int i, const char *name, uint32_t type, size_t at,
			size_t size)
{
	const char *found = memmem(f->names, sizeof(f->names), name, strlen(name));

	assert_non_null(found);
	f->sections[i] = (Elf64_Shdr){ .sh_name = (uint32_t)(found - f->names),
				       .sh_type = type,
				       .sh_flags = SHF_ALLOC,
				       .sh_addr = 0x1000 + at,
				       .sh_offset = at,
				       .sh_size = size };
}

#define SECTION(f, i, name, type, member)                                                          \
	set_section(f, i, name, type, offsetof(struct file, member), sizeof((f)->member))

/* Symbols: 1 is defined at 0x10, 2 at 0x30, 3 in another file. */
static void make_file(const struct recipe *r, struct file *f)
{
	*f = (struct file){
		.ehdr = { .e_type = r->type,
			  .e_machine = r->machine->e_machine,
			  .e_version = EV_CURRENT,
			  .e_phoff = offsetof(struct file, tls),
			  .e_shoff = offsetof(struct file, sections),
			  .e_ehsize = sizeof(Elf64_Ehdr),
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_phnum = r->align ? 1 : 0,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = N_SECTIONS,
			  .e_shstrndx = NAMES },
		.tls = { .p_type = PT_TLS,
			 .p_vaddr = r->addr,
			 .p_memsz = r->size,
			 .p_align = r->align },
		.dynamic = { r->dynamic, { .d_tag = DT_NULL } },
		.strings = DYNAMIC_STRINGS,
		.names = SECTION_NAMES,
	};
	memcpy(f->ehdr.e_ident, ELFMAG, SELFMAG);
	f->ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	f->ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	f->ehdr.e_ident[EI_VERSION] = EV_CURRENT;
	memcpy(f->rela, r->rela, sizeof(f->rela));
	for (int i = 1; i < 4; i++)
		f->symbols[i] = (Elf64_Sym){ .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS),
					     .st_shndx = i < 3 ? 9 : SHN_UNDEF,
					     .st_value = i == 1 ? 0x10 : 0x30 };
	SECTION(f, DYNAMIC, ".dynamic", SHT_DYNAMIC, dynamic);
	SECTION(f, STRINGS, ".dynstr", SHT_STRTAB, strings);
	SECTION(f, SYMBOLS, ".dynsym", SHT_DYNSYM, symbols);
	SECTION(f, RELA, ".rela.dyn", SHT_RELA, rela);
	SECTION(f, NAMES, ".shstrtab", SHT_STRTAB, names);
	f->sections[RELA].sh_link = SYMBOLS;
}

/* The program for the variable at OFFSET of the file's block, or why there is none. */
static void expect(const struct recipe *r, uint64_t offset, const char *text)
{
	struct target t = { .arena = arena_create() };
	struct target_object o = {
		.target = &t, .kind = OBJECT_FILE, .path = "/lib/made-up.so", .machine = r->machine
	};
	struct file *f = malloc(sizeof(*f));
	struct fetch_program p = { 0 };
	struct strbuf got;
	const char *problem;

	make_file(r, f);
	assert_null(image_open_memory((char *)f, sizeof(*f), "made-up", &o.image));
	strbuf_init(&got);
	problem = thread_local_push(&o, offset, &p);
	if (problem)
		strbuf_adds(&got, problem);
	else
		fetch_text(&p, NULL, &got);
	assert_string_equal(strbuf_cstr(&got), text);
	if (!problem)
		assert_null(fetch_verify(&p, r->machine, 0, t.arena));
	strbuf_deinit(&got);
	image_close(&o.image);
	arena_destroy(t.arena);
}

#define PROGRAM .type = ET_DYN, .dynamic = { .d_tag = DT_FLAGS_1, .d_un.d_val = DF_1_PIE }
#define LIBRARY .type = ET_DYN, .addr = 0x3d80, .size = 0x80, .align = 16
#define WORD(addr, kind, symbol, addend)                                                           \
	{                                                                                          \
		addr, ELF64_R_INFO((uint64_t)(symbol), R_X86_64_##kind), addend                    \
	}

/* The linker's own arithmetic: distances in "mov %fs:-N" of gcc's programs are these. */
static void of_a_program(void **state)
{
	struct recipe r = { &machine_x86_64, PROGRAM, .addr = 0x4000, .size = 0x98, .align = 64 };

	expect(&r, 0x10, "thread, add -176");
	expect(&r, 0x97, "thread, add -41");
	expect(&r, 0x98, "/lib/made-up.so has no thread-local memory for it");
	r.align = 1;
	expect(&r, 0, "thread, add -152");
	/* a segment that begins behind a multiple of its alignment */
	r.addr = 0x4010, r.align = 64;
	expect(&r, 0, "thread, add -176");
	r = (struct recipe){ &machine_x86_64, ET_EXEC, .addr = 0x4000, .size = 8, .align = 8 };
	expect(&r, 0, "thread, add -8");
	r = (struct recipe){ &machine_x86_64, ET_DYN,    .dynamic = { .d_tag = DT_DEBUG },
			     .addr = 0x4000,  .size = 8, .align = 8 };
	expect(&r, 4, "thread, add -4");
	r.align = 0;
	expect(&r, 0, "/lib/made-up.so has no thread-local memory for it");
}

/* Above the thread pointer, behind two words. */
static void of_another_machine(void **state)
{
	struct recipe r = { &machine_aarch64, PROGRAM, .addr = 0x4000, .size = 0x98, .align = 8 };

	expect(&r, 0, "thread, add 16");
	r.align = 64;
	expect(&r, 8, "thread, add 72");
	r.machine = &machine_i386;
	expect(&r, 0, "each thread has its own, which is not known of i386 programs");
}

/* A word of the block does for all variables; the variable's own is better. */
static void of_a_library_by_distance(void **state)
{
	struct recipe r = { &machine_x86_64, LIBRARY,
			    .rela = { WORD(0x5000, DTPMOD64, 0, 0), WORD(0x5010, TPOFF64, 0, 0x48),
				      WORD(0x5018, TPOFF64, 1, 0), WORD(0x5020, TPOFF64, 3, 0) } };

	expect(&r, 0x48, "address 20496, load u64 user, thread, plus");
	expect(&r, 0x10, "address 20504, load u64 user, thread, plus");
	expect(&r, 0x4c, "address 20496, load u64 user, thread, plus, add 4");
	expect(&r, 0x30, "address 20496, load u64 user, thread, plus, add -24");
	r.rela[1] = r.rela[0];
	expect(&r, 0x14, "address 20504, load u64 user, thread, plus, add 4");
}

/* A variable of the same name elsewhere has a word for its place in that block. */
static void of_a_library_by_number(void **state)
{
	struct recipe r = { &machine_x86_64, LIBRARY,
			    .rela = { WORD(0x5000, DTPMOD64, 2, 0), WORD(0x5010, DTPMOD64, 3, 0),
				      WORD(0x5020, DTPMOD64, 1, 0),
				      WORD(0x5028, DTPOFF64, 1, 0) } };

	expect(&r, 0x10,
	       "address 20512, load u64 user, thread_block, address 20520, load u64 user, plus");
	expect(&r, 0, "address 20480, load u64 user, thread_block");
	r.rela[1] = (Elf64_Rela)WORD(0x5010, DTPMOD64, 0, 0);
	expect(&r, 0x40, "address 20496, load u64 user, thread_block, add 64");
	r.dynamic = (Elf64_Dyn){ DT_NEEDED, { NEEDS_GNU } };
	expect(&r, 0, "address 20496, load u64 user, thread_block");
	r.dynamic = (Elf64_Dyn){ DT_NEEDED, { NEEDS_MUSL } };
	expect(&r, 0, "where musl has thread-local variables of /lib/made-up.so is not read");
}

static void of_a_library_that_does_not_tell(void **state)
{
	struct recipe r = { &machine_x86_64, LIBRARY,
			    .rela = { WORD(0x5000, DTPMOD64, 3, 0), WORD(0x5010, TLSDESC, 0, 0x10),
				      WORD(0x5020, TPOFF64, 77, 0) } };

	expect(&r, 0x10,
	       "nothing in /lib/made-up.so tells where a thread has its thread-local variables "
	       "(TLS descriptors are not read)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_program),
		cmocka_unit_test(of_another_machine),
		cmocka_unit_test(of_a_library_by_distance),
		cmocka_unit_test(of_a_library_by_number),
		cmocka_unit_test(of_a_library_that_does_not_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
