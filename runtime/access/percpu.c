// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Per-CPU objects. What the kernel calls the address of one, be it a variable's or an allocated
 * object's, is that of a template that no CPU uses; each CPU's copy lies as far from it as all
 * others of that CPU's (include/asm-generic/percpu.h).
 */
#include <linux/percpu.h>
#include <linux/smp.h>

#include "core/internal.h"

/**
 * stp_percpu_address - the address of this CPU's copy of a per-CPU object
 * @addr: of the object; for a variable its run-time address; 0: the module that has it is not
 * loaded
 *
 * 0 of 0, which cannot be read.
 *
 * A handler that may sleep can be moved to another CPU at any time: it gets the copy of the CPU
 * that it was on.
 *
 * Context: any handler.
 */
stp_u64 stp_percpu_address(stp_u64 addr)
{
	return addr ? addr + per_cpu_offset(raw_smp_processor_id()) : 0;
}
