/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each way is followed until it overwrites the register or returns; one that reads it, or is not
 * understood, decides.
 *
 * A call reads what it may read: of the registers only those that functions leave as they were
 * outlast it. What it reads of the others depends on the function, and compilers know of functions
 * in the same file which of them those leave alone (gcc -fipa-ra), so it counts as a read of all of
 * these. A jump out of the function is followed like any other: the code there is what happens
 * next.
 *
 * The kernel changes its code when it starts, and later: a nop may become anything, a jump a nop.
 * Its functions in assembler have conventions of their own; those that its tracer can patch are the
 * compiler's. In the bytes of a module a branch or call to another section is one to the next
 * instruction, before it is relocated.
 */
#include "target/convention.h"
#include "target/liveness.h"

#include <string.h>

#include "machine/machine.h"
#include "target/decode.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/scope.h"
#include "target/variables.h"

#define STEPS_MAX 512
#define WAYS_MAX 64
#define INSN_MAX 15 /* bytes of an instruction */

/* One question. */
struct liveness {
	const struct liveness_code *code;
	struct decoder *decoder;
	unsigned number;
	uint64_t entry_call; /* the function's call of the tracer; 0: it has none */
	uint64_t ways[WAYS_MAX];
	size_t n_ways;
	uint64_t seen[STEPS_MAX];
	size_t n_seen;
};

enum step { STEP_ON, STEP_END, STEP_READ };

static bool is_in(unsigned number, const uint16_t *list, uint8_t n)
{
	for (uint8_t i = 0; i < n; i++)
		if (list[i] == number)
			return true;
	return false;
}

static bool outlasts_calls(const struct liveness *w)
{
	const struct machine_convention *c = &w->code->machine->convention;

	return is_in(w->number, c->saved, c->n_saved);
}

static bool is_result(const struct liveness *w)
{
	const struct machine_convention *c = &w->code->machine->convention;

	return is_in(w->number, c->results, sizeof(c->results) / sizeof(*c->results));
}

static bool has_been_at(const struct liveness *w, uint64_t addr)
{
	for (size_t i = 0; i < w->n_seen; i++)
		if (w->seen[i] == addr)
			return true;
	return false;
}

static enum step go_also(struct liveness *w, uint64_t addr)
{
	if (w->n_ways == WAYS_MAX)
		return STEP_READ;
	w->ways[w->n_ways++] = addr;
	return STEP_ON;
}

static bool decode(const struct liveness *w, uint64_t addr, struct decoded *ret)
{
	size_t len = INSN_MAX;
	const unsigned char *bytes = w->code->bytes(w->code->arg, addr, &len);

	return bytes && decoder_next(w->decoder, bytes, len, addr, ret);
}

/*
 * The call of the tracer, or the nop in its place, that compilers put into each function's entry;
 * 0: there is none.
 */
static uint64_t entry_call(const struct liveness *w, uint64_t entry)
{
	const struct machine *m = w->code->machine;
	struct decoded insn;
	size_t len = m->landing_size;
	const unsigned char *bytes = w->code->bytes(w->code->arg, entry, &len);

	if (!bytes || !decode(w, entry, &insn))
		return 0;
	if (len == m->landing_size && !memcmp(bytes, m->landing, len))
		entry += m->landing_size;
	if (!decode(w, entry, &insn) || insn.size != m->fentry_size)
		return 0;
	return insn.flow == DECODE_CALL || insn.is_nop ? entry : 0;
}

static bool is_named(const struct liveness *w, uint64_t addr, const char *prefix)
{
	const char *name = prefix ? w->code->name(w->code->arg, addr) : NULL;

	return name && !strncmp(name, prefix, strlen(prefix));
}

static enum step take_call(struct liveness *w, const struct decoded *insn)
{
	const struct liveness_code *code = w->code;

	if (!outlasts_calls(w) || code->unwinds || is_named(w, insn->to, code->machine->thunks))
		return STEP_READ;
	if (code->is_kernel && insn->to && !entry_call(w, insn->to))
		return STEP_READ;
	return STEP_ON;
}

static enum step take_return(const struct liveness *w)
{
	return outlasts_calls(w) || is_result(w) ? STEP_READ : STEP_END;
}

