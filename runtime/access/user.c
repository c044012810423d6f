// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables of programs, where the process that hit has them. */
#include "access/access.h"

/**
 * stp_user_address - where the current process has what is linked at an address
 *
 * In the file of the point that was hit: it is as far from there as it was linked. 0, which no read
 * survives, when the point is not known. Context: any handler.
 */
stp_u64 stp_user_address(struct stp_ctx *c, stp_u64 link_addr)
{
	const struct stp_point *point = stp_ctx_point(c);

	return point ? link_addr + c->point_addr - point->user.addr : 0;
}
