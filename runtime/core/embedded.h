/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What embedded C (%{ %}) may use besides the kernel itself: the names that scripts for the
 * reference use. Included by guru.c only, which defines MAXSTRINGLEN, and around each function
 * STAP_ARG_x, STAP_RETVALUE and STAP_RETURN.
 *
 * Each embedded C body is a function that has `c`, the context of the hit, and a label
 * `out` at its end; it may be left by `return`. It runs where its handler runs: mostly with
 * interrupts off, so it may not sleep. String arguments and results are arrays of MAXSTRINGLEN
 * chars, and may be written to.
 *
 * Context: any handler.
 */
#ifndef STP_CORE_EMBEDDED_H
#define STP_CORE_EMBEDDED_H

/* the reference's runtime has these, so scripts rely on them without naming them */
#include <generated/utsrelease.h>
#include <linux/binfmts.h>
#include <linux/cgroup.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/nsproxy.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>
#include <linux/utsname.h>
#include <linux/version.h>
#include "compat/embedded_names.h"
#include "script.h"

/* Served by tapset/event.c, for CONTEXT->probe_point. */
struct stp_str stp_fn_pp(struct stp_ctx *c);

/*
 * What CONTEXT leads to: members of struct stp_ctx under the names that scripts know. What is
 * written to last_error is the error of the hit, once the C has returned.
 */
#define STP_CONTEXT_AT(member) char stp_before_##member[offsetof(struct stp_ctx, member)]
struct context {
	union {
		struct {
			STP_CONTEXT_AT(error);
			const char *last_error;
		};
		struct {
			STP_CONTEXT_AT(error_text);
			char error_buffer[sizeof(((struct stp_ctx *)0)->error_text)];
		};
		struct {
			STP_CONTEXT_AT(probe_point);
			const char *probe_point;
		};
		struct {
			STP_CONTEXT_AT(kregs);
			struct pt_regs *kregs; /* NULL: the hit has none of the kernel */
		};
		struct {
			STP_CONTEXT_AT(uregs);
			struct pt_regs *uregs; /* NULL: the hit is not in user space */
		};
		struct {
			STP_CONTEXT_AT(user_mode_p);
			int user_mode_p;
		};
	};
};

#define CONTEXT stp_context(c)

/* Sets what is not kept up to date for everybody. */
static noinline __maybe_unused struct context *stp_context(struct stp_ctx *c)
{
	c->user_mode_p = !!(c->flags & STP_CTX_USER_REGS);
	c->kregs = c->user_mode_p ? NULL : c->regs;
	c->uregs = c->user_mode_p ? c->regs : NULL;
	c->probe_point = stp_fn_pp(c).s;
	return (struct context *)c;
}

/* Behind embedded C: an error that it wrote to CONTEXT->last_error has a place, as others have. */
static __always_inline void stp_raised(struct stp_ctx *c)
{
	const char *error = c->error;

	if (unlikely(error)) {
		c->error = NULL;
		stp_error(c, error);
	}
}