static enum step take_jump(struct liveness *w, const struct decoded *insn)
{
	if (!insn->to || insn->to == insn->addr + insn->size)
		return STEP_READ;
	if (is_named(w, insn->to, w->code->machine->return_thunks))
		return take_return(w);
	if (go_also(w, insn->to) == STEP_READ)
		return STEP_READ;
	return insn->flow == DECODE_BRANCH || w->code->is_kernel ? STEP_ON : STEP_END;
}

static enum step take(struct liveness *w, const struct decoded *insn)
{
	enum decode_use use = decoder_use(w->decoder, w->code->machine, w->number);

	if (insn->addr == w->entry_call)
		return STEP_ON;
	if (use != DECODE_UNTOUCHED || (insn->is_nop && w->code->is_kernel))
		return use == DECODE_OVERWRITTEN ? STEP_END : STEP_READ;
	switch (insn->flow) {
	case DECODE_ON:
		break;
	case DECODE_CALL:
		return take_call(w, insn);
	case DECODE_BRANCH:
	case DECODE_JUMP:
		return take_jump(w, insn);
	case DECODE_RETURN:
		return take_return(w);
	}
	return STEP_ON;
}

/* true: it comes to an end without a read. */
static bool follow(struct liveness *w, uint64_t addr)
{
	struct decoded insn;
	enum step step;

	do {
		if (has_been_at(w, addr))
			return true;
		if (w->n_seen == STEPS_MAX || !decode(w, addr, &insn))
			return false;
		w->seen[w->n_seen++] = addr;
		step = take(w, &insn);
		addr += insn.size;
	} while (step == STEP_ON);
	return step == STEP_END;
}

bool liveness_is_lost(const struct liveness_code *code, struct decoder *d, uint64_t entry,
		      uint64_t pc, unsigned number)
{
	struct liveness w = { .code = code, .decoder = d, .number = number };

	if (!code->machine->convention.n_saved)
		return false;
	w.entry_call = code->is_kernel ? entry_call(&w, entry) : 0;
	w.ways[w.n_ways++] = pc;
	while (w.n_ways)
		if (!follow(&w, w.ways[--w.n_ways]))
			return false;
	return true;
}

/* ---- of a scope ---- */

static const unsigned char *object_bytes(const void *arg, uint64_t addr, size_t *len)
{
	const struct target_object *o = arg;

	for (; *len; --*len) {
		const unsigned char *bytes = image_at(&o->image, addr, *len);

		if (bytes)
			return bytes;
	}
	return NULL;
}

static const char *object_name(const void *arg, uint64_t addr)
{
	const struct target_object *o = arg;
	uint64_t end;
	const struct index_symbol *symbol = index_at(&o->index, addr, &end);

	return symbol && symbol->addr == addr ? index_string(&o->index, symbol->name) : NULL;
}

/* The machine's number of a register of its kernel's. */
static bool number_of(const struct machine *m, unsigned reg, unsigned *ret)
{
	for (uint16_t i = 0; i < m->n_registers; i++)
		if (m->registers[i].field && machine_carried(m, i) == reg) {
			*ret = i;
			return true;
		}
	return false;
}

const char *target_store_is_lost(const struct target_scope *scope, unsigned reg, uint64_t *addr)
{
	const struct target_function *f = &scope->function;
	struct target_object *o = scope->object;
	struct liveness_code code = { .bytes = object_bytes, .name = object_name, .arg = o };
	uint64_t entry = f->inline_addr ? f->inline_addr : f->addr;
	struct image_section table;
	struct decoder *decoder;
	struct error *err;
	unsigned number;

	if (scope->kind != SCOPE_ENTRY || o->is_go)
		return NULL;
	code.machine = object_machine(o);
	code.is_kernel = o->kind != OBJECT_FILE;
	code.unwinds = image_section(&o->image, ".gcc_except_table", &table);
	if (!code.machine->convention.n_saved || !number_of(code.machine, reg, &number))
		return NULL;
	err = object_decoder(o, &decoder);
	error_destroy(err);
	*addr = f->pc ? f->pc : entry;
	if (err || !liveness_is_lost(&code, decoder, entry, *addr, number))
		return NULL;
	return code.machine->registers[number].name;
}
