/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a thread has the thread-local variables of a program or a library (Ulrich Drepper, ELF
 * Handling For Thread-Local Storage, 3). Those of the program are at a distance from the thread
 * pointer that the file tells. Of a library the dynamic linker decides: a library that code with
 * the models "initial exec", "general dynamic" or "local dynamic" was linked into has words, filled
 * in when it is loaded, for one of its variables or for its block as a whole. From one of them all
 * its variables are known. Which word means what, its relocation says.
 */
#include <string.h>

#include "target/convention.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/objects.h"
#include "target/thread_local.h"

/*
 * How well a word serves, from the worst: a variable that another file may define instead, the
 * block itself, the very variable that is sought.
 */
enum fit { FIT_NONE, FIT_OTHER, FIT_BLOCK, FIT_SAME };

/*
 * A word of the library that the dynamic linker fills in: a distance from the thread pointer, or
 * the number by which the library's block is found.
 */
struct word {
	uint64_t addr;
	int64_t at; /* what it is for, from the start of the block */
	bool is_module;
	enum fit fit;
};

struct search {
	const struct target_object *object;
	const struct machine_threads *row;
	uint64_t offset; /* sought, from the start of the block */
	struct word best;
};

/*
 * Is A the better one? A distance is read with one look at memory, and a block may not be there
 * yet.
 */
static bool is_better(const struct word *a, const struct word *b)
{
	if (!b->fit || a->is_module != b->is_module)
		return !b->fit || !a->is_module;
	return a->fit > b->fit;
}

/* The symbol of a relocation, when it is a variable that the file defines. */
static bool own_symbol(const struct image *img, const Elf64_Shdr *rela, uint64_t number,
		       Elf64_Sym *ret)
{
	struct image_section symbols;

	if (!image_section_index(img, rela->sh_link, &symbols) || !symbols.data ||
	    number >= symbols.size / sizeof(*ret))
		return false;
	memcpy(ret, symbols.data + number * sizeof(*ret), sizeof(*ret));
	return ELF64_ST_TYPE(ret->st_info) == STT_TLS && ret->st_shndx != SHN_UNDEF;
}

static void consider(struct search *s, const Elf64_Shdr *section, const Elf64_Rela *r)
{
	uint32_t type = ELF64_R_TYPE(r->r_info), number = ELF64_R_SYM(r->r_info);
	struct word w = { .addr = r->r_offset, .at = r->r_addend, .fit = FIT_BLOCK };
	Elf64_Sym symbol;

	if (type != s->row->to_thread && type != s->row->to_module)
		return;
	w.is_module = type == s->row->to_module;
	if (number) {
		if (!own_symbol(&s->object->image, section, number, &symbol))
			return;
		w.at += (int64_t)symbol.st_value;
		w.fit = FIT_OTHER;
	}
	if ((uint64_t)w.at == s->offset && (number || !w.is_module))
		w.fit = FIT_SAME;
	if (is_better(&w, &s->best))
		s->best = w;
}

static void search_section(struct search *s, const char *name)
{
	const struct image *img = &s->object->image;
	struct image_section section;

	if (!image_section(img, name, &section) || !section.data)
		return;
	for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= section.size; at += sizeof(Elf64_Rela)) {
		Elf64_Rela r;

		memcpy(&r, section.data + at, sizeof(r));
		consider(s, &img->sections[section.index], &r);
	}
}

/* A program in the making. */
struct code {
	struct arena *arena;
	struct fetch_program *prog;
};

static void push(struct code *c, enum fetch_op op, int64_t value)
{
	fetch_push(c->arena, c->prog, (struct fetch_insn){ .op = op, .value = value });
}

/* The word there, as the process has it. */
static void push_word(struct code *c, uint64_t addr)
{
	push(c, FETCH_ADDRESS, (int64_t)addr);
	fetch_push(c->arena, c->prog,
		   (struct fetch_insn){ .op = FETCH_LOAD, .size = 8, .space = FETCH_USER });
}

/*
 * A word that numbers a module stands before one with the variable's place in its block (3.4.2,
 * "tls_index"), which may be another file's of the same name.
 */
static void push_in_block(struct code *c, const struct word *w, uint64_t offset)
{
	push_word(c, w->addr);
	push(c, FETCH_THREAD_BLOCK, 0);
	if (w->fit == FIT_SAME) {
		push_word(c, w->addr + 8);
		push(c, FETCH_PLUS, 0);
	} else if (offset) {
		push(c, FETCH_ADD, (int64_t)offset);
	}
}

