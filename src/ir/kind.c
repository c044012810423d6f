/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of probe_kinds.def, each as an object of its own so that kinds compare by address, and
 * the list of them.
 */
#include "ir/kind.h"

#define KIND(name, attach, registers, flags)                                                       \
	const struct ir_probe_kind ir_kind_##name = { #name, IR_ATTACH_##attach,                   \
						      IR_REGISTERS_##registers, flags };
#include "ir/probe_kinds.def"
#undef KIND

const struct ir_probe_kind *const ir_kinds[] = {
#define KIND(name, attach, registers, flags) &ir_kind_##name,
#include "ir/probe_kinds.def"
#undef KIND
	NULL,
};
