/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of probe_kinds.def, each as an object of its own so that kinds compare by address, and
 * the list of them; and what others ask of where a point attaches, whichever arm has it.
 */
#include <inttypes.h>

#include "base/strbuf.h"
#include "diag/diag.h"
#include "ir/point.h"
#include "ir/kind.h"

#define BY_ARM(arm)                                                                                \
	((arm) == IR_ATTACH_KERNEL ? IR_KIND_KERNEL                                                \
	 : (arm) == IR_ATTACH_DATA ? IR_KIND_WATCHPOINT                                            \
				   : 0)
#define KIND(name, attach, context, registers, flags)                                              \
	const struct ir_probe_kind ir_kind_##name = { #name, IR_ATTACH_##attach,                   \
						      IR_CONTEXT_##context,                        \
						      IR_REGISTERS_##registers,                    \
						      (flags) | BY_ARM(IR_ATTACH_##attach) };
#include "ir/probe_kinds.def"
#undef KIND

const struct ir_probe_kind *const ir_kinds[] = {
#define KIND(name, attach, context, registers, flags) &ir_kind_##name,
#include "ir/probe_kinds.def"
#undef KIND
	NULL,
};

const struct ir_probe_kind *ir_kind_keeper(enum ir_attach_tag arm)
{
	for (const struct ir_probe_kind *const *kind = ir_kinds; *kind; kind++)
		if ((*kind)->attach == arm && ir_kind_is(*kind, IR_KIND_KEEPS))
			return *kind;
	return NULL;
}

bool ir_attach_is_linked(const struct ir_attach *at)
{
	return (at->tag == IR_ATTACH_KERNEL && !at->kernel.section) ||
	       (at->tag == IR_ATTACH_DATA && at->data.linked);
}

const struct ir_object *ir_attach_file(const struct ir_attach *at)
{
	return at->tag == IR_ATTACH_USER ? at->user.object : NULL;
}

const char *ir_attach_counter(const struct ir_attach *at)
{
	return at->tag == IR_ATTACH_PERF ? at->perf.counter : NULL;
}

bool ir_attach_same_event(const struct ir_attach *a, const struct ir_attach *b)
{
	return a->tag == IR_ATTACH_PERF && b->tag == IR_ATTACH_PERF &&
	       a->perf.type == b->perf.type && a->perf.config == b->perf.config;
}

bool ir_attach_code(const struct ir_attach *at, uint64_t *addr)
{
	*addr = at->tag == IR_ATTACH_KERNEL ? at->kernel.addr : 0;
	return at->tag == IR_ATTACH_KERNEL;
}

const struct ir_section *ir_attach_section(const struct ir_attach *at)
{
	return at->tag == IR_ATTACH_KERNEL ? at->kernel.section : NULL;
}

struct ir_attach ir_attach_entry(enum ir_attach_tag arm, const struct fetch_entry *entry)
{
	struct ir_attach ret = { .tag = arm };

	if (arm == IR_ATTACH_USER) {
		ret.user.object = entry->object;
		ret.user.addr = entry->addr;
		ret.user.offset = entry->offset;
	} else {
		ret.kernel.symbol = entry->function;
		ret.kernel.section = entry->section;
		ret.kernel.addr = entry->addr;
	}
	return ret;
}

bool ir_attach_differs_by_address(const struct ir_attach *a, const struct ir_attach *b)
{
	return a->tag == IR_ATTACH_KERNEL && b->tag == IR_ATTACH_KERNEL &&
	       (b->kernel.addr || b->kernel.section) && !b->kernel.offset &&
	       b->kernel.section == a->kernel.section &&
	       b->kernel.max_active == a->kernel.max_active &&
	       b->kernel.absolute == a->kernel.absolute;
}

bool ir_attach_same_code(const struct ir_attach *a, const struct ir_attach *b)
{
	return ir_attach_differs_by_address(a, b) && a->kernel.addr == b->kernel.addr;
}

void ir_attach_dump_common(const struct ir_attach *at, struct strbuf *out)
{
	strbuf_addf(out, "%p %u %d", (const void *)at->kernel.section, at->kernel.max_active,
		    at->kernel.absolute);
}

bool ir_attach_shares_call(const struct ir_attach *a, const struct ir_attach *b)
{
	return a->tag == IR_ATTACH_SYSCALL && b->tag == IR_ATTACH_SYSCALL &&
	       a->syscall.abi == b->syscall.abi && a->syscall.number == b->syscall.number;
}

const char *ir_attach_proc_path(const struct ir_attach *at)
{
	return at->tag == IR_ATTACH_PROCFS ? at->procfs.path : NULL;
}

void ir_attach_dump(const struct ir_attach *at, struct strbuf *out)
{
	if (at->tag == IR_ATTACH_USER)
		strbuf_addf(out, " /* %s+0x%" PRIx64 " */", at->user.object->path, at->user.offset);
	if (at->tag == IR_ATTACH_KERNEL && (at->kernel.addr || at->kernel.section))
		strbuf_addf(out, " /* pc=%s%s0x%" PRIx64 " */",
			    at->kernel.section ? at->kernel.section->name : "",
			    at->kernel.section ? "+" : "", at->kernel.addr + at->kernel.offset);
}