static void push_beside_thread(struct code *c, const struct word *w, uint64_t offset)
{
	push_word(c, w->addr);
	push(c, FETCH_THREAD, 0);
	push(c, FETCH_PLUS, 0);
	if ((int64_t)offset != w->at)
		push(c, FETCH_ADD, (int64_t)offset - w->at);
}

static const Elf64_Phdr *segment_of(const struct image *img)
{
	for (size_t i = 0; i < img->n_segments; i++)
		if (img->segments[i].p_type == PT_TLS)
			return &img->segments[i];
	return NULL;
}

static uint64_t align_up(uint64_t n, uint64_t align)
{
	return align > 1 ? (n + align - 1) / align * align : n;
}

/*
 * The program's block from the thread pointer on: it keeps the alignment of its segment, and ends,
 * or begins, as near as that allows.
 */
static int64_t program_block(const struct machine_threads *row, const Elf64_Phdr *segment)
{
	uint64_t align = segment->p_align, addr = segment->p_vaddr;

	if (row->below)
		return (int64_t)(addr - align_up(addr + segment->p_memsz, align));
	return (int64_t)(align_up(row->gap, align) + (align > 1 ? addr % align : 0));
}

/* Threads of other C libraries have their blocks elsewhere. Names: musl's own, and Alpine's. */
static bool needs_musl(const struct target_object *o)
{
	struct target_dynamic dynamic;

	target_file_dynamic(o, &dynamic);
	vec_foreach(name, &dynamic.needed)
		if (!strcmp(*name, "libc.so") || !strncmp(*name, "libc.musl", 9))
			return true;
	return false;
}

const char *thread_local_push(const struct target_object *o, uint64_t offset,
			      struct fetch_program *prog)
{
	struct arena *arena = o->target->arena;
	const struct machine *m = object_machine(o);
	struct search s = { .object = o, .row = &m->threads, .offset = offset };
	struct code c = { arena, prog };
	const Elf64_Phdr *segment;

	if (o->kind != OBJECT_FILE || !m->threads.known)
		return arena_printf(arena,
				    "each thread has its own, which is not known of %s programs",
				    m->name);
	segment = segment_of(&o->image);
	if (!segment || offset >= segment->p_memsz)
		return arena_printf(arena, "%s has no thread-local memory for it", o->path);
	if (target_file_is_program(o)) {
		push(&c, FETCH_THREAD, 0);
		push(&c, FETCH_ADD, program_block(&m->threads, segment) + (int64_t)offset);
		return NULL;
	}
	search_section(&s, ".rela.dyn");
	search_section(&s, ".rela.plt");
	if (!s.best.fit)
		return arena_printf(arena,
				    "nothing in %s tells where a thread has its thread-local "
				    "variables (TLS descriptors are not read)",
				    o->path);
	if (s.best.is_module && needs_musl(o))
		return arena_printf(
			arena, "where musl has thread-local variables of %s is not read", o->path);
	if (s.best.is_module)
		push_in_block(&c, &s.best, offset);
	else
		push_beside_thread(&c, &s.best, offset);
	return NULL;
}

/* Does the process that was hit have the file? Then it is the program that it runs. */
static void push_is_mapped(struct target_object *o, struct code *c)
{
	fetch_push(c->arena, c->prog,
		   (struct fetch_insn){ .op = FETCH_ADDRESS,
					.value = (int64_t)o->as_mapped.anchor_addr,
					.section = &o->as_mapped });
	push(c, FETCH_CONST, 0);
	push(c, FETCH_NE, 0);
}

/* Else the thread pointer counts as 0, and no distance from there is one that can be read. */
void thread_local_require_mapped(struct target_object *o, struct fetch_program *prog)
{
	struct fetch_program checked = { 0 };
	struct code c = { o->target->arena, &checked };

	for (size_t i = 0; i < prog->n; i++) {
		if (prog->insns[i].op == FETCH_ADDRESS)
			return;
		fetch_push(c.arena, c.prog, prog->insns[i]);
		if (prog->insns[i].op != FETCH_THREAD)
			continue;
		push_is_mapped(o, &c);
		push(&c, FETCH_MUL, 0);
	}
	*prog = checked;
}
