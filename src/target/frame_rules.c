/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See frame_rules.h. */
#include "target/frame_rules.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/machine.h"
#include "target/dwarf.h"
#include "runtime/uapi/user_table.h"

/* The encodings that linkers use: version, pointer to .eh_frame, count, and table of pairs. */
static const unsigned char known_header[] = { 1, 0x1b, 0x03, 0x3b };
#define HEADER_SIZE 12

/* Where a function is told of; the first has its say when both do. */
enum source { EH_FRAME, DEBUG_FRAME, N_SOURCES };

struct start {
	uint32_t addr;
	enum source source;
};

struct search {
	const struct target_object *object;
	const struct machine *machine;
	struct arena *arena;
	uint64_t base;
	VEC(struct start) starts;
	Dwarf_CFI *cfi[N_SOURCES];
	struct frame_rules *ret;
};

bool frame_rules_relative(uint64_t base, uint64_t addr, uint32_t *ret)
{
	*ret = (uint32_t)(addr - base);
	return addr >= base && addr - base < UINT32_MAX;
}

/* ---- rules ---- */

static bool is_register(const Dwarf_Op *op, unsigned number, int64_t *offset)
{
	if (op->atom == DW_OP_bregx && op->number == number) {
		*offset = (int64_t)op->number2;
		return true;
	}
	*offset = (int64_t)op->number;
	return op->atom == DW_OP_breg0 + number;
}

/*
 * Entries that bind lazily push a word on the way: SP + word + ((PC & (entry - 1)) >= N) * word, as
 * binutils write it. *FROM is N.
 */
static bool is_plt(const struct search *s, const Dwarf_Op *ops, size_t n, int64_t *from)
{
	int64_t offset;

	*from = n > 4 ? ops[4].atom - DW_OP_lit0 : 0;
	return n == 9 && is_register(&ops[0], s->machine->stack_pointer, &offset) &&
	       offset == s->machine->word && ops[3].atom == DW_OP_and && *from > 0 &&
	       *from < s->machine->lazy_plt_entry && ops[5].atom == DW_OP_ge &&
	       ops[7].atom == DW_OP_shl && ops[8].atom == DW_OP_plus;
}

static uint32_t make_rule(const struct search *s, enum stp_user_rule kind, int64_t saved,
			  int64_t offset)
{
	const int64_t word = s->machine->word;

	if (saved % word || offset % word || saved / word >= 4096 || saved / word < -4096 ||
	    offset / word >= 32768 || offset / word < -32768)
		return STP_RULE_NONE;
	return STP_RULE(kind, saved / word, offset / word);
}

/* Where the frame has a register of its caller's. */
enum saved { SAVED_NOWHERE, SAVED_SAME, SAVED_AT_CFA, SAVED_ELSEWHERE };

static enum saved saved_register(Dwarf_Frame *frame, int number, int64_t *offset)
{
	Dwarf_Op memory[3], *ops;
	size_t n;

	*offset = 0;
	if (dwarf_frame_register(frame, number, memory, &ops, &n))
		return SAVED_ELSEWHERE;
	if (!n)
		return ops ? SAVED_NOWHERE : SAVED_SAME;
	if (ops[0].atom != DW_OP_call_frame_cfa || n > 2 ||
	    (n == 2 && ops[1].atom != DW_OP_plus_uconst))
		return SAVED_ELSEWHERE;
	*offset = n == 2 ? (int64_t)ops[1].number : 0;
	return SAVED_AT_CFA;
}

static uint32_t rule_of_cfa(const struct search *s, const Dwarf_Op *ops, size_t n, int64_t saved)
{
	const struct machine *m = s->machine;
	int64_t offset;

	if (n == 1 && is_register(ops, m->stack_pointer, &offset))
		return make_rule(s, STP_RULE_SP, saved, offset);
	if (n == 1 && is_register(ops, m->frame_pointer, &offset))
		return make_rule(s, STP_RULE_FP, saved, offset);
	if (n == 2 && is_register(ops, m->frame_pointer, &offset) && ops[1].atom == DW_OP_deref)
		return make_rule(s, STP_RULE_ALIGNED, 0, offset);
	if (is_plt(s, ops, n, &offset))
		return STP_RULE(STP_RULE_PLT, 0, offset);
	return STP_RULE_NONE;
}

static uint32_t rule_of(const struct search *s, Dwarf_Frame *frame, bool is_signal)
{
	int64_t saved = 0, at;
	Dwarf_Op *ops;
	size_t n;

	if (is_signal)
		return STP_RULE_SIGNAL;
	switch (saved_register(frame, s->machine->return_column, &at)) {
	case SAVED_NOWHERE:
		return STP_RULE_END;
	case SAVED_AT_CFA:
		if (at == -(int64_t)s->machine->word)
			break;
		return STP_RULE_NONE;
	case SAVED_SAME:
	case SAVED_ELSEWHERE:
		return STP_RULE_NONE;
	}
	if (dwarf_frame_cfa(frame, &ops, &n) || !n)
		return STP_RULE_NONE;
	if (saved_register(frame, s->machine->frame_pointer, &saved) == SAVED_ELSEWHERE && n == 1)
		return STP_RULE_NONE;
	return rule_of_cfa(s, ops, n, saved);
}

