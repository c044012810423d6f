/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of which a program has several, for different processors (STT_GNU_IFUNC, GCC's
 * attribute ifunc). What their symbol leads to runs once in a process, and answers with the one
 * that is called from then on: its address is one of those of code that its instructions put into
 * registers. One that it asks another function for, as glibc's time() asks for that of the vDSO, is
 * not found.
 */
#include "target/decode.h"
#include "target/internal.h"
#include "target/object.h"

/* So many are not chosen from: it is a table, or no code. */
#define CHOSEN_MAX 32

static bool is_code(const struct target_object *o, uint64_t addr)
{
	const struct index_section *s = index_section_at(&o->index, addr);

	return s && s->flags & SHF_EXECINSTR;
}

static void take(const struct target_object *o, uint64_t addr, struct object_chosen *ret)
{
	vec_foreach(old, ret)
		if (*old == addr)
			return;
	if (ret->n < CHOSEN_MAX)
		vec_push(o->target->arena, ret, addr);
}

void object_chosen_by(const struct target_object *o, uint64_t addr, struct object_chosen *ret)
{
	uint64_t begin, end;
	struct decoder *d;
	struct decoded insn;
	const unsigned char *code;
	struct error *err;

	*ret = (struct object_chosen){ 0 };
	if (!object_code_extent(o, addr, &begin, &end) || begin != addr)
		return;
	code = image_at(&o->image, addr, end - addr);
	err = object_decoder(o, &d);
	for (uint64_t at = addr; !err && code && at < end; at += insn.size) {
		if (!decoder_next(d, code + (at - addr), end - at, at, &insn))
			break;
		ret->calls |= insn.flow == DECODE_CALL;
		if (insn.address && (insn.address < addr || insn.address >= end) &&
		    is_code(o, insn.address))
			take(o, insn.address, ret);
	}
	error_destroy(err);
}
