// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers and strings in kernel and user memory. The names say what a fault means.
 *
 * Context: any handler. Faults are caught; pages are not brought in.
 */
#include <linux/kernel.h>
#include "access/access.h"
#include "tapset/functions.h"

/* ---- numbers ---- */

/* The manual page that explains a fault, as every error of one ends. */
#define SEE_MANUAL " [man error::fault]"

static stp_long kernel_number(struct stp_ctx *c, u64 addr, u32 size, int is_signed,
			      const char *name)
{
	u32 shift = 64 - 8 * size;
	stp_long v = 0;

	if (stp_copy_from(STP_KERNEL, &v, addr, size)) {
		stp_errorf(c, "kernel %s copy fault at 0x%llx" SEE_MANUAL, name, addr);
		return 0;
	}
	return is_signed ? (stp_long)((u64)v << shift) >> shift : v;
}

/* Each macro is given the names it defines in full, for those who look for them. */
#define KERNEL_READER(name, size, is_signed)                                                       \
	stp_long name(struct stp_ctx *c, stp_long addr)                                            \
	{                                                                                          \
		return kernel_number(c, addr, size, is_signed,                                     \
				     &#name[sizeof("stp_fn_kernel_") - 1]);                        \
	}

KERNEL_READER(stp_fn_kernel_long, 8, 1)
KERNEL_READER(stp_fn_kernel_int, 4, 1)
KERNEL_READER(stp_fn_kernel_short, 2, 1)
KERNEL_READER(stp_fn_kernel_char, 1, 1)
KERNEL_READER(stp_fn_kernel_pointer, 8, 1)

static void warn_fault(struct stp_ctx *c, u64 addr)
{
	char text[64];

	stp_rec_text(c, STP_REC_WARNING, text,
		     scnprintf(text, sizeof(text), "user data copy fault -14 at 0x%llx", addr));
}

static stp_long user_word(struct stp_ctx *c, u64 addr, u32 size, int is_signed, int warn)
{
	stp_long v = 0;
	u32 shift = 64 - 8 * size;

	if (stp_copy_from(STP_USER, &v, addr, size)) {
		if (warn)
			warn_fault(c, addr);
		return 0;
	}
	return is_signed ? (stp_long)((u64)v << shift) >> shift : v;
}

/* 0 on a fault, or an error; and with a warning. */
#define USER_READER(name, name_error, size, is_signed)                                             \
	stp_long name(struct stp_ctx *c, stp_long addr)                                            \
	{                                                                                          \
		return user_word(c, addr, size, is_signed, 0);                                     \
	}                                                                                          \
	stp_long name_error(struct stp_ctx *c, stp_long addr)                                      \
	{                                                                                          \
		return stp_read_user(c, addr, size, is_signed);                                    \
	}
#define USER_READER_WARN(name, size, is_signed)                                                    \
	stp_long name(struct stp_ctx *c, stp_long addr)                                            \
	{                                                                                          \
		return user_word(c, addr, size, is_signed, 1);                                     \
	}

USER_READER(stp_fn_user_char, stp_fn_user_char_error, 1, 1)
USER_READER(stp_fn_user_short, stp_fn_user_short_error, 2, 1)
USER_READER(stp_fn_user_ushort, stp_fn_user_ushort_error, 2, 0)
USER_READER(stp_fn_user_int, stp_fn_user_int_error, 4, 1)
USER_READER(stp_fn_user_long, stp_fn_user_long_error, 8, 1)
USER_READER(stp_fn_user_ulong, stp_fn_user_ulong_error, 8, 0)
USER_READER(stp_fn_user_int8, stp_fn_user_int8_error, 1, 1)
USER_READER(stp_fn_user_uint8, stp_fn_user_uint8_error, 1, 0)
USER_READER(stp_fn_user_int16, stp_fn_user_int16_error, 2, 1)
USER_READER(stp_fn_user_uint16, stp_fn_user_uint16_error, 2, 0)
USER_READER(stp_fn_user_int32, stp_fn_user_int32_error, 4, 1)
USER_READER(stp_fn_user_uint32, stp_fn_user_uint32_error, 4, 0)
USER_READER(stp_fn_user_int64, stp_fn_user_int64_error, 8, 1)
USER_READER(stp_fn_user_uint64, stp_fn_user_uint64_error, 8, 0)
USER_READER_WARN(stp_fn_user_char_warn, 1, 1)
USER_READER_WARN(stp_fn_user_short_warn, 2, 1)
USER_READER_WARN(stp_fn_user_ushort_warn, 2, 0)
USER_READER_WARN(stp_fn_user_int_warn, 4, 1)
USER_READER_WARN(stp_fn_user_long_warn, 8, 1)
USER_READER_WARN(stp_fn_user_ulong_warn, 8, 0)

/* ---- strings ---- */

/* At most n bytes of the string at addr; 0 on a fault, with nothing left in scratch. */
static int string_read(struct stp_ctx *c, enum stp_space space, u64 addr, stp_long n,
		       struct stp_str *ret)
{
	u32 max = stp_script.max_string - 1;
	char *mark = c->top, *copy;
	int len;

	if (n >= 0 && n < max)
		max = n;
	*ret = stp_empty();
	copy = stp_scratch(c, max + 1);
	if (!copy)
		return 1; /* the error is set */
	len = stp_copy_string(space, copy, addr, max);
	if (len < 0) {
		c->top = mark;
		return 0;
	}
	copy[len] = '\0';
	c->top = copy + len + 1;
	*ret = (struct stp_str){ copy, len };
	return 1;
}

static struct stp_str kernel_string_or_error(struct stp_ctx *c, u64 addr, stp_long n)
{
	struct stp_str s;

	if (!string_read(c, STP_KERNEL, addr, n, &s))
		stp_errorf(c, "kernel string copy fault at 0x%llx" SEE_MANUAL, addr);
	return s;
}

struct stp_str stp_fn_kernel_string(struct stp_ctx *c, stp_long addr)
{
	return kernel_string_or_error(c, addr, -1);
}

struct stp_str stp_fn_kernel_string_n(struct stp_ctx *c, stp_long addr, stp_long n)
{
	return kernel_string_or_error(c, addr, max_t(stp_long, n, 0));
}

struct stp_str stp_fn_kernel_string2(struct stp_ctx *c, stp_long addr, struct stp_str instead)
{
	struct stp_str s;

	return string_read(c, STP_KERNEL, addr, -1, &s) ? s : instead;
}

struct stp_str stp_fn_kernel_string_quoted(struct stp_ctx *c, stp_long addr)
{
	return stp_quote_string(c, STP_KERNEL, addr, stp_script.max_string, stp_script.max_string);
}

struct stp_str stp_fn_kernel_string_n_quoted(struct stp_ctx *c, stp_long addr, stp_long n)
{
	return stp_quote_string(c, STP_KERNEL, addr, min_t(u64, n, stp_script.max_string),
				stp_script.max_string);
}

struct stp_str stp_fn_chars_quoted(struct stp_ctx *c, stp_long n, stp_long w0, stp_long w1,
				   stp_long w2, stp_long w3)
{
	const u64 words[] = { w0, w1, w2, w3 };
	char chars[sizeof(words)];
	struct stp_text t;
	u32 len;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	for (len = 0; len < min_t(u64, n, sizeof(chars)); len++) {
		chars[len] = (char)(words[len / 8] >> len % 8 * 8);
		if (!chars[len])
			break;
	}
	stp_text_quote(&t, chars, len, stp_script.max_string, STP_QUOTE_MARKS, 0);
	return stp_text_end(c, &t);
}

static struct stp_str user_string_or_error(struct stp_ctx *c, u64 addr, stp_long n)
{
	struct stp_str s;

	if (!string_read(c, STP_USER, addr, n, &s))
		stp_errorf(c, "user string copy fault -14 at 0x%llx" SEE_MANUAL, addr);
	return s;
}

static struct stp_str user_string_or_warning(struct stp_ctx *c, u64 addr, stp_long n,
					     struct stp_str instead)
{
	struct stp_str s;
	char text[64];

	if (string_read(c, STP_USER, addr, n, &s))
		return s;
	stp_rec_text(c, STP_REC_WARNING, text,
		     scnprintf(text, sizeof(text), "user string copy fault -14 at 0x%llx", addr));
	return instead;
}

struct stp_str stp_fn_user_string(struct stp_ctx *c, stp_long addr)
{
	return user_string_or_error(c, addr, -1);
}

struct stp_str stp_fn_user_string_n(struct stp_ctx *c, stp_long addr, stp_long n)
{
	return user_string_or_error(c, addr, max_t(stp_long, n, 0));
}

struct stp_str stp_fn_user_string2(struct stp_ctx *c, stp_long addr, struct stp_str instead)
{
	struct stp_str s;

	return string_read(c, STP_USER, addr, -1, &s) ? s : instead;
}

struct stp_str stp_fn_user_string_n2(struct stp_ctx *c, stp_long addr, stp_long n,
				     struct stp_str instead)
{
	struct stp_str s;

	return string_read(c, STP_USER, addr, max_t(stp_long, n, 0), &s) ? s : instead;
}

struct stp_str stp_fn_user_string_nofault(struct stp_ctx *c, stp_long addr)
{
	return stp_fn_user_string2(c, addr, stp_empty());
}

struct stp_str stp_fn_user_string_n_nofault(struct stp_ctx *c, stp_long addr, stp_long n)
{
	return stp_fn_user_string_n2(c, addr, n, stp_empty());
}

struct stp_str stp_fn_user_string_warn(struct stp_ctx *c, stp_long addr)
{
	return user_string_or_warning(c, addr, -1, stp_cstr("<unknown>"));
}

struct stp_str stp_fn_user_string2_warn(struct stp_ctx *c, stp_long addr, struct stp_str instead)
{
	return user_string_or_warning(c, addr, -1, instead);
}

struct stp_str stp_fn_user_string_n_warn(struct stp_ctx *c, stp_long addr, stp_long n)
{
	return user_string_or_warning(c, addr, max_t(stp_long, n, 0), stp_cstr("<unknown>"));
}

struct stp_str stp_fn_user_string2_n_warn(struct stp_ctx *c, stp_long addr, stp_long n,
					  struct stp_str instead)
{
	return user_string_or_warning(c, addr, max_t(stp_long, n, 0), instead);
}

struct stp_str stp_fn_user_string_quoted(struct stp_ctx *c, stp_long addr)
{
	return stp_quote_string(c, STP_USER, addr, stp_script.max_string, stp_script.max_string);
}

struct stp_str stp_fn_user_string_n_quoted(struct stp_ctx *c, stp_long addr, stp_long n)
{
	return stp_quote_string(c, STP_USER, addr, min_t(u64, n, stp_script.max_string),
				stp_script.max_string);
}

struct stp_str stp_fn_user_string_n2_quoted(struct stp_ctx *c, stp_long addr, stp_long n,
					    stp_long limit)
{
	if (limit <= 0 || limit > stp_script.max_string)
		limit = stp_script.max_string;
	return stp_quote_string(c, STP_USER, addr, min_t(u64, n, stp_script.max_string), limit);
}

/* ---- slices ---- */

#define LIST_END ", ...]"
#define LIST_NUMBER (sizeof(", 18446744073709551615") - 1) /* no longer, of either sign */

static void text_adds(struct stp_text *t, const char *s)
{
	stp_text_add(t, s, strlen(s));
}

/* Is there room for one more number, and for the end behind it? */
static int list_fits(const struct stp_text *t)
{
	return t->size - 1 - t->len >= LIST_NUMBER + sizeof(LIST_END) - 1;
}

static void list_show(struct stp_text *t, u64 v, u32 size, stp_long conversion)
{
	u32 shift = 64 - 8 * size;

	if (conversion == 'p')
		stp_text_printf(t, "0x%llx", v);
	else if (conversion == 'i')
		stp_text_printf(t, "%lld", (stp_long)(v << shift) >> shift);
	else
		stp_text_printf(t, "%llu", v);
}

struct stp_str stp_fn_user_list(struct stp_ctx *c, stp_long addr, stp_long n, stp_long size,
				stp_long conversion, stp_long most)
{
	u32 shown = size < 1 || size > 8 ? 0 : min_t(u64, n, most), i;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_char(&t, '[');
	for (i = 0; i < shown && list_fits(&t); i++) {
		u64 v = 0;

		if (stp_copy_from(STP_USER, &v, (u64)addr + i * size, size)) {
			t.len = 0;
			stp_text_printf(&t, "0x%llx", (u64)addr);
			return stp_text_end(c, &t);
		}
		text_adds(&t, i ? ", " : "");
		list_show(&t, v, size, conversion);
	}
	if ((u64)n > i)
		text_adds(&t, i ? LIST_END : "...]");
	else
		stp_text_char(&t, ']');
	return stp_text_end(c, &t);
}

/*
 * ---- buffers: n bytes whatever they are, NULs included ----
 *
 * Lengths of what is quoted are size_t, as programs give them: what is negative is more than there
 * is memory.
 */

static int buffer_quote(struct stp_ctx *c, enum stp_space space, u64 addr, stp_long n,
			stp_long limit, struct stp_str *ret)
{
	u32 max = stp_script.max_string - 1;
	u32 len = min_t(u64, n, max);
	struct stp_text t;
	char *copy;

	*ret = stp_empty();
	if (limit <= 0 || limit > max)
		limit = max;
	if (!stp_text_begin(c, &t))
		return 1;
	copy = stp_scratch(c, len + 1);
	if (!copy)
		return 1;
	if (len && stp_copy_from(space, copy, addr, len)) {
		stp_text_printf(&t, "0x%llx", addr);
		*ret = stp_text_end(c, &t);
		return 0;
	}
	stp_text_quote(&t, copy, len, limit, STP_QUOTE_MARKS, (u64)n > len);
	c->top = t.s + t.size;
	*ret = stp_text_end(c, &t);
	return 1;
}

struct stp_str stp_fn_user_buffer_quoted(struct stp_ctx *c, stp_long addr, stp_long n,
					 stp_long limit)
{
	struct stp_str s;

	buffer_quote(c, STP_USER, addr, n, limit, &s);
	return s;
}

struct stp_str stp_fn_user_buffer_quoted_error(struct stp_ctx *c, stp_long addr, stp_long n,
					       stp_long limit)
{
	struct stp_str s;

	if (!buffer_quote(c, STP_USER, addr, n, limit, &s))
		stp_errorf(c, "user buffer copy fault -14 at 0x%llx" SEE_MANUAL, addr);
	return s;
}

struct stp_str stp_fn_kernel_buffer_quoted(struct stp_ctx *c, stp_long addr, stp_long n,
					   stp_long limit)
{
	struct stp_str s;

	buffer_quote(c, STP_KERNEL, addr, n, limit, &s);
	return s;
}

struct stp_str stp_fn_kernel_buffer_quoted_error(struct stp_ctx *c, stp_long addr, stp_long n,
						 stp_long limit)
{
	struct stp_str s;

	if (!buffer_quote(c, STP_KERNEL, addr, n, limit, &s))
		stp_errorf(c, "kernel buffer copy fault at 0x%llx" SEE_MANUAL, addr);
	return s;
}

/* ---- writers (guru) ---- */

#define WRITER(name, space, size)                                                                  \
	void name(struct stp_ctx *c, stp_long addr, stp_long value)                                \
	{                                                                                          \
		stp_write_##space(c, addr, size, value);                                           \
	}

WRITER(stp_fn_set_kernel_long, kernel, 8)
WRITER(stp_fn_set_kernel_int, kernel, 4)
WRITER(stp_fn_set_kernel_short, kernel, 2)
WRITER(stp_fn_set_kernel_char, kernel, 1)
WRITER(stp_fn_set_kernel_pointer, kernel, 8)
WRITER(stp_fn_set_user_long, user, 8)
WRITER(stp_fn_set_user_int, user, 4)
WRITER(stp_fn_set_user_short, user, 2)
WRITER(stp_fn_set_user_char, user, 1)
WRITER(stp_fn_set_user_pointer, user, 8)

/* Store a string and its NUL; at most n bytes when n >= 0. */
static void string_write(struct stp_ctx *c, enum stp_space space, u64 addr, stp_long n,
			 struct stp_str v)
{
	u32 len = n >= 0 && n < v.len ? n : v.len;
	int err = stp_copy_to(space, addr, v.s, len);

	if (!err && (n < 0 || len < n))
		err = stp_copy_to(space, addr + len, "", 1);
	if (err)
		stp_errorf(c, "%s string copy fault at 0x%llx" SEE_MANUAL,
			   space == STP_KERNEL ? "kernel" : "user", addr);
}

void stp_fn_set_kernel_string(struct stp_ctx *c, stp_long addr, struct stp_str v)
{
	string_write(c, STP_KERNEL, addr, -1, v);
}

void stp_fn_set_kernel_string_n(struct stp_ctx *c, stp_long addr, stp_long n, struct stp_str v)
{
	string_write(c, STP_KERNEL, addr, max_t(stp_long, n, 0), v);
}

void stp_fn_set_user_string(struct stp_ctx *c, stp_long addr, struct stp_str v)
{
	string_write(c, STP_USER, addr, -1, v);
}

void stp_fn_set_user_string_n(struct stp_ctx *c, stp_long addr, stp_long n, struct stp_str v)
{
	string_write(c, STP_USER, addr, max_t(stp_long, n, 0), v);
}

/* What cannot be written is left alone. */
void stp_fn_set_user_string_arg(struct stp_ctx *c, stp_long addr, struct stp_str v)
{
	if (!stp_copy_to(STP_USER, addr, v.s, v.len))
		stp_copy_to(STP_USER, addr + v.len, "", 1);
}
