// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structures in user memory as text, by a form: what stands in it is copied, but
 *
 *	%l %u %p %r	a word of the caller, 8 bytes or 4: signed, unsigned, hexadecimal, a limit of resources
 *	%L %U %X %R	the same of 8 bytes
 *	%d %w %x	4 bytes: signed, unsigned, hexadecimal
 *	%t %T		a time for a file: two members like %l or %L, {tv_sec=1, tv_nsec=2}, UTIME_NOW
 *			or UTIME_OMIT
 *	%-		4 bytes between members, of which nothing is said
 *
 * Members follow each other, each at the next multiple of its size; of 32-bit callers numbers of 8
 * bytes are at multiples of 4 (System V ABI, Intel386 supplement, "Fundamental Types").
 *
 * Context: any handler. A form is a literal of the library, and short.
 */
#include <linux/kernel.h>
#include <linux/stat.h>
#include <linux/string.h>

#include "access/access.h"
#include "arch/arch.h"
#include "tapset/functions.h"

struct member {
	u32 size;
	bool is_signed, is_hex, is_limit, is_padding, is_time;
};

/* What a letter of a form means for the caller; size 0: nothing. */
static struct member member_of(char letter)
{
	u32 word = stp_arch_syscall_abi() ? 4 : 8;

	switch (letter) {
	case 'l':
		return (struct member){ .size = word, .is_signed = true };
	case 'u':
		return (struct member){ .size = word };
	case 'p':
		return (struct member){ .size = word, .is_hex = true };
	case 'r':
		return (struct member){ .size = word, .is_limit = true };
	case 'L':
		return (struct member){ .size = 8, .is_signed = true };
	case 'U':
		return (struct member){ .size = 8 };
	case 'X':
		return (struct member){ .size = 8, .is_hex = true };
	case 'R':
		return (struct member){ .size = 8, .is_limit = true };
	case 'd':
		return (struct member){ .size = 4, .is_signed = true };
	case 'w':
		return (struct member){ .size = 4 };
	case 'x':
		return (struct member){ .size = 4, .is_hex = true };
	case 't':
		return (struct member){ .size = word, .is_signed = true, .is_time = true };
	case 'T':
		return (struct member){ .size = 8, .is_signed = true, .is_time = true };
	case '-':
		return (struct member){ .size = 4, .is_padding = true };
	}
	return (struct member){};
}

/* The number at *AT, which moves behind it; negative on a fault. */
static int read_member(u64 *at, const struct member *m, s64 *ret)
{
	u32 align = stp_arch_syscall_abi() ? 4 : m->size;
	u64 value = 0;

	*at = ALIGN(*at, align);
	if (stp_copy_from(STP_USER, &value, *at, m->size))
		return -EFAULT;
	*at += m->size;
	*ret = m->size == 8 ? (s64)value : m->is_signed ? (s32)value : (s64)(u32)value;
	return 0;
}

/* Seconds and nanoseconds, which may have a meaning of their own (utimensat(2)). */
static int add_time(struct stp_text *t, const struct member *m, u64 *at)
{
	s64 sec, nsec;

	if (read_member(at, m, &sec) || read_member(at, m, &nsec))
		return -EFAULT;
	if (nsec == UTIME_NOW)
		stp_text_printf(t, "UTIME_NOW");
	else if (nsec == UTIME_OMIT)
		stp_text_printf(t, "UTIME_OMIT");
	else
		stp_text_printf(t, "{tv_sec=%lld, tv_nsec=%lld}", sec, nsec);
	return 0;
}

static int add_member(struct stp_text *t, const struct member *m, u64 *at)
{
	u64 infinity = m->size == 8 ? U64_MAX : U32_MAX;
	s64 value;

	if (m->is_time)
		return add_time(t, m, at);
	if (read_member(at, m, &value))
		return -EFAULT;
	if (m->is_padding)
		return 0;
	if (m->is_limit && (u64)value == infinity)
		stp_text_printf(t, "RLIM_INFINITY");
	else if (m->is_hex && value)
		stp_text_printf(t, "0x%llx", value);
	else
		stp_text_printf(t, m->is_signed ? "%lld" : "%llu", value);
	return 0;
}

static struct stp_str address(struct stp_ctx *c, struct stp_text *t, stp_long uaddr)
{
	t->len = 0;
	stp_text_printf(t, "0x%llx", uaddr);
	return stp_text_end(c, t);
}

struct stp_str stp_fn_user_form(struct stp_ctx *c, struct stp_str form, stp_long uaddr)
{
	struct stp_text t;
	u64 at = uaddr;
	u32 i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (!uaddr)
		return address(c, &t, 0);
	for (i = 0; i < form.len; i++) {
		struct member m;

		if (form.s[i] != '%' || i + 1 == form.len) {
			stp_text_char(&t, form.s[i]);
			continue;
		}
		m = member_of(form.s[++i]);
		if (!m.size || add_member(&t, &m, &at))
			return address(c, &t, uaddr);
	}
	return stp_text_end(c, &t);
}

stp_long stp_fn_user_word(struct stp_ctx *c, stp_long uaddr, stp_long n)
{
	struct member word = member_of('l');
	u64 at = uaddr + n * word.size;
	s64 value;

	return read_member(&at, &word, &value) ? 0 : value;
}
