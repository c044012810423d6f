/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch programs as text: each operation's word, then the fields that it uses. Programs have the
 * same text only when they are equal: codegen/fetch.c makes one function of those.
 */
#include <inttypes.h>

#include "base/strbuf.h"
#include "ir/fetch.h"
#include "ir/object.h"
#include "machine/machine.h"

/* The kernel's memory is the usual one and is not named. */
static const char *const space_names[] = {
	[FETCH_KERNEL] = "",
	[FETCH_USER] = " user",
	[FETCH_PERCPU] = " percpu",
	[FETCH_IO] = " io",
};

/* Small numbers are offsets and sizes; the rest are addresses and masks. */
static void add_value(int64_t value, struct strbuf *out)
{
	strbuf_addf(out, value > -65536 && value < 65536 ? " %" PRId64 : " 0x%" PRIx64, value);
}

/* A register by name, where the machine is known; all other numbers as they are. */
static void add_number(const struct fetch_insn *in, const struct machine *machine,
		       struct strbuf *out)
{
	const struct machine_register *reg =
		machine && fetch_ops[in->op].fields & FETCH_USES_REGISTER
			? machine_register(machine, in->number)
			: NULL;

	if (reg)
		strbuf_addf(out, " %s", reg->name);
	else
		strbuf_addf(out, " %u", in->number);
}

/* Which register, and of which function: the address tells it from others of its name. */
static void add_entry(const struct fetch_entry *entry, const struct machine *machine,
		      struct strbuf *out)
{
	strbuf_adds(out, " (");
	fetch_text(&entry->value, machine, out);
	strbuf_addf(out, ") of %s 0x%" PRIx64, entry->function, entry->addr);
	if (entry->object)
		strbuf_addf(out, " %s", entry->object->path ?: entry->object->name);
	if (entry->section)
		strbuf_addf(out, ":%s", entry->section->name);
}

static void add_insn(const struct fetch_insn *in, const struct machine *machine, struct strbuf *out)
{
	const struct fetch_op_info *row = &fetch_ops[in->op];

	strbuf_adds(out, row->name);
	if (row->fields & FETCH_USES_NUMBER)
		add_number(in, machine, out);
	if (row->fields & FETCH_USES_KEPT)
		add_entry(in->entry, machine, out);
	if (row->fields & FETCH_USES_VALUE)
		add_value(in->value, out);
	if (row->fields & FETCH_USES_SIZE)
		strbuf_addf(out, " %c%u", in->is_signed ? 's' : 'u', in->size * 8);
	if (row->fields & FETCH_USES_BITS)
		strbuf_addf(out, " %c%u", in->is_signed ? 's' : 'u', in->bits);
	if (row->fields & FETCH_USES_SPACE)
		strbuf_adds(out, space_names[in->space]);
	if (in->section && in->section->object->path)
		strbuf_addf(out, " %s", in->section->object->path);
	else if (in->section)
		strbuf_addf(out, " %s:%s", in->section->object->name, in->section->name);
}

void fetch_text(const struct fetch_program *p, const struct machine *machine, struct strbuf *out)
{
	for (size_t i = 0; i < p->n; i++) {
		strbuf_adds(out, i ? ", " : "");
		add_insn(&p->insns[i], machine, out);
	}
}
