// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets of signals as text.
 *
 * Context: any handler.
 */
#include <linux/kernel.h>
#include "access/access.h"
#include "tapset/functions.h"

/* Those of POSIX.1b as signal_str() has them; the kernel's SIGRTMIN is 32. */
static void signal_add(struct stp_ctx *c, struct stp_text *t, u32 number)
{
	if (t->len)
		stp_text_char(t, '|');
	if (number >= 32) {
		stp_text_printf(t, number > 32 ? "SIGRT_%u" : "SIGRTMIN", number - 32);
		return;
	}
	stp_text_printf(t, "SIG%s", stp_signal_name(number));
}

struct stp_str stp_fn_sigset_mask_str(struct stp_ctx *c, stp_long mask)
{
	struct stp_text t;
	u32 bit;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	for (bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			signal_add(c, &t, bit + 1);
	return stp_text_end(c, &t);
}
