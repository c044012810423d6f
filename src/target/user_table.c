/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module carries of a file (runtime/uapi/user_table.h): its call frame information as rules of a word each, and its symbols.
 *
 * The rules come from .eh_frame, which every program of today has, stripped or not. Its functions are found by the table that the linker
 * makes of them for the program's own unwinder (.eh_frame_hdr; LSB Core 5.0, 10.6.2), or where it made none, as in static programs, by
 * the entries themselves; libdw executes them. What has none, or what no rule can say, is left to frame pointers.
 *
 * Of several symbols at one address the one that programs call by is kept. Where the frame information begins a function that has no
 * symbol, a nameless one ends the symbol before it: a wrong name would be worse than none.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "machine/machine.h"
#include "target/internal.h"
#include "uapi/user_table.h"

/* The encodings that linkers use: version, pointer to .eh_frame, count, and table of pairs. */
static const unsigned char known_header[] = { 1, 0x1b, 0x03, 0x3b };
#define HEADER_SIZE 12
/* Handlers look through all of them for each frame. Linkers make 2 to 6. */
#define SEGMENTS_MAX 64
#define WORD 8

/* One file's tables under construction. Addresses are linked ones less base. */
struct table {
	const struct target_object *object;
	const struct machine *machine;
	uint64_t base;
	VEC(struct stp_user_segment) segments;
	VEC(uint32_t) starts; /* of functions, by the frame information; ascending */
	VEC(uint32_t) rule_addrs;
	VEC(uint32_t) rules;
	VEC(uint32_t) symbol_addrs;
	VEC(uint32_t) symbol_names;
	struct strbuf names;
};

static struct arena *arena_of(const struct table *t)
{
	return t->object->target->arena;
}

/* ---- segments ---- */
static void find_segments(struct table *t)
{
	const struct image *img = &t->object->image;
	const Elf64_Phdr *p = img->segments;

	t->base = UINT64_MAX;
	for (size_t i = 0; i < img->n_segments; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr < t->base)
			t->base = p[i].p_vaddr & ~(uint64_t)4095;
	for (size_t i = 0; i < img->n_segments; i++)
		if (p[i].p_type == PT_LOAD && t->segments.n < SEGMENTS_MAX)
			vec_push(arena_of(t), &t->segments,
				 ((struct stp_user_segment){ p[i].p_offset, p[i].p_filesz,
							     p[i].p_vaddr - t->base }));
}

