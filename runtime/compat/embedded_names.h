/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the kernel that scripts of fifteen years use in embedded C, and that this kernel has no more: served here under the
 * old name. Each is marked deprecated, which stap(1) turns into one warning for each name when it compiles the script.
 * Included by core/embedded.h, behind the kernel's headers. What follows the name is the commit that took it away.
 *
 * Context: as the function of the kernel that serves it.
 */
#ifndef STP_COMPAT_EMBEDDED_NAMES_H
#define STP_COMPAT_EMBEDDED_NAMES_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
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

/* 5.0 */
struct stp_old_timeval {
	long tv_sec, tv_usec;
};

STP_OLD_NAME("ktime_get_real_ts64()")
void stp_old_do_gettimeofday(struct stp_old_timeval *tv)
{
	struct timespec64 now;

	ktime_get_real_ts64(&now);
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

/* 5.0, 96d4f267e40f: the first of three arguments is gone */
#ifndef VERIFY_READ
#define VERIFY_READ 0
#define VERIFY_WRITE 1
#endif

#endif
