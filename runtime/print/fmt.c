// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Number layout follows the kernel's old vsprintf, as the language does: sign, then prefix, then
 * zeros of a '0' flag up to the width, then zeros of the precision; "%#o" of 0 is "00", "%#x" of 0
 * is "0x0", "%.0d" of 0 is "0".
 */
#include "../compat/portable.h"
#include "fmt.h"

#define MAX_DIGITS 24
#define MAX_FIELD 65536 /* a width or precision beyond this is cut: output stays bounded */

struct sink {
	char *out;
	unsigned long size, len;
};

static inline void put(struct sink *s, const char *text, unsigned long n)
{
	if (stp_likely(s->len + n <= s->size))
		memcpy(s->out + s->len, text, n);
	else if (s->len < s->size)
		memcpy(s->out + s->len, text, s->size - s->len);
	s->len += n;
}

static void put_fill(struct sink *s, char ch, long n)
{
	if (n <= 0)
		return;
	if (s->len < s->size) {
		unsigned long room = s->size - s->len;

		memset(s->out + s->len, ch, room < (unsigned long)n ? room : (unsigned long)n);
	}
	s->len += n;
}

static stp_long next_long(struct stp_fmt_args *a)
{
	stp_long v = 0;

	if (a->vals) {
		if (a->n) {
			a->n--;
			v = a->vals++->l;
		}
	} else if (a->end - a->wire >= 8) {
		memcpy(&v, a->wire, 8);
		a->wire += 8;
	}
	return v;
}

static struct stp_str next_str(struct stp_fmt_args *a)
{
	struct stp_str v = { "", 0 };
	unsigned long left, whole;

	if (a->vals) {
		if (a->n) {
			a->n--;
			v = a->vals++->s;
		}
		return v;
	}
	left = a->end - a->wire;
	if (left < 4)
		return v;
	memcpy(&v.len, a->wire, 4);
	if (v.len > left - 4)
		v.len = left - 4;
	v.s = (const char *)a->wire + 4;
	whole = (4ul + v.len + 7) & ~7ul;
	a->wire += whole < left ? whole : left;
	return v;
}

static const char *parse_number(const char *p, int *ret)
{
	int v = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		if (v < MAX_FIELD)
			v = v * 10 + (*p - '0');
	*ret = v < MAX_FIELD ? v : MAX_FIELD;
	return p;
}

/**
 * stp_fmt_parse - take a conversion of a format apart
 * @p: behind its '%'
 *
 * Returns where it ends: at the terminating NUL when the format ends within it, never beyond.
 * Context: any; also user space.
 */
const char *stp_fmt_parse(const char *p, struct stp_fmt_spec *spec)
{
	spec->flag = 0;
	spec->star_width = 0;
	spec->star_precision = 0;
	spec->width = 0;
	spec->precision = -1;
	if (*p == '0' || *p == '+' || *p == '-' || *p == ' ' || *p == '#')
		spec->flag = *p++;
	if (*p == '*') {
		spec->star_width = 1;
		p++;
	} else if (*p >= '0' && *p <= '9') {
		p = parse_number(p, &spec->width);
	}
	if (*p == '.') {
		p++;
		if (*p == '*') {
			spec->star_precision = 1;
			p++;
		} else {
			p = parse_number(p, &spec->precision);
		}
	}
	if (*p == 'l')
		p++;
	spec->conv = *p;
	return *p ? p + 1 : p;
}

static int clamp_field(stp_long v)
{
	if (v > MAX_FIELD)
		return MAX_FIELD;
	return v < -MAX_FIELD ? -MAX_FIELD : v;
}

static int digits_of(char *end, stp_u64 v, unsigned int base, const char *alphabet)
{
	char *p = end;

	if (base == 10) {
		do {
			*--p = '0' + v % 10;
			v /= 10;
		} while (v);
	} else {
		unsigned int shift = base == 16 ? 4 : 3;

		do {
			*--p = alphabet[v & (base - 1)];
			v >>= shift;
		} while (v);
	}
	return end - p;
}

static void put_number(struct sink *s, const struct stp_fmt_spec *spec, stp_u64 v)
{
	char buf[MAX_DIGITS], sign = 0;
	const char *prefix = "", *alphabet = "0123456789abcdef";
	int n, n_prefix = 0, fill, zeros;
	unsigned int base = 10;

	switch (spec->conv) {
	case 'd':
	case 'i':
		if ((stp_long)v < 0) {
			sign = '-';
			v = -v;
		} else if (spec->flag == '+' || spec->flag == ' ') {
			sign = spec->flag;
		}
		break;
	case 'o':
		base = 8;
		n_prefix = spec->flag == '#';
		prefix = "0";
		break;
	case 'X':
		alphabet = "0123456789ABCDEF";
		base = 16;
		n_prefix = spec->flag == '#' ? 2 : 0;
		prefix = "0X";
		break;
	case 'p':
	case 'x':
		base = 16;
		n_prefix = spec->flag == '#' || spec->conv == 'p' ? 2 : 0;
		prefix = "0x";
		break;
	default:
		break;
	}
	n = digits_of(buf + sizeof(buf), v, base, alphabet);
	if (!spec->width && spec->precision <= n && !sign && !n_prefix) {
		put(s, buf + sizeof(buf) - n, n);
		return;
	}
	zeros = spec->precision > n ? spec->precision - n : 0;
	fill = spec->width - n - zeros - n_prefix - (sign != 0);
	if (spec->flag != '-' && spec->flag != '0')
		put_fill(s, ' ', fill);
	if (sign)
		put(s, &sign, 1);
	put(s, prefix, n_prefix);
	if (spec->flag == '0')
		put_fill(s, '0', fill);
	put_fill(s, '0', zeros);
	put(s, buf + sizeof(buf) - n, n);
	if (spec->flag == '-')
		put_fill(s, ' ', fill);
}

