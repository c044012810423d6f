// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Time. Only clocks that may be read anywhere, also in the middle of a clock update.
 *
 * Context: any handler.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/time.h>
#include <linux/ktime.h>
#include <linux/timex.h>
#include "access/access.h"
#include "tapset/functions.h"

stp_long stp_fn_gettimeofday_ns(struct stp_ctx *c)
{
	return ktime_get_real_fast_ns();
}

stp_long stp_fn_gettimeofday_us(struct stp_ctx *c)
{
	return ktime_get_real_fast_ns() / NSEC_PER_USEC;
}

stp_long stp_fn_gettimeofday_ms(struct stp_ctx *c)
{
	return ktime_get_real_fast_ns() / NSEC_PER_MSEC;
}

stp_long stp_fn_gettimeofday_s(struct stp_ctx *c)
{
	return ktime_get_real_fast_ns() / NSEC_PER_SEC;
}

stp_long stp_fn_ktime_get_ns(struct stp_ctx *c)
{
	return ktime_get_mono_fast_ns();
}

stp_long stp_fn_get_cycles(struct stp_ctx *c)
{
	return get_cycles();
}

stp_long stp_fn_jiffies(struct stp_ctx *c)
{
	return jiffies;
}

stp_long stp_fn_HZ(struct stp_ctx *c)
{
	return HZ;
}

/* The clocks of all CPUs are one, which is what the per-CPU ones try to be. */
stp_long stp_fn_cpu_clock_ns(struct stp_ctx *c, stp_long cpu)
{
	return ktime_get_mono_fast_ns();
}

stp_long stp_fn_cpu_clock_us(struct stp_ctx *c, stp_long cpu)
{
	return ktime_get_mono_fast_ns() / NSEC_PER_USEC;
}

stp_long stp_fn_cpu_clock_ms(struct stp_ctx *c, stp_long cpu)
{
	return ktime_get_mono_fast_ns() / NSEC_PER_MSEC;
}

stp_long stp_fn_cpu_clock_s(struct stp_ctx *c, stp_long cpu)
{
	return ktime_get_mono_fast_ns() / NSEC_PER_SEC;
}

stp_long stp_fn_local_clock_ns(struct stp_ctx *c)
{
	return stp_fn_cpu_clock_ns(c, 0);
}

stp_long stp_fn_local_clock_us(struct stp_ctx *c)
{
	return stp_fn_cpu_clock_us(c, 0);
}

stp_long stp_fn_local_clock_ms(struct stp_ctx *c)
{
	return stp_fn_cpu_clock_ms(c, 0);
}

stp_long stp_fn_local_clock_s(struct stp_ctx *c)
{
	return stp_fn_cpu_clock_s(c, 0);
}

stp_long stp_fn_tz_gmtoff(struct stp_ctx *c)
{
	return stp_zone.west;
}

struct stp_str stp_fn_tz_name(struct stp_ctx *c)
{
	return stp_cstr(stp_zone.name);
}

struct stp_str stp_fn_ctime(struct stp_ctx *c, stp_long seconds)
{
	static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct stp_text t;
	struct tm tm;

	if (seconds < S32_MIN)
		stp_error(c, "Time too far in the past to be converted");
	else if (seconds > S32_MAX)
		stp_error(c, "Time too far in the future to be converted");
	if (c->error || !stp_text_begin(c, &t))
		return stp_empty();
	time64_to_tm(seconds, 0, &tm);
	stp_text_printf(&t, "%s %s %2d %02d:%02d:%02d %ld", days[tm.tm_wday], months[tm.tm_mon],
			tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_year + 1900);
	return stp_text_end(c, &t);
}
