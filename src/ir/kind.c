/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of probe_kinds.def, each as an object of its own so that kinds compare by address, and
 * the list of them.
 */
#include "ir/ir.h"
#include "ir/kind.h"

#define KIND(name, attach, registers, flags)                                                       \
	const struct ir_probe_kind ir_kind_##name = { #name, IR_ATTACH_##attach,                   \
						      IR_REGISTERS_##registers, flags };
#include "ir/probe_kinds.def"
#undef KIND

/* The hook's number, the packet, the devices it comes from and goes to. */
#define NETFILTER_WORDS 4

uint32_t ir_attach_words(const struct ir_attach *at)
{
	if (at->tag == IR_ATTACH_TRACEPOINT)
		return at->tracepoint.n_args;
	return at->tag == IR_ATTACH_NETFILTER ? NETFILTER_WORDS : 0;
}

const struct ir_probe_kind *const ir_kinds[] = {
#define KIND(name, attach, registers, flags) &ir_kind_##name,
#include "ir/probe_kinds.def"
#undef KIND
	NULL,
};