/* An address of this object in 32 bits; false: it lies elsewhere. */
static bool relative(const struct table *t, uint64_t addr, uint32_t *ret)
{
	*ret = (uint32_t)(addr - t->base);
	return addr >= t->base && addr - t->base < UINT32_MAX;
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
 * The lazy binding stubs push a word on the way: rsp + 8 + ((rip & 15) >= N) * 8, as binutils write it (elf64_x86_64_lazy_plt_eh_frame).
 */
static bool is_plt(const struct table *t, const Dwarf_Op *ops, size_t n, int64_t *from)
{
	int64_t offset;

	*from = n > 4 ? ops[4].atom - DW_OP_lit0 : 0;
	return n == 9 && is_register(&ops[0], t->machine->stack_pointer, &offset) &&
	       offset == WORD && ops[3].atom == DW_OP_and && *from > 0 && *from < 16 &&
	       ops[5].atom == DW_OP_ge && ops[7].atom == DW_OP_shl && ops[8].atom == DW_OP_plus;
}

static uint32_t make_rule(enum stp_user_rule kind, int64_t saved, int64_t offset)
{
	if (saved % WORD || offset % WORD || saved / WORD >= 4096 || saved / WORD < -4096 ||
	    offset / WORD >= 32768 || offset / WORD < -32768)
		return STP_RULE_NONE;
	return STP_RULE(kind, saved / WORD, offset / WORD);
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

static uint32_t rule_of_cfa(const struct table *t, const Dwarf_Op *ops, size_t n, int64_t saved)
{
	const struct machine *m = t->machine;
	int64_t offset;

	if (n == 1 && is_register(ops, m->stack_pointer, &offset))
		return make_rule(STP_RULE_SP, saved, offset);
	if (n == 1 && is_register(ops, m->frame_pointer, &offset))
		return make_rule(STP_RULE_FP, saved, offset);
	if (n == 2 && is_register(ops, m->frame_pointer, &offset) && ops[1].atom == DW_OP_deref)
		return make_rule(STP_RULE_ALIGNED, 0, offset);
	if (is_plt(t, ops, n, &offset))
		return STP_RULE(STP_RULE_PLT, 0, offset);
	return STP_RULE_NONE;
}

static uint32_t rule_of(const struct table *t, Dwarf_Frame *frame, bool is_signal)
{
	int64_t saved = 0, at;
	Dwarf_Op *ops;
	size_t n;

	if (is_signal)
		return STP_RULE_SIGNAL;
	switch (saved_register(frame, t->machine->return_column, &at)) {
	case SAVED_NOWHERE:
		return STP_RULE_END;
	case SAVED_AT_CFA:
		if (at == -WORD)
			break;
		return STP_RULE_NONE;
	case SAVED_SAME:
	case SAVED_ELSEWHERE:
		return STP_RULE_NONE;
	}
	if (dwarf_frame_cfa(frame, &ops, &n) || !n)
		return STP_RULE_NONE;
	if (saved_register(frame, t->machine->frame_pointer, &saved) == SAVED_ELSEWHERE && n == 1)
		return STP_RULE_NONE;
	return rule_of_cfa(t, ops, n, saved);
}

/* The rule from ADDR on. What says the same as the one before is not written. */
static void add_rule(struct table *t, uint32_t addr, uint32_t rule)
{
	if (t->rules.n && t->rules.data[t->rules.n - 1] == rule)
		return;
	if (t->rules.n && t->rule_addrs.data[t->rules.n - 1] == addr) {
		t->rules.data[t->rules.n - 1] = rule;
		return;
	}
	vec_push(arena_of(t), &t->rule_addrs, addr);
	vec_push(arena_of(t), &t->rules, rule);
}

/* Those of the function at START; NEXT is where the next one begins. */
static void add_function(struct table *t, Dwarf_CFI *cfi, uint32_t start, uint32_t next)
{
	uint32_t pc = start;

	while (pc < next) {
		Dwarf_Addr from, to;
		Dwarf_Frame *frame;
		bool is_signal;

		if (dwarf_cfi_addrframe(cfi, t->base + pc, &frame))
			break;
		if (dwarf_frame_info(frame, &from, &to, &is_signal) < 0 || to <= t->base + pc) {
			free(frame);
			break;
		}
		add_rule(t, pc, rule_of(t, frame, is_signal));
		free(frame);
		if (!relative(t, to, &pc))
			return;
	}
	if (pc < next)
		add_rule(t, pc, STP_RULE_NONE);
}

static void find_starts_of_table(struct table *t)
{
	struct image_section s;
	uint32_t n, start;
	int32_t at;

	if (!image_section(&t->object->image, ".eh_frame_hdr", &s) || !s.data ||
	    s.size < HEADER_SIZE || memcmp(s.data, known_header, sizeof(known_header)))
		return;
	memcpy(&n, s.data + 8, sizeof(n));
	if (n > (s.size - HEADER_SIZE) / 8)
		return;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(&at, s.data + HEADER_SIZE + (size_t)i * 8, sizeof(at));
		if (relative(t, s.addr + (int64_t)at, &start) &&
		    (!t->starts.n || start > t->starts.data[t->starts.n - 1]))
			vec_push(arena_of(t), &t->starts, start);
	}
}

static int start_cmp(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/*
 * Entries say where their function is by its distance from where they say it (DW_EH_PE_pcrel | DW_EH_PE_sdata4, as compilers write
 * them); libdw finds no frame at what another encoding is mistaken for.
 */
static void find_starts_of_entries(struct table *t)
{
	struct image_section s;
	Dwarf_CFI_Entry entry;
	Dwarf_Off at = 0, next;
	Elf_Data data = { .d_type = ELF_T_BYTE };
	uint32_t start;
	int32_t distance;

	if (!image_section(&t->object->image, ".eh_frame", &s) || !s.data)
		return;
	data.d_buf = (void *)s.data;
	data.d_size = s.size;
	for (; !dwarf_next_cfi(t->object->image.map.data, &data, true, at, &next, &entry);
	     at = next) {
		if (dwarf_cfi_cie_p(&entry) || entry.fde.end - entry.fde.start < 4)
			continue;
		memcpy(&distance, entry.fde.start, sizeof(distance));
		if (relative(t, s.addr + (uint64_t)(entry.fde.start - s.data) + (int64_t)distance,
			     &start))
			vec_push(arena_of(t), &t->starts, start);
	}
	if (t->starts.n)
		qsort(t->starts.data, t->starts.n, sizeof(start), start_cmp);
}

static void find_starts(struct table *t)
{
	find_starts_of_table(t);
	if (!t->starts.n)
		find_starts_of_entries(t);
}

static void find_rules(struct table *t)
{
	const struct file_map *map = &t->object->image.map;
	Dwarf_CFI *cfi;
	Elf *elf;

	if (!t->starts.n || !t->machine->return_column)
		return;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)map->data, map->len);
	cfi = elf ? dwarf_getcfi_elf(elf) : NULL;
	for (size_t i = 0; cfi && i < t->starts.n; i++)
		add_function(t, cfi, t->starts.data[i],
			     i + 1 < t->starts.n ? t->starts.data[i + 1] : UINT32_MAX);
	if (cfi)
		dwarf_cfi_end(cfi);
	elf_end(elf);
}