static void put_field(struct sink *s, const struct stp_fmt_spec *spec, const char *text, long n)
{
	if (spec->flag != '-')
		put_fill(s, ' ', spec->width - n);
	put(s, text, n);
	if (spec->flag == '-')
		put_fill(s, ' ', spec->width - n);
}

static void put_char(struct sink *s, const struct stp_fmt_spec *spec, unsigned char ch)
{
	static const char letters[] = "abtnvfr";
	static const char codes[] = "\a\b\t\n\v\f\r";
	char buf[4] = { '\\' };
	int n = 2, i;

	if (spec->flag != '#' || (ch >= 32 && ch < 127 && ch != '\'' && ch != '\\')) {
		buf[0] = ch;
		put_field(s, spec, buf, 1);
		return;
	}
	for (i = 0; codes[i] && (unsigned char)codes[i] != ch; i++)
		;
	if (codes[i]) {
		buf[1] = letters[i];
	} else if (ch == '\'' || ch == '\\') {
		buf[1] = ch;
	} else {
		buf[1] = '0' + (ch >> 6);
		buf[2] = '0' + (ch >> 3 & 7);
		buf[3] = '0' + (ch & 7);
		n = 4;
	}
	put_field(s, spec, buf, n);
}

/*
 * Value bytes in machine order, NUL-padded on the left to the width; either number alone sets the
 * other.
 */
static void put_binary(struct sink *s, const struct stp_fmt_spec *spec, stp_u64 v)
{
	int precision = spec->precision, width = spec->width;
	stp_u8 b1 = v;
	stp_u16 b2 = v;
	stp_u32 b4 = v;

	if (precision < 0)
		precision = width ? width : 8;
	precision = precision <= 1 ? 1 : precision <= 2 ? 2 : precision <= 4 ? 4 : 8;
	if (!width)
		width = precision;
	put_fill(s, '\0', width - precision);
	if (width < precision)
		precision = width;
	put(s,
	    precision == 1   ? (char *)&b1
	    : precision == 2 ? (char *)&b2
	    : precision <= 4 ? (char *)&b4
			     : (char *)&v,
	    precision);
}

static void put_dump(struct sink *s, const struct stp_fmt_spec *spec, struct stp_fmt_args *a)
{
	static const char hex[] = "0123456789abcdef";
	int user = spec->flag == '#';
	struct stp_str v;
	stp_u32 i;

	if (a->vals) {
		stp_u64 addr = next_long(a);

		if (!a->fetch)
			return;
		v = a->fetch(a->cookie, addr, stp_fmt_dump_len(spec->precision), user);
	} else {
		v = next_str(a);
	}
	if (spec->conv == 'm') {
		put_field(s, spec, v.s, v.len);
		return;
	}
	if (spec->flag != '-')
		put_fill(s, ' ', (long)spec->width - 2l * v.len);
	for (i = 0; i < v.len; i++) {
		char two[2] = { hex[(stp_u8)v.s[i] >> 4], hex[v.s[i] & 15] };

		put(s, two, 2);
	}
	if (spec->flag == '-')
		put_fill(s, ' ', (long)spec->width - 2l * v.len);
}

static void resolve_stars(struct stp_fmt_spec *spec, struct stp_fmt_args *a)
{
	if (spec->star_width) {
		spec->width = clamp_field(next_long(a));
		if (spec->width < 0) {
			spec->flag = '-';
			spec->width = -spec->width;
		}
	}
	if (spec->star_precision) {
		spec->precision = clamp_field(next_long(a));
		if (spec->precision < 0)
			spec->precision = -1;
	}
}

static void put_conversion(struct sink *s, const struct stp_fmt_spec *spec, struct stp_fmt_args *a)
{
	struct stp_str v;

	switch (spec->conv) {
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X':
	case 'p':
		put_number(s, spec, next_long(a));
		break;
	case 's':
		v = next_str(a);
		if (spec->precision >= 0 && v.len > (stp_u32)spec->precision)
			v.len = spec->precision;
		put_field(s, spec, v.s, v.len);
		break;
	case 'c':
		put_char(s, spec, next_long(a));
		break;
	case 'b':
		put_binary(s, spec, next_long(a));
		break;
	case 'm':
	case 'M':
		put_dump(s, spec, a);
		break;
	default: /* "%%", a lone '%' at the end, or damage */
		put(s, "%", 1);
		if (spec->conv && spec->conv != '%')
			put(s, &spec->conv, 1);
		break;
	}
}

/**
 * stp_format - write the text of a format and its arguments
 * @out: at most @size bytes go there, without a NUL; may be NULL when that is 0
 * @args: is moved over the arguments that were used
 *
 * Returns the length of the whole text: more than @size means it was cut. A field is 64 KiB at
 * most, so the work is bounded by the format and its strings; what comes behind @size is counted,
 * not written.
 *
 * Context: any, as far as args->fetch may be called there; also user space.
 */
unsigned long stp_format(char *out, unsigned long size, const char *fmt, struct stp_fmt_args *args)
{
	struct sink s = { out, size, 0 };
	struct stp_fmt_spec spec;

	for (;;) {
		const char *p = fmt;

		while (*p && *p != '%')
			p++;
		if (p != fmt)
			put(&s, fmt, p - fmt);
		if (!*p)
			return s.len;
		fmt = stp_fmt_parse(p + 1, &spec);
		if (spec.star_width | spec.star_precision)
			resolve_stars(&spec, args);
		put_conversion(&s, &spec, args);
	}
}
