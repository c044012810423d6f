// SPDX-License-Identifier: GPL-2.0-or-later
/* Text under construction, and its escaping: the rules of text_str() and the *_quoted functions. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include "access/access.h"

/**
 * stp_text_begin - begin a text in scratch
 *
 * Takes room for MAXSTRINGLEN bytes until stp_text_end(). Returns 0 with the error set when there
 * is none.
 *
 * Context: any handler.
 */
int stp_text_begin(struct stp_ctx *c, struct stp_text *t)
{
	t->len = 0;
	t->size = stp_script.max_string;
	t->out = NULL;
	t->s = stp_scratch(c, t->size);
	return !!t->s;
}

/**
 * stp_text_end - the text as a view
 *
 * NUL-terminated. Unused scratch is given back, unless something was taken behind it since.
 * Context: any handler.
 */
struct stp_str stp_text_end(struct stp_ctx *c, struct stp_text *t)
{
	t->s[t->len] = '\0';
	if (c->top == t->s + t->size)
		c->top = t->s + t->len + 1;
	return (struct stp_str){ t->s, t->len };
}

/**
 * stp_text_print - begin a text that is printed, of any length
 *
 * Takes room for MAXSTRINGLEN bytes until stp_text_printed(). Returns 0 with the error set when
 * there is none. Context: any handler.
 */
int stp_text_print(struct stp_ctx *c, struct stp_text *t)
{
	if (!stp_text_begin(c, t))
		return 0;
	t->out = c;
	return 1;
}

/**
 * stp_text_flush - print what a printed text has so far
 *
 * Context: any handler.
 */
void stp_text_flush(struct stp_text *t)
{
	if (t->len)
		stp_rec_text(t->out, STP_REC_TEXT, t->s, t->len);
	t->len = 0;
}

/**
 * stp_text_printed - print what is left of a text, and give its room back
 *
 * What was taken behind it goes as well. Context: any handler.
 */
void stp_text_printed(struct stp_text *t)
{
	stp_text_flush(t);
	t->out->top = t->s;
}

/**
 * stp_text_add - append bytes
 *
 * What does not fit into a string is dropped, here and in the two below: a text cannot fail.
 * Context: any handler.
 */
void stp_text_add(struct stp_text *t, const char *s, u32 len)
{
	while (t->out && len > t->size - 1 - t->len) {
		u32 n = t->size - 1 - t->len;

		memcpy(t->s + t->len, s, n);
		t->len += n;
		stp_text_flush(t);
		s += n;
		len -= n;
	}
	len = min(len, t->size - 1 - t->len);
	memcpy(t->s + t->len, s, len);
	t->len += len;
}

/**
 * stp_text_char - append a byte
 *
 * Context: any handler.
 */
void stp_text_char(struct stp_text *t, char ch)
{
	stp_text_add(t, &ch, 1);
}

#define PIECE 64 /* more than a few numbers take */

static noinline void print_piece(struct stp_text *t, const char *fmt, va_list ap)
{
	char piece[PIECE];

	stp_text_add(t, piece, vscnprintf(piece, sizeof(piece), fmt, ap));
}

/**
 * stp_text_printf - append what the kernel's vsnprintf() makes of it
 *
 * A text that is printed takes no more than PIECE - 1 bytes at once: names are added apart.
 * Context: any handler; what a %s or %p extension looks at is known to be there.
 */
