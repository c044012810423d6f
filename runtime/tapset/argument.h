/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the word arguments of the function just entered are, by the C calling convention of the
 * kernel or of the program that hit.
 *
 * Context: any handler.
 */
#ifndef STP_TAPSET_ARGUMENT_H
#define STP_TAPSET_ARGUMENT_H

#include "arch/arch.h"
#include "core/internal.h"

struct stp_argument {
	unsigned long *in; /* a register; NULL: it is on the stack, */
	u64 at;            /* there, */
	u32 size;          /* of so many bytes */
};

/* 0 with the error set when the probe is at no entry, or no function has so many. @n: from 1. */
static inline int stp_argument_find(struct stp_ctx *c, stp_long n, struct stp_argument *ret)
{
	const struct stp_regs *r = c->regs;
	u32 in_registers = 0;

	if (!r || (c->flags & STP_CTX_RETURN)) {
		stp_error(c, "arguments are only available at function entry");
		return 0;
	}
	if (n < 1 || n > 64) {
		stp_errorf(c, "invalid argument number %lld", n);
		return 0;
	}
	ret->size = c->flags & STP_CTX_USER_REGS ? stp_arch_user_word(r) : sizeof(long);
	if (ret->size == sizeof(long)) {
		ret->in = (unsigned long *)stp_arch_argument(r, n - 1);
		while (stp_arch_argument(r, in_registers))
			in_registers++;
	} else {
		ret->in = NULL; /* on the stack, all of them */
	}
	ret->at = stp_arch_sp(r) + STP_ARCH_RETURN_WORDS * ret->size +
		  ret->size * (n - 1 - in_registers);
	return 1;
}

#endif
