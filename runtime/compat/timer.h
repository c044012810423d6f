/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 6.13, commit 908a1d775422: hrtimer_setup(); hrtimer_init() is gone since 6.15.
 * 6.2, commit 9b13df3fb64e: timer_delete_sync(); del_timer_sync() is gone since 6.15.
 * 5.19, commit de492c83cae0: get_random_u32() for everybody; 5.10 exports it too.
 *
 * Context: setting up any; cancelling process, since it waits for the handler.
 */
#ifndef STP_COMPAT_TIMER_H
#define STP_COMPAT_TIMER_H

#include "stp_features.h"
#include <linux/hrtimer.h>
#include <linux/timer.h>

/* Makes the timer, which is not queued, one of CLOCK_MONOTONIC that calls func. */
static inline void stp_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*func)(struct hrtimer *),
				     enum hrtimer_mode mode)
{
#ifdef STP_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, func, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = func;
#endif
}

/* Afterwards func does not run, on any CPU, until the timer is queued again. */
static inline void stp_timer_cancel(struct timer_list *timer)
{
#ifdef STP_HAVE_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

#endif
