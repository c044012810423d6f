// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text of IPv6 addresses.
 *
 * Context: any handler.
 */
#include <linux/in6.h>
#include <linux/kernel.h>
#include "access/access.h"
#include "tapset/functions.h"

/* As in RFC 5952, which is what the kernel's %pI6c writes. */
struct stp_str stp_fn_ipv6_text(struct stp_ctx *c, stp_long addr)
{
	struct in6_addr in6;
	struct stp_text t;

	if (stp_copy_from(STP_KERNEL, &in6, addr, sizeof(in6))) {
		stp_errorf(c, "read fault [man error::fault] at 0x%llx", addr);
		return stp_empty();
	}
	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_printf(&t, "%pI6c", &in6);
	return stp_text_end(c, &t);
}
