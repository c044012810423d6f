// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory dumps, %m and %M of the formats. Their bytes are fetched in the handler, before the record
 * is begun, since a bad address must raise an error instead.
 */
#include "../compat/portable.h"
#include "dump.h"
#include "fmt.h"

#define MOST_NAMED 0x7fffffff /* an error says at most this many bytes */

/**
 * stp_dump_fetch - the bytes that a %m or %M shows, in scratch
 * @cookie: the context
 *
 * "" with the error set when they cannot be read, are more than a page, or scratch is used up.
 *
 * Context: any handler.
 */
struct stp_str stp_dump_fetch(void *cookie, stp_u64 addr, stp_u32 n, int user)
{
	struct stp_ctx *c = cookie;
	stp_u32 i = 0;
	char *p;

	if (n > STP_PAGE_SIZE) {
		stp_errorf(c, "%u is too many bytes for a memory dump", n);
		return stp_empty();
	}
	p = stp_scratch(c, n);
	if (!p)
		return stp_empty();
	while (i < n && !c->error) {
		stp_u32 step = n - i >= 8 ? 8 : 1;
		stp_long v = user ? stp_read_user(c, addr + i, step, 0)
				  : stp_read_kernel(c, addr + i, step, 0);

		if (step == 8)
			memcpy(p + i, &v, 8);
		else
			p[i] = v;
		i += step;
	}
	return c->error ? stp_empty() : (struct stp_str){ p, n };
}

/*
 * A copy of args in which the addresses of %m and %M are replaced by their bytes; NULL with the
 * error set.
 */
static const union stp_val *fetch_dumps(struct stp_ctx *c, stp_u32 id, const union stp_val *args,
					stp_u32 n, stp_u32 *strings)
{
	const char *p = stp_script.formats[id];
	union stp_val *copy = (union stp_val *)stp_scratch(c, n * sizeof(*copy));
	struct stp_fmt_spec spec;
	stp_u32 i = 0;

	if (!copy)
		return NULL;
	memcpy(copy, args, n * sizeof(*copy));
	while (*p && i < n) {
		if (*p++ != '%')
			continue;
		p = stp_fmt_parse(p, &spec);
		i += spec.star_width;
		if (spec.star_precision && i < n) {
			stp_long precision = args[i++].l;

			spec.precision = precision < 0            ? -1
					 : precision > MOST_NAMED ? MOST_NAMED
								  : precision;
		}
		if ((spec.conv == 'm' || spec.conv == 'M') && i < n) {
			copy[i].s = stp_dump_fetch(c, args[i].l, stp_fmt_dump_len(spec.precision),
						   spec.flag == '#');
			*strings |= 1u << i;
			if (c->error)
				return NULL;
		}
		i += spec.conv && spec.conv != '%';
	}
	return copy;
}

/**
 * stp_print_dumps - stp_print() of a format with %m or %M
 *
 * A bad address raises an error, and then nothing is written. Context: any handler.
 */
void stp_print_dumps(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n,
		     stp_u32 strings)
{
	args = fetch_dumps(c, id, args, n, &strings);
	if (args)
		stp_print(c, id, args, n, strings);
}
