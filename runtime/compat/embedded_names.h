/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the kernel that scripts of fifteen years use in embedded C, and that this kernel has no
 * more: served here under the old name. Each is marked deprecated, which stap(1) turns into one
 * warning for each name when it compiles the script. Functions that take other arguments now are
 * served in both forms, without a warning: the macros below choose by how many there are. Included
 * by core/embedded.h, behind the kernel's headers. What follows the name is the commit that took it
 * away.
 *
 * Context: as the function of the kernel that serves it.
 */
#ifndef STP_COMPAT_EMBEDDED_NAMES_H
#define STP_COMPAT_EMBEDDED_NAMES_H

#include <linux/compiler.h>
#include <linux/fdtable.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include "core/random.h"
#include "stp_features.h"

#define STP_OLD_NAME(instead)                                                                      \
	__attribute__((deprecated("gone from this kernel, served as before; use " instead)))       \
	__maybe_unused static inline

#ifndef STP_HAVE_STRNCPY /* 7.2: the last users are gone */
STP_OLD_NAME("strscpy()")
char *stp_old_strncpy(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size && from[i]; i++)
		to[i] = from[i];
	for (; i < size; i++)
		to[i] = '\0';
	return to;
}
#undef strncpy
#define strncpy(to, from, size) stp_old_strncpy(to, from, size)
#endif

#ifndef STP_HAVE_DEL_TIMER /* renamed in 6.2, 9b13df3fb64e; gone with 6.15 */
STP_OLD_NAME("timer_delete()")
int del_timer(struct timer_list *timer)
{
	return timer_delete(timer);
}

STP_OLD_NAME("timer_delete_sync()")
int del_timer_sync(struct timer_list *timer)
{
	return timer_delete_sync(timer);
}
#endif

/*
 * The clocks that may be read in any handler, also one that interrupts the kernel's setting of them
 * (kernel/time/timekeeping.c, ktime_get_mono_fast_ns()).
 */

/* 5.0 */
struct stp_old_timeval {
	long tv_sec, tv_usec;
};

STP_OLD_NAME("ktime_get_real_ts64()")
void stp_old_do_gettimeofday(struct stp_old_timeval *tv)
{
	struct timespec64 now = ns_to_timespec64(ktime_get_real_fast_ns());

	tv->tv_sec = (long)now.tv_sec;
	tv->tv_usec = now.tv_nsec / 1000;
}
/* struct timeval went later: 5.6, c766d1472c70 */
#define timeval stp_old_timeval
#define do_gettimeofday(tv) stp_old_do_gettimeofday(tv)

#ifndef STP_HAVE_GET_SECONDS /* 5.11 */
STP_OLD_NAME("ktime_get_real_seconds()")
unsigned long get_seconds(void)
{
	return (unsigned long)ktime_get_real_seconds();
}
#endif

#ifndef STP_HAVE_FCHECK_FILES /* 5.11 */
STP_OLD_NAME("files_lookup_fd_raw()")
struct file *fcheck_files(struct files_struct *files, unsigned int fd)
{
	return files_lookup_fd_raw(files, fd);
}
#endif

/* 5.0; struct timespec went with struct timeval */
#define timespec timespec64

STP_OLD_NAME("ktime_get_real_ts64()")
void getnstimeofday(struct timespec64 *ts)
{
	*ts = ns_to_timespec64(ktime_get_real_fast_ns());
}

STP_OLD_NAME("ktime_get_coarse_real_ts64()")
struct timespec64 current_kernel_time(void)
{
	return ns_to_timespec64(ktime_get_real_fast_ns());
}

/* 5.6 */
STP_OLD_NAME("ktime_get_ts64()")
void ktime_get_ts(struct timespec64 *ts)
{
	*ts = ns_to_timespec64(ktime_get_mono_fast_ns());
}

STP_OLD_NAME("ktime_get_raw_ts64()")
void getrawmonotonic(struct timespec64 *ts)
{
	*ts = ns_to_timespec64(ktime_get_raw_fast_ns());
}

/* 3.8, and 6.1. What the kernel has instead takes locks; these may be called in any handler. */
static __maybe_unused atomic64_t stp_old_random = ATOMIC64_INIT(0);

STP_OLD_NAME("get_random_u32(), which takes locks")
u32 random32(void)
{
	return stp_random(&stp_old_random) >> 32;
}

STP_OLD_NAME("get_random_u32(), which takes locks")
u32 stp_old_prandom_u32(void)
{
	return stp_random(&stp_old_random) >> 32;
}
#define prandom_u32 stp_old_prandom_u32

/* 5.8, fe557319aa06 */
STP_OLD_NAME("copy_from_kernel_nofault()")
long probe_kernel_read(void *to, const void *from, size_t size)
{
	return copy_from_kernel_nofault(to, from, size);
}

/* 4.15, b899a850431e */
#ifndef ACCESS_ONCE
#define ACCESS_ONCE(x) READ_ONCE(x)
#endif

/* ---- other arguments ---- */

#define STP_FORM3(a, b, c, form, rest...) form
#define STP_FORM5(a, b, c, d, e, form, rest...) form

/* 5.0, 96d4f267e40f: the first of three arguments is gone */
#ifndef VERIFY_READ
#define VERIFY_READ 0
#define VERIFY_WRITE 1
#endif

/* The kernel's access_ok(), which may be a macro, before its name is taken below. */
__maybe_unused static __always_inline int stp_access_ok(const void __user *addr, unsigned long size)
{
	return access_ok(addr, size);
}
#undef access_ok
#define stp_access_ok_2(addr, size) stp_access_ok((const void __user *)(addr), size)
#define stp_access_ok_3(type, addr, size) stp_access_ok_2(addr, size)
#define access_ok(args...) STP_FORM3(args, stp_access_ok_3, stp_access_ok_2, )(args)

/*
 * 6.5, 54d020692b34: the fifth argument, where the areas go, is gone. Who wants areas gets an error
 * where the kernel does not tell them.
 */
#ifdef STP_HAVE_GUP_VMAS
#define stp_get_user_pages_4(start, n, flags, pages) (get_user_pages)(start, n, flags, pages, NULL)
#define stp_get_user_pages_5(start, n, flags, pages, vmas)                                         \
	(get_user_pages)(start, n, flags, pages, vmas)
#else
#define stp_get_user_pages_4(start, n, flags, pages) (get_user_pages)(start, n, flags, pages)
#define stp_get_user_pages_5(start, n, flags, pages, vmas)                                         \
	((vmas) ? -EOPNOTSUPP : (get_user_pages)(start, n, flags, pages))
#endif
#define get_user_pages(args...) STP_FORM5(args, stp_get_user_pages_5, stp_get_user_pages_4, )(args)

#endif
