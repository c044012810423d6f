/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings in scratch, for the runtime in the kernel and for the parts of it that tests run in user
 * space.
 */
#ifndef STP_CORE_SCRATCH_H
#define STP_CORE_SCRATCH_H

#include "../compat/portable.h"

/**
 * stp_scratch_copy - a text as a string of its own, NUL-terminated
 * @text: LEN bytes that do not change meanwhile, and cannot fault
 *
 * Context: any handler. "" with the error set when scratch is used up.
 */
static inline struct stp_str stp_scratch_copy(struct stp_ctx *c, const char *text, stp_u32 len)
{
	char *copy = stp_scratch(c, len + 1);

	if (!copy)
		return stp_empty();
	memcpy(copy, text, len);
	copy[len] = '\0';
	return (struct stp_str){ copy, len };
}

#endif