/* The rule from ADDR on. What says the same as the one before is not written. */
static void add_rule(struct search *s, uint32_t addr, uint32_t rule)
{
	struct frame_rules *r = s->ret;

	if (r->rules.n && r->rules.data[r->rules.n - 1] == rule)
		return;
	if (r->rules.n && r->addrs.data[r->rules.n - 1] == addr) {
		r->rules.data[r->rules.n - 1] = rule;
		return;
	}
	vec_push(s->arena, &r->addrs, addr);
	vec_push(s->arena, &r->rules, rule);
}

/* Those of the function at START; NEXT is where the next one begins. */
static void add_function(struct search *s, Dwarf_CFI *cfi, uint32_t start, uint32_t next)
{
	uint32_t pc = start;

	while (pc < next) {
		Dwarf_Addr from, to;
		Dwarf_Frame *frame;
		bool is_signal;

		if (dwarf_cfi_addrframe(cfi, s->base + pc, &frame))
			break;
		if (dwarf_frame_info(frame, &from, &to, &is_signal) < 0 || to <= s->base + pc) {
			free(frame);
			break;
		}
		add_rule(s, pc, rule_of(s, frame, is_signal));
		free(frame);
		if (!frame_rules_relative(s->base, to, &pc))
			return;
	}
	if (pc < next)
		add_rule(s, pc, STP_RULE_NONE);
}

/* ---- where functions begin ---- */

static void add_start(struct search *s, enum source source, uint64_t addr)
{
	struct start start = { .source = source };

	if (frame_rules_relative(s->base, addr, &start.addr))
		vec_push(s->arena, &s->starts, start);
}

/* False: the linker made no such table. */
static bool find_in_table(struct search *s)
{
	struct image_section header;
	uint32_t n;
	int32_t at;

	if (!image_section(&s->object->image, ".eh_frame_hdr", &header) || !header.data ||
	    header.size < HEADER_SIZE || memcmp(header.data, known_header, sizeof(known_header)))
		return false;
	memcpy(&n, header.data + 8, sizeof(n));
	if (!n || n > (header.size - HEADER_SIZE) / 8)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(&at, header.data + HEADER_SIZE + (size_t)i * 8, sizeof(at));
		add_start(s, EH_FRAME, header.addr + (int64_t)at);
	}
	return true;
}

/*
 * Entries of .eh_frame say where their function is by its distance from where they say it
 * (DW_EH_PE_pcrel | DW_EH_PE_sdata4, as compilers write them), and behind that its size; libdw
 * finds no frame at what another encoding is mistaken for.
 */
void frame_rules_each_function(const struct image *img,
			       void (*each)(void *arg, uint64_t addr, uint64_t size), void *arg)
{
	struct image_section section;
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next = 0; /* left alone when the first entry is damaged */
	Elf_Data data = { .d_type = ELF_T_BYTE };
	int32_t distance;
	uint32_t size;

	if (!image_section(img, ".eh_frame", &section) || !section.data)
		return;
	data.d_buf = (void *)section.data;
	data.d_size = section.size;
	for (; !dwarf_next_cfi(img->map.data, &data, true, at, &next, &entry); at = next) {
		if (dwarf_cfi_cie_p(&entry) || entry.fde.end - entry.fde.start < 8)
			continue;
		memcpy(&distance, entry.fde.start, sizeof(distance));
		memcpy(&size, entry.fde.start + sizeof(distance), sizeof(size));
		each(arg,
		     section.addr + (uint64_t)(entry.fde.start - section.data) + (int64_t)distance,
		     size);
	}
}

static void add_eh_start(void *arg, uint64_t addr, uint64_t size)
{
	(void)size;
	add_start(arg, EH_FRAME, addr);
}

/* Is there code? Entries of functions that the linker has dropped are at 0 or beyond all. */
static bool is_code(const struct image *img, uint64_t addr)
{
	for (size_t i = 0; i < img->n_segments; i++) {
		const Elf64_Phdr *p = &img->segments[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X && addr >= p->p_vaddr &&
		    addr - p->p_vaddr < p->p_memsz)
			return true;
	}
	return false;
}

/*
 * The section of that name, unpacked: libdw does that when it opens the file, and leaves old names
 * (.zdebug_frame) as they are.
 */
static Elf_Data *debug_frame_of(Dwarf *dw)
{
	Elf *elf = dwarf_getelf(dw);
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		Elf64_Shdr *header = elf64_getshdr(scn);
		const char *name = header ? elf_strptr(elf, names, header->sh_name) : NULL;

		if (name && (!strcmp(name, ".debug_frame") || !strcmp(name, ".zdebug_frame")))
			return elf_rawdata(scn, NULL);
	}
	return NULL;
}

