// SPDX-License-Identifier: GPL-2.0-or-later
/* Code that calls are made from. */
#include "access/access.h"
#include "probes/callers.h"

/**
 * stp_callers_have - is an address behind a call in the code of the callers of a probe?
 * @p: with callers
 * @to: where the call returns to, which is behind the code when the call is its last instruction
 *
 * Code of a module that is not loaded has no address. Context: any handler.
 */
int stp_callers_have(const struct stp_probe *p, unsigned long to)
{
	u32 i;

	for (i = 0; i < p->n_callers; i++) {
		const struct stp_code *code = &p->callers[i];
		u64 begin = code->section ? stp_section_address(code->section, code->addr)
					  : stp_kernel_address(code->addr);

		if (begin && to - begin - 1 < code->size)
			return 1;
	}
	return 0;
}
