// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets of signals as text.
 *
 * Context: any handler.
 */
#include <linux/kernel.h>
#include "access/access.h"
#include "tapset/functions.h"

struct stp_str stp_fn_sigset_mask_str(struct stp_ctx *c, stp_long mask)
{
	struct stp_text t;
	u32 bit;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	for (bit = 0; bit < 64; bit++) {
		if (mask >> bit & 1)
			stp_text_printf(&t, t.len ? ",%u" : "%u", bit + 1);
	}
	return stp_text_end(c, &t);
}
