// SPDX-License-Identifier: GPL-2.0-or-later
/* print and printf write binary records, layout in uapi/wire.h: nothing is formatted here. */
#include "../compat/portable.h"

static inline stp_u32 string_len(struct stp_str s)
{
	return (4 + s.len + 7) & ~7u;
}

/**
 * stp_print - printf: write a format's number and its arguments
 * @args: in the order of the conversions
 * @strings: bit i: args[i] is a string
 *
 * Not for formats with %m or %M: stp_print_dumps(). A record that does not fit into the ring is
 * counted there and is no error. The bytes copied are those of the arguments, half a ring at most.
 *
 * Context: any handler.
 */
void stp_print(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n, stp_u32 strings)
{
	stp_u32 i, bits, size = 0;
	char *p;

	for (i = 0, bits = strings; i < n; i++, bits >>= 1)
		size += bits & 1 ? string_len(args[i].s) : 8;
	p = stp_rec_begin(c, STP_REC_FORMAT, id, size);
	if (stp_unlikely(!p))
		return;
	for (i = 0, bits = strings; i < n; i++, bits >>= 1) {
		if (bits & 1) {
			struct stp_str s = args[i].s;
			stp_u32 whole = string_len(s);

			memset(p + whole - 8, 0, 8);
			memcpy(p, &s.len, 4);
			memcpy(p + 4, s.s, s.len);
			p += whole;
		} else {
			memcpy(p, &args[i].l, 8);
			p += 8;
		}
	}
	stp_rec_end(c);
}

/**
 * stp_print_0 - printf of a format without arguments
 *
 * Context: any handler, as stp_print().
 */
void stp_print_0(struct stp_ctx *c, stp_u32 id)
{
	if (stp_likely(stp_rec_begin(c, STP_REC_FORMAT, id, 0)))
		stp_rec_end(c);
}

/**
 * stp_print_text - write bytes as they are
 *
 * Split into as many records as it takes; each that does not fit is counted as lost.
 *
 * Context: any handler.
 */
void stp_print_text(struct stp_ctx *c, struct stp_str s)
{
	stp_u32 max = (stp_rec_max() & ~7u) - 8;

	while (s.len) {
		stp_u32 n = s.len < max ? s.len : max;

		stp_rec_text(c, STP_REC_TEXT, s.s, n);
		s.s += n;
		s.len -= n;
	}
}