void stp_text_printf(struct stp_text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (t->out)
		print_piece(t, fmt, ap);
	else
		t->len += vscnprintf(t->s + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
}

/* Length of the valid UTF-8 sequence beyond ASCII at s, its code point in *code; else 0. */
static u32 utf8_decode(const unsigned char *s, u32 n, u32 *code)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	u32 len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc0 ? 2 : 0, i;

	if (!len || len > n || s[0] > 0xf4)
		return 0;
	*code = s[0] & (0xff >> (len + 1));
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (*code < least[len] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return len;
}

/* The escaped form of what is at s, its length in *len. Returns the bytes of s it stands for. */
static u32 escape(char *to, u32 room, u32 *len, const char *s, u32 n, u32 flags)
{
	static const char names[] = "abtnvfr"; /* 7 .. 13 */
	unsigned char ch = *s;
	u32 code, used = 0;

	if (flags & STP_QUOTE_UTF8)
		used = utf8_decode((const unsigned char *)s, n, &code);
	if (used)
		*len = scnprintf(to, room, code > 0xffff ? "\\U%08X" : "\\u%04X", code);
	else if (ch == '"' || ch == '\\')
		*len = scnprintf(to, room, "\\%c", ch);
	else if (ch >= 7 && ch <= 13)
		*len = scnprintf(to, room, "\\%c", names[ch - 7]);
	else if (ch >= ' ' && ch < 0x7f)
		*len = scnprintf(to, room, "%c", ch);
	else if (!ch && (n < 2 || s[1] < '0' || s[1] > '9'))
		*len = scnprintf(to, room, "\\0");
	else
		*len = scnprintf(to, room, "\\%03o", ch);
	return used ? used : 1;
}

/**
 * stp_text_quote - append bytes escaped as in C
 * @limit: output bytes, marks and dots included; as much as those alone need is taken in any case
 * @flags: STP_QUOTE_*
 * @cut: there is more behind the @n bytes, so dots belong behind the mark
 *
 * One pass over @n bytes that ends at @limit. No escape is cut in two. Context: any handler.
 */
void stp_text_quote(struct stp_text *t, const char *s, u32 n, u32 limit, u32 flags, int cut)
{
	u32 marks = flags & STP_QUOTE_MARKS ? 2 : 0, dots = marks ? 3 : 0;
	u32 start, fits_at = 0, i = 0;
	char one[12];
	u32 len;

	limit = min(limit, t->size - 1 - t->len);
	if (limit < marks + dots)
		limit = min(marks + dots, t->size - 1 - t->len);
	start = t->len;
	if (marks)
		stp_text_char(t, '"');
	fits_at = t->len; /* the longest prefix that leaves room for closing mark and dots */
	while (i < n) {
		u32 used = escape(one, sizeof(one), &len, s + i, n - i, flags);

		if (t->len - start + len + marks / 2 > limit) {
			cut = 1;
			break;
		}
		stp_text_add(t, one, len);
		i += used;
		if (t->len - start + marks / 2 + dots <= limit)
			fits_at = t->len;
	}
	if (cut && t->len - start + marks / 2 + dots > limit)
		t->len = fits_at;
	if (marks)
		stp_text_char(t, '"');
	if (cut && marks)
		stp_text_add(t, "...", 3);
}

/**
 * stp_quote_string - a quoted string read from memory
 * @n: bytes of it at most, and no more than MAXSTRINGLEN - 1
 * @limit: as for stp_text_quote()
 *
 * 0xADDR when it cannot be read, 0x0 for NULL: no error. "" with the error set when scratch is used
 * up, of which it needs room for two strings meanwhile. Context: any handler.
 */
struct stp_str stp_quote_string(struct stp_ctx *c, enum stp_space space, u64 addr, u32 n, u32 limit)
{
	struct stp_text t;
	char next;
	u32 max = min(n, stp_script.max_string - 1);
	char *copy;
	int len;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	copy = stp_scratch(c, max + 1);
	if (!copy)
		return stp_empty();
	len = addr ? stp_copy_string(space, copy, addr, max) : -EFAULT;
	if (len < 0)
		stp_text_printf(&t, "0x%llx", addr);
	else
		stp_text_quote(&t, copy, len, limit, STP_QUOTE_MARKS,
			       len == max && n > max &&
				       !stp_copy_from(space, &next, addr + len, 1) && next);
	c->top = t.s + t.size; /* only the quoted text stays */
	return stp_text_end(c, &t);
}
