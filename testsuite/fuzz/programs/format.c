/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print functions, as language.md 11 has them, by the C library's printf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* %[flag][width][.precision]conversion: at most one flag. */
struct directive {
	char flag, conversion;
	int width, precision; /* -1: none */
};

static int read_size(const char **s, const struct value **v)
{
	if (**s == '*') {
		++*s;
		return (int)(*v)++->n;
	}
	return (int)strtol(*s, (char **)s, 10);
}

static struct directive read_directive(const char **s, const struct value **v)
{
	struct directive d = { .width = -1, .precision = -1 };

	if (strchr("0+- #", **s))
		d.flag = *(*s)++;
	if (**s != '.' && strchr("*123456789", **s))
		d.width = read_size(s, v);
	if (**s == '.') {
		++*s;
		d.precision = read_size(s, v);
	}
	d.conversion = *(*s)++;
	return d;
}

/* C has no prefix before a zero. */
static void add_prefixed(const struct directive *d, const struct value *v, struct strbuf *ret)
{
	char text[40];

	if (d->conversion == 'o')
		snprintf(text, sizeof(text), "0%llo", (unsigned long long)v->n);
	else if (d->conversion == 'X')
		snprintf(text, sizeof(text), "0X%llX", (unsigned long long)v->n);
	else
		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)v->n);
	strbuf_addf(ret, d->flag == '-' ? "%-*s" : "%*s", d->width < 0 ? 0 : d->width, text);
}

static void add_number(const struct directive *d, const struct value *v, struct strbuf *ret)
{
	char fmt[16] = "%";
	size_t n = 1;

	if (d->flag)
		fmt[n++] = d->flag;
	if (d->precision == 0 && !v->n) { /* C prints nothing */
		strbuf_addf(ret,
			    d->flag == '-'   ? "%-*d"
			    : d->flag == '+' ? "%+*d"
			    : d->flag == ' ' ? "% *d"
					     : "%*d",
			    d->width < 0 ? 0 : d->width, 0);
		return;
	}
	fmt[n] = 0;
	strcat(fmt, d->precision < 0 ? "*ll" : "*.*ll");
	n = strlen(fmt);
	fmt[n++] = d->conversion;
	fmt[n] = 0;
	if (d->precision < 0)
		strbuf_addf(ret, fmt, d->width < 0 ? 0 : d->width, (long long)v->n);
	else
		strbuf_addf(ret, fmt, d->width < 0 ? 0 : d->width, d->precision, (long long)v->n);
}

static void add_directive(const struct directive *d, const struct value *v, struct strbuf *ret)
{
	const char character[2] = { (char)v->n };

	if (d->conversion == 's' || d->conversion == 'c')
		strbuf_addf(ret, d->flag == '-' ? "%-*.*s" : "%*.*s", d->width < 0 ? 0 : d->width,
			    d->precision < 0 || d->conversion == 'c' ? 4096 : d->precision,
			    d->conversion == 's' ? v->s : character);
	else if (d->conversion == 'p' || (d->flag == '#' && strchr("oxX", d->conversion)))
		add_prefixed(d, v, ret);
	else
		add_number(d, v, ret);
}

static void add_formatted(const char *s, const struct value *v, struct strbuf *ret)
{
	while (*s) {
		if (*s != '%') {
			strbuf_addc(ret, *s++);
		} else if (s[1] == '%') {
			strbuf_addc(ret, '%');
			s += 2;
		} else {
			struct directive d;

			s++;
			d = read_directive(&s, &v);
			add_directive(&d, v++, ret);
		}
	}
}

void format_values(enum form form, const char *text, const struct value *values, size_t n,
		   struct strbuf *ret)
{
	if (form == FORM_FORMAT) {
		add_formatted(text, values, ret);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i && text)
			strbuf_adds(ret, text);
		if (values[i].s)
			strbuf_adds(ret, values[i].s);
		else
			strbuf_addf(ret, "%lld", (long long)values[i].n);
	}
	if (form == FORM_LINE || form == FORM_DELIMITED_LINE)
		strbuf_addc(ret, '\n');
}