/* Entries of .debug_frame have addresses as they are. */
static void find_in_debug_frame(struct search *s, Dwarf *dw)
{
	const char *ident = elf_getident(dwarf_getelf(dw), NULL);
	Elf_Data *data = debug_frame_of(dw);
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next = 0; /* left alone when the first entry is damaged */
	uint64_t addr;
	int err;

	while (data && ident) {
		err = dwarf_next_cfi((const unsigned char *)ident, data, false, at, &next, &entry);
		if (err > 0 || next <= at)
			return;
		at = next;
		if (err || dwarf_cfi_cie_p(&entry) ||
		    entry.fde.end - entry.fde.start < (ptrdiff_t)sizeof(addr))
			continue;
		memcpy(&addr, entry.fde.start, sizeof(addr));
		if (is_code(&s->object->image, addr))
			add_start(s, DEBUG_FRAME, addr);
	}
}

static int start_cmp(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (int)x->source - (int)y->source;
}

/* In order, each once. */
static void sort_starts(struct search *s)
{
	size_t n = 0;

	if (s->starts.n)
		qsort(s->starts.data, s->starts.n, sizeof(*s->starts.data), start_cmp);
	vec_foreach(start, &s->starts) {
		if (n && s->starts.data[n - 1].addr == start->addr)
			continue;
		s->starts.data[n++] = *start;
		vec_push(s->arena, &s->ret->starts, start->addr);
	}
	s->starts.n = n;
}

/* ---- the file ---- */

static bool has_debug_frame(const struct image *img)
{
	struct image_section section;

	return image_section(img, ".debug_frame", &section) ||
	       image_section(img, ".zdebug_frame", &section);
}

const char *frame_rules_debug_file(struct target_object *o)
{
	const char *path = dwarf_find_local_file(o);
	struct image img;
	struct error *err;
	bool has;

	if (!path || has_debug_frame(&o->image))
		return path;
	err = image_open(path, &img);
	if (err) {
		error_destroy(err);
		return NULL;
	}
	has = has_debug_frame(&img);
	image_close(&img);
	return has ? path : NULL;
}

static void find_rules(struct search *s)
{
	size_t n = s->starts.n;

	for (size_t i = 0; i < n; i++) {
		const struct start *start = &s->starts.data[i];
		Dwarf_CFI *cfi = s->cfi[start->source];

		if (cfi)
			add_function(s, cfi, start->addr, i + 1 < n ? start[1].addr : UINT32_MAX);
	}
}

void frame_rules_find(const struct target_object *o, const char *debug_file, uint64_t base,
		      struct frame_rules *ret)
{
	struct search s = { .object = o,
			    .machine = object_machine(o),
			    .arena = o->target->arena,
			    .base = base,
			    .ret = ret };
	const struct file_map *map = &o->image.map;
	struct dwarf_file file = { 0 };
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)map->data, map->len);
	s.cfi[EH_FRAME] = elf ? dwarf_getcfi_elf(elf) : NULL;
	if (!find_in_table(&s))
		frame_rules_each_function(&o->image, add_eh_start, &s);
	/* what cannot be opened tells of nothing */
	if (debug_file)
		error_destroy(dwarf_file_open(debug_file, &file));
	if (file.dw) {
		s.cfi[DEBUG_FRAME] = dwarf_getcfi(file.dw);
		find_in_debug_frame(&s, file.dw);
	}
	sort_starts(&s);
	if (s.machine->return_column)
		find_rules(&s);
	dwarf_file_close(&file);
	if (s.cfi[EH_FRAME])
		dwarf_cfi_end(s.cfi[EH_FRAME]);
	elf_end(elf);
}

/* ---- one place ---- */

struct frame_source {
	Elf *elf;
	Dwarf_CFI *cfi;
};

struct frame_source *frame_source_open(const struct image *img)
{
	struct frame_source *s = calloc(1, sizeof(*s));

	elf_version(EV_CURRENT);
	if (s)
		s->elf = elf_memory((char *)img->map.data, img->map.len);
	if (s && s->elf)
		s->cfi = dwarf_getcfi_elf(s->elf);
	if (s && s->cfi)
		return s;
	frame_source_close(s);
	return NULL;
}

void frame_source_close(struct frame_source *s)
{
	if (s && s->cfi)
		dwarf_cfi_end(s->cfi);
	if (s)
		elf_end(s->elf);
	free(s);
}

bool frame_source_is_within(const struct frame_source *s, const struct machine *m, uint64_t addr)
{
	Dwarf_Frame *frame;
	int64_t offset;
	Dwarf_Op *ops;
	bool is_entry;
	size_t n;

	if (!s || dwarf_cfi_addrframe(s->cfi, addr, &frame))
		return false;
	if (dwarf_frame_cfa(frame, &ops, &n) || n != 1) {
		free(frame);
		return false;
	}
	is_entry = is_register(ops, m->stack_pointer, &offset) && offset == m->word;
	free(frame);
	return !is_entry;
}
