/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User stacks, for what prints them in another form (ustack.c).
 *
 * Context: any handler.
 */
#ifndef STP_TAPSET_USTACK_H
#define STP_TAPSET_USTACK_H

#include "unwind/user_map.h"

struct mm_struct *stp_ustack_take(struct stp_ctx *c, const struct stp_user_frame *from,
				  struct stp_user_stack *s);
typedef void (*stp_frame_put)(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm,
			      const struct stp_user_stack *s, u32 i);
void stp_ustack_print(struct stp_ctx *c, const struct stp_user_frame *from, stp_frame_put put);
/* "SYM+0xOFF/0xSIZE [PATH]", by the symbol of so many bytes before addr: stp_user_back() */
void stp_usymdata_put(struct stp_ctx *c, struct stp_text *t, struct mm_struct *mm, u64 addr,
		      u32 back);

#endif
