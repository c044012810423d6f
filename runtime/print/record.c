// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * print and printf write binary records, layout in uapi/wire.h; sprintf formats here. The bytes that %m and %M show are
 * fetched in the handler, before the record is begun, since a bad address must raise an error instead.
 */
#include "../compat/portable.h"
#include "fmt.h"

/* Whether a format has %m or %M: found out at its first use and remembered, so that printf never parses. */
enum format_class { FORMAT_UNKNOWN = 0, FORMAT_PLAIN, FORMAT_DUMPS };
#define N_CLASSES 4096
static stp_u8 classes[N_CLASSES];

static stp_u8 classify(stp_u32 id)
{
	const char *p = stp_script.formats[id];
	stp_u8 class = FORMAT_PLAIN;
	struct stp_fmt_spec spec;

	while (*p) {
		if (*p++ != '%')
			continue;
		p = stp_fmt_parse(p, &spec);
		if (spec.conv == 'm' || spec.conv == 'M')
			class = FORMAT_DUMPS;
	}
	if (id < N_CLASSES)
		classes[id] = class;
	return class;
}

static inline stp_u8 class_of(stp_u32 id)
{
	stp_u8 class = id < N_CLASSES ? classes[id] : FORMAT_UNKNOWN;

	return stp_likely(class) ? class : classify(id);
}

static struct stp_str fetch(void *cookie, stp_u64 addr, stp_u32 n, int user)
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

/* A copy of args in which the addresses of %m and %M are replaced by their bytes; NULL with the error set. */
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

			spec.precision = precision < 0               ? -1
					 : precision > STP_PAGE_SIZE ? STP_PAGE_SIZE + 1
								     : precision;
		}
		if ((spec.conv == 'm' || spec.conv == 'M') && i < n) {
			copy[i].s = fetch(c, args[i].l, stp_fmt_dump_len(spec.precision),
					  spec.flag == '#');
			*strings |= 1u << i;
			if (c->error)
				return NULL;
		}
		i += spec.conv && spec.conv != '%';
	}
	return copy;
}

static inline stp_u32 string_len(struct stp_str s)
{
	return (4 + s.len + 7) & ~7u;
}

/**
 * stp_print - printf: write a format's number and its arguments
 * @args: in the order of the conversions
 * @strings: bit i: args[i] is a string
 *
 * Nothing is formatted here. A record that does not fit into the ring is counted there and is no
 * error; a bad address for %m or %M is one, and then nothing is written. The bytes copied are those
 * of the arguments, half a ring at most.
 *
 * Context: any handler.
 */
void stp_print(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n, stp_u32 strings)
{
	stp_u32 i, bits, size = 0;
	char *p;

	if (stp_unlikely(class_of(id) == FORMAT_DUMPS)) {
		args = fetch_dumps(c, id, args, n, &strings);
		if (!args)
			return;
	}
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

/**
 * stp_sprint - sprintf: the text of a format, in scratch
 *
 * At most MAXSTRINGLEN - 1 bytes, the rest is cut. "" with the error set when scratch is used up or
 * an address for %m or %M is bad. Context: any handler.
 */
struct stp_str stp_sprint(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n,
			  stp_u32 strings)
{
	struct stp_fmt_args cursor = { .vals = args, .n = n, .fetch = fetch, .cookie = c };
	stp_u32 max = stp_script.max_string - 1;
	char *text = stp_scratch(c, stp_script.max_string);
	unsigned long len;

	if (!text)
		return stp_empty();
	len = stp_format(text, max, stp_script.formats[id], &cursor);
	if (c->error)
		len = 0;
	if (len > max)
		len = max;
	c->top = text + ((len + 7) & ~7ul);
	return (struct stp_str){ text, len };
}