#define STAP_ERROR(fmt, args...)                                                                   \
	do {                                                                                       \
		stp_errorf(c, fmt, ##args);                                                        \
		goto out;                                                                          \
	} while (0)
#define STAP_PRINTF(fmt, args...) stp_embedded_printf(c, fmt, ##args)
#define STAP_NEXT                                                                                  \
	do {                                                                                       \
		*stp_next = 1;                                                                     \
		goto out;                                                                          \
	} while (0)

/* STAP_RETURN() leaves with what STAP_RETVALUE holds, STAP_RETURN(v) with v. */
#define STP_RETURN_VOID(v...) goto out
#define STP_RETURN_LONG(v...)                                                                      \
	do {                                                                                       \
		int64_t stp_values[] = { STAP_RETVALUE, ##v };                                     \
		STAP_RETVALUE = stp_values[ARRAY_SIZE(stp_values) - 1];                            \
		goto out;                                                                          \
	} while (0)
#define STP_RETURN_STRING(v...)                                                                    \
	do {                                                                                       \
		const char *stp_values[] = { STAP_RETVALUE, ##v };                                 \
		if (stp_values[ARRAY_SIZE(stp_values) - 1] != stp_values[0])                       \
			stp_copy(STAP_RETVALUE, stp_values[ARRAY_SIZE(stp_values) - 1] ?: "",      \
				 MAXSTRINGLEN);                                                    \
		goto out;                                                                          \
	} while (0)

/*
 * Memory that may fault. A fault raises the error of the hit and leaves the function or expression
 * at once, for what follows relies on what was to be read; so CATCH_DEREF_FAULT has nothing left to
 * catch. An error that was there before stays, and does not count.
 */
#define STP_OR_LEAVE(read)                                                                         \
	({                                                                                         \
		const char *stp_pending = c->error;                                                \
		stp_long stp_got;                                                                  \
		c->error = NULL;                                                                   \
		stp_got = (read);                                                                  \
		if (unlikely(c->error))                                                            \
			goto out;                                                                  \
		c->error = stp_pending;                                                            \
		stp_got;                                                                           \
	})
#define STP_DO_OR_LEAVE(action)                                                                    \
	({                                                                                         \
		const char *stp_pending = c->error;                                                \
		c->error = NULL;                                                                   \
		action;                                                                            \
		if (unlikely(c->error))                                                            \
			goto out;                                                                  \
		c->error = stp_pending;                                                            \
	})
#define kderef(size, addr) STP_OR_LEAVE(stp_read_kernel(c, (unsigned long)(addr), size, 0))
#define uderef(size, addr) STP_OR_LEAVE(stp_read_user(c, (unsigned long)(addr), size, 0))
#define kread(ptr) ((typeof(*(ptr)))kderef(sizeof(*(ptr)), ptr))
#define uread(ptr) ((typeof(*(ptr)))uderef(sizeof(*(ptr)), ptr))
#define store_kderef(size, addr, value)                                                            \
	STP_DO_OR_LEAVE(stp_write_kernel(c, (unsigned long)(addr), size, (stp_long)(value)))
#define store_uderef(size, addr, value)                                                            \
	STP_DO_OR_LEAVE(stp_write_user(c, (unsigned long)(addr), size, (stp_long)(value)))
#define kwrite(ptr, value) store_kderef(sizeof(*(ptr)), ptr, value)
#define uwrite(ptr, value) store_uderef(sizeof(*(ptr)), ptr, value)
/* size bytes of any number; where `to` is NULL, only whether they can be read. */
#define kderef_buffer(to, addr, size)                                                              \
	STP_DO_OR_LEAVE(stp_read_bytes(c, stp_read_kernel, to, (unsigned long)(addr), size))
#define uderef_buffer(to, addr, size)                                                              \
	STP_DO_OR_LEAVE(stp_read_bytes(c, stp_read_user, to, (unsigned long)(addr), size))
#define CATCH_DEREF_FAULT()                                                                        \
	do {                                                                                       \
	} while (0)

static __always_inline void stp_read_bytes(struct stp_ctx *c, typeof(stp_read_kernel) read, u8 *to,
					   unsigned long addr, size_t size)
{
	size_t i;

	for (i = 0; i < size && !c->error; i++) {
		u8 byte = read(c, addr + i, 1, 0);

		if (to)
			to[i] = byte;
	}
}

#define _stp_printf(fmt, args...) stp_embedded_printf(c, fmt, ##args)
#define _stp_print(text) stp_print_text(c, stp_view(text))

/* NULL is the empty string. */
static inline struct stp_str stp_view(const char *s)
{
	return s ? (struct stp_str){ s, strlen(s) } : STP_S("");
}

/* What is in an array of MAXSTRINGLEN that C has filled, maybe without an end, as strncpy does. */
static inline struct stp_str stp_view_array(const char *s)
{
	return (struct stp_str){ s, strnlen(s, stp_script.max_string - 1) };
}

/* strlcpy: gone from newer kernels, and in every SystemTap script. */
static inline size_t stp_copy(char *to, const char *from, size_t size)
{
	size_t len = strlen(from);

	if (size) {
		size_t n = len < size ? len : size - 1;

		memmove(to, from, n);
		to[n] = '\0';
	}
	return len;
}

/* strlcat: the length that the whole would have; nothing is written where to is full. */
static inline size_t stp_append(char *to, const char *from, size_t size)
{
	size_t len = strnlen(to, size);

	return len + stp_copy(to + len, from, size - len);
}

#undef strlcpy
#define strlcpy(to, from, size) stp_copy(to, from, size)
#undef strlcat
#define strlcat(to, from, size) stp_append(to, from, size)

/*
 * A print statement of the script, of at most a page where scratch has it (cg_scratch_size()), and
 * of MAXSTRINGLEN - 1 bytes anyway. Nothing is printed, and the error set, when scratch is used up.
 * Context: any handler.
 */
static __printf(2, 3) __maybe_unused
	void stp_embedded_printf(struct stp_ctx *c, const char *fmt, ...)
{
	char *mark = c->top;
	char *start = PTR_ALIGN(mark, 8);
	u32 size = max_t(u32, stp_script.max_string,
			 start < c->limit ? min_t(u32, c->limit - start, PAGE_SIZE) : 0);
	char *text = stp_scratch(c, size);
	va_list ap;

	if (text) {
		va_start(ap, fmt);
		vscnprintf(text, size, fmt, ap);
		va_end(ap);
		stp_print_text(c, stp_view(text));
	}
	c->top = mark;
}

#endif
