/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locations, and reading from pieces: the bits wanted of each piece are cut out of a register or a
 * load, shifted to where they belong, and put together.
 */
#include "target/location.h"

#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "machine/machine.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/objects.h"

#define WORD 64

struct location location_none(const char *problem)
{
	return (struct location){ .problem = problem ? problem : "it was optimised out" };
}

struct location location_memory(struct fetch_program prog)
{
	return (struct location){ .kind = LOCATION_MEMORY, .address = prog };
}

struct location location_linked(struct arena *arena, uint64_t addr)
{
	struct fetch_program prog = { 0 };

	fetch_push(arena, &prog,
		   (struct fetch_insn){ .op = FETCH_ADDRESS, .value = (int64_t)addr });
	return location_memory(prog);
}

struct location location_implicit(struct arena *arena, const struct location *pointee,
				  int64_t offset)
{
	struct location *kept;

	if (!location_has_value(pointee))
		return location_none(pointee->problem ? pointee->problem
						      : "what it points to was optimised out");
	kept = arena_new(arena, struct location);
	*kept = *pointee;
	return (struct location){ .kind = LOCATION_IMPLICIT, .pointee = kept, .offset = offset };
}

/*
 * An address of image.h's layout as section and offset. false: it is in no section, or in one
 * without an anchor to find it by.
 */
static bool relocate_address(const struct target_object *o, struct fetch_insn *in)
{
	struct target_address at = target_address_in(o, (uint64_t)in->value);

	if (o->kind == OBJECT_FILE) {
		in->section = at.section;
		return true;
	}
	if (!at.section || !at.section->anchor)
		return false;
	in->section = at.section;
	in->value = (int64_t)at.offset;
	return true;
}

static bool relocate_program(const struct target_object *o, struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i].op == FETCH_ADDRESS && !relocate_address(o, &p->insns[i]))
			return false;
	return true;
}

struct location location_relocate(const struct target_object *o, struct location l)
{
	struct location pointee;
	bool ok;

	if (object_is_kernel(o))
		return l;
	ok = relocate_program(o, &l.address);
	for (size_t i = 0; i < l.n_pieces; i++)
		ok = relocate_program(o, &l.pieces[i].prog) && ok;
	if (ok && l.kind == LOCATION_IMPLICIT) {
		pointee = location_relocate(o, *l.pointee);
		return location_implicit(o->target->arena, &pointee, l.offset);
	}
	return ok ? l : location_none("where it is in the loaded module is not known");
}

struct location location_word(struct arena *arena, struct fetch_program prog)
{
	struct location l = { 0 };

	location_add_piece(arena, &l, (struct location_piece){ .bits = WORD, .prog = prog });
	return l;
}

void location_push_register(struct arena *arena, const struct machine *m, uint16_t number,
			    struct fetch_program *prog)
{
	fetch_push(arena, prog,
		   (struct fetch_insn){ .op = FETCH_REG, .number = machine_carried(m, number) });
	/* what else the kernel has saved with it means nothing to the program */
	if (m->carrier)
		fetch_push(arena, prog, (struct fetch_insn){ .op = FETCH_EXTEND, .size = m->word });
}

struct location location_register(struct arena *arena, const struct machine *m, uint16_t number)
{
	struct location_piece piece = { .bits = m->word * 8u };
	struct location l = { 0 };

	location_push_register(arena, m, number, &piece.prog);
	location_add_piece(arena, &l, piece);
	return l;
}

struct location location_lost(struct arena *arena, const struct machine *machine, uint64_t number)
{
	const struct machine_register *reg = machine_register(machine, number);

	if (reg)
		return location_none(arena_printf(
			arena, "it is in register %s, which a probe does not have the value of",
			reg->name));
	return location_none(
		arena_printf(arena, "it is in register number %" PRIu64 ", which %s does not have",
			     number, machine->name));
}

void location_add_piece(struct arena *arena, struct location *l, struct location_piece piece)
{
	l->kind = LOCATION_PIECES;
	if (l->n_pieces == l->cap)
		l->pieces = vec_grow(arena, l->pieces, l->n_pieces, &l->cap, sizeof(*l->pieces));
	l->pieces[l->n_pieces++] = piece;
}