/* ---- symbols ---- */

/* Of names of one address: that which other files see, with the fewest underscores before it, and the shortest. */
static bool is_better(const struct index *ix, const struct index_symbol *a,
		      const struct index_symbol *b)
{
	const char *x = index_string(ix, a->name), *y = index_string(ix, b->name);
	size_t n = strspn(x, "_"), m = strspn(y, "_");

	if ((a->flags ^ b->flags) & SYMBOL_EXPORTED)
		return a->flags & SYMBOL_EXPORTED;
	return n != m ? n < m : strlen(x) < strlen(y);
}

static void add_symbol(struct table *t, uint32_t addr, const char *name)
{
	vec_push(arena_of(t), &t->symbol_addrs, addr);
	vec_push(arena_of(t), &t->symbol_names, *name ? (uint32_t)t->names.len : 0);
	if (*name)
		strbuf_add(&t->names, name, strlen(name) + 1);
}

/* Ends of functions without a name that lie before ADDR. */
static size_t add_nameless(struct table *t, size_t at, uint32_t addr)
{
	for (; at < t->starts.n && t->starts.data[at] < addr; at++)
		add_symbol(t, t->starts.data[at], "");
	return at < t->starts.n && t->starts.data[at] == addr ? at + 1 : at;
}

static void find_symbols(struct table *t)
{
	const struct index *ix = &t->object->index;
	size_t start = 0;
	uint32_t addr;

	strbuf_addc(&t->names, '\0');
	for (size_t i = 0; i < ix->n_symbols;) {
		const struct index_symbol *best = &ix->symbols[ix->by_addr[i]];
		uint64_t here = best->addr;

		for (i++; i < ix->n_symbols && ix->symbols[ix->by_addr[i]].addr == here; i++)
			if (is_better(ix, &ix->symbols[ix->by_addr[i]], best))
				best = &ix->symbols[ix->by_addr[i]];
		if (!relative(t, here, &addr))
			continue;
		start = add_nameless(t, start, addr);
		add_symbol(t, addr, index_string(ix, best->name));
	}
	add_nameless(t, start, UINT32_MAX);
}

/* ---- the bytes ---- */
static void put(struct strbuf *b, const void *data, size_t n, size_t size)
{
	if (n)
		strbuf_add(b, data, n * size);
}

void target_user_table(const struct target_object *o, const void **bytes, size_t *len)
{
	struct table t = { .object = o, .machine = object_machine(o) };
	struct stp_user_table head;
	struct strbuf b;

	strbuf_init(&b);
	strbuf_init(&t.names);
	find_segments(&t);
	find_starts(&t);
	find_rules(&t);
	find_symbols(&t);
	head = (struct stp_user_table){ t.base, (uint32_t)t.segments.n, (uint32_t)t.rules.n,
					(uint32_t)t.symbol_addrs.n, (uint32_t)t.names.len };
	put(&b, &head, 1, sizeof(head));
	put(&b, t.segments.data, t.segments.n, sizeof(*t.segments.data));
	put(&b, t.rule_addrs.data, t.rules.n, sizeof(uint32_t));
	put(&b, t.rules.data, t.rules.n, sizeof(uint32_t));
	put(&b, t.symbol_addrs.data, t.symbol_addrs.n, sizeof(uint32_t));
	put(&b, t.symbol_names.data, t.symbol_addrs.n, sizeof(uint32_t));
	put(&b, t.names.s, t.names.len, 1);
	*len = b.len;
	*bytes = memcpy(arena_alloc(o->target->arena, b.len), b.s, b.len);
	strbuf_deinit(&b);
	strbuf_deinit(&t.names);
}
