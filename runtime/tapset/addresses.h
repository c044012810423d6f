/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of addresses as scripts pass them on: hexadecimal words, "0x1 0x2", as callers() and
 * ucallers() make them.
 */
#ifndef STP_TAPSET_ADDRESSES_H
#define STP_TAPSET_ADDRESSES_H

#include "compat/kernel.h"
#include "uapi/script.h"

/* Takes the next one off S; 0 at the end, and at what is none. Context: any. */
static inline u64 stp_next_address(struct stp_str *s)
{
	u64 v = 0;
	int digit;

	while (s->len && (*s->s == ' ' || *s->s == '\n')) {
		s->s++;
		s->len--;
	}
	if (s->len > 2 && s->s[0] == '0' && s->s[1] == 'x') {
		s->s += 2;
		s->len -= 2;
	}
	while (s->len && (digit = hex_to_bin(*s->s)) >= 0) {
		v = v << 4 | digit;
		s->s++;
		s->len--;
	}
	return v;
}

#endif
