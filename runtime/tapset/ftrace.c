// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines in the kernel's own trace buffer, /sys/kernel/tracing/trace.
 *
 * Context: any handler.
 */
#include "access/access.h"
#include "compat/kernel.h"
#include "tapset/functions.h"

/* Not trace_puts(): a module that has one makes the kernel print a notice when it is loaded. */
void stp_fn_ftrace(struct stp_ctx *c, struct stp_str msg)
{
	char *copy = stp_scratch(c, msg.len + 2);

	if (!copy)
		return;
	memcpy(copy, msg.s, msg.len);
	copy[msg.len] = '\n';
	copy[msg.len + 1] = '\0';
#ifdef STP_HAVE_TRACE_PUTS_SIZE
	__trace_puts(_THIS_IP_, copy, msg.len + 1);
#else
	__trace_puts(_THIS_IP_, copy);
#endif
}