/* ---- reading ---- */

/*
 * State of reading bits; single decides where the sign is extended: at the only word, or at the
 * end.
 */
struct reading {
	struct arena *arena;
	struct fetch_program prog;
	unsigned done; /* bits of the result that prog has so far */
	bool single;   /* the result comes from one word */
	bool is_signed;
	const char *problem;
};

static void push(struct reading *r, struct fetch_insn insn)
{
	fetch_push(r->arena, &r->prog, insn);
}

/* The low SIZE * 8 bits, or any others, of the word on top. */
static void cut(struct reading *r, unsigned at, unsigned bits)
{
	bool is_signed = r->single && r->is_signed;

	if (at == 0 && bits == WORD)
		return;
	if (at == 0 && (bits == 8 || bits == 16 || bits == 32))
		push(r, (struct fetch_insn){
				.op = FETCH_EXTEND, .size = bits / 8, .is_signed = is_signed });
	else
		push(r,
		     (struct fetch_insn){
			     .op = FETCH_BITS, .value = at, .bits = bits, .is_signed = is_signed });
}

/* The BITS bits on top of the stack go above those that are done. */
static void join(struct reading *r, unsigned bits)
{
	if (r->done) {
		push(r, (struct fetch_insn){ .op = FETCH_CONST, .value = r->done });
		push(r, (struct fetch_insn){ .op = FETCH_SHL });
		push(r, (struct fetch_insn){ .op = FETCH_OR });
	}
	r->done += bits;
}

/* Bits AT .. AT + BITS - 1 of the word that the piece's program pushes. */
static void read_word(struct reading *r, const struct location_piece *p, unsigned at, unsigned bits)
{
	fetch_append(r->arena, &r->prog, &p->prog);
	cut(r, at, bits);
	join(r, bits);
}

/* By loads that do not reach beyond the bytes of the piece: what is there may not be readable. */
static void read_memory(struct reading *r, const struct location_piece *p, unsigned at,
			unsigned bits)
{
	while (bits) {
		unsigned shift = at % 8, bytes = (shift + bits + 7) / 8;
		unsigned size = bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
		unsigned n = bits < size * 8 - shift ? bits : size * 8 - shift;

		fetch_append(r->arena, &r->prog, &p->prog);
		if (at / 8)
			push(r, (struct fetch_insn){ .op = FETCH_ADD, .value = at / 8 });
		push(r, (struct fetch_insn){ .op = FETCH_LOAD, .size = size });
		r->single = r->single && n == bits;
		if (shift || n < size * 8 || (r->single && r->is_signed))
			cut(r, shift, n);
		join(r, n);
		at += n;
		bits -= n;
	}
}

/* The same of any piece; one that cannot be read ends the reading. */
static void read_piece(struct reading *r, const struct location_piece *p, unsigned at,
		       unsigned bits)
{
	if (p->problem)
		r->problem = p->problem;
	else if (p->in_memory)
		read_memory(r, p, p->skip + at, bits);
	else
		read_word(r, p, p->skip + at, bits);
}

/* Pieces are visited from the low end; those before the first wanted bit are passed over. */
bool location_read_bits(struct arena *arena, const struct location *l, uint64_t at, unsigned bits,
			bool is_signed, struct fetch_program *ret, const char **problem)
{
	struct reading r = { .arena = arena, .is_signed = is_signed };
	uint64_t start = 0;

	for (size_t i = 0; i < l->n_pieces && r.done < bits && !r.problem; i++) {
		const struct location_piece *p = &l->pieces[i];
		uint64_t end = start + p->bits, from = at + r.done;

		if (from < end) {
			uint64_t left = bits - r.done, here = end - from;

			r.single = !r.done && left <= here;
			read_piece(&r, p, from - start, left < here ? left : here);
		}
		start = end;
	}
	if (!r.problem && r.done < bits)
		r.problem = "a part of it was optimised out";
	if (!r.problem && !r.single && is_signed && bits < WORD) {
		r.single = true;
		cut(&r, 0, bits);
	}
	*problem = r.problem;
	*ret = r.prog;
	return !r.problem;
}
