// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long handlers take: for the report of -t, in cycles or nanoseconds, and against overload,
 * which ends no session: it throttles the one probe on the one CPU that used up its share.
 */
#include <linux/ktime.h>
#include <linux/timex.h>
#include "core/enter.h"

const struct stp_stat_desc stp_timing_desc = {
	.collect = STP_STAT_COUNT | STP_STAT_SUM | STP_STAT_MIN | STP_STAT_MAX | STP_STAT_VARIANCE,
};

struct stp_agg stp_timing_init;
u64 stp_timing_loading;
u32 stp_timed;

/**
 * stp_timing_now - the clock of -t
 *
 * Context: any.
 */
u64 stp_timing_now(void)
{
	return stp_script.flags & STP_SCRIPT_NSECS ? ktime_get_mono_fast_ns() : get_cycles();
}

/**
 * stp_overloaded - is this probe throttled on this CPU?
 *
 * Ends the throttling when its time is over; else the hit is counted as a skip. Context: any
 * handler, before it runs, with stp_timed set.
 */
int stp_overloaded(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_count *count = &cpu->counts[p->index];

	if (likely(!count->throttled_until))
		return 0;
	if ((s64)(get_cycles() - count->throttled_until) >= 0) {
		count->throttled_until = 0;
		return 0;
	}
	stp_skip(cpu, p, STP_SKIP_OVERLOAD);
	return 1;
}

/**
 * stp_time_begin - note when the handler began
 *
 * Context: any handler, before it runs, with stp_timed set.
 */
void stp_time_begin(struct stp_cpu *cpu)
{
	if (cpu->timings)
		cpu->timing_started = stp_timing_now();
	cpu->started = get_cycles();
}

/**
 * stp_time_end - account for a hit that ran
 *
 * Only this context's figures are written. A probe that goes over the threshold rests until the
 * interval ends. Context: any handler, after it ran, paired with stp_time_begin().
 */
void stp_time_end(struct stp_cpu *cpu, const struct stp_probe *p)
{
	u64 now = get_cycles();

	if (cpu->timings)
		stp_agg_add(&cpu->timings[p->index], &stp_timing_desc,
			    stp_timing_now() - cpu->timing_started);
	if (!stp_script.overload_interval)
		return;
	if (now - cpu->period_start >= stp_script.overload_interval) {
		cpu->period_start = now;
		cpu->period_cycles = 0;
	}
	cpu->period_cycles += now - cpu->started;
	if (unlikely(cpu->period_cycles > stp_script.overload_threshold))
		cpu->counts[p->index].throttled_until =
			cpu->period_start + stp_script.overload_interval;
}

/**
 * stp_timing_fold - the figures of a sum
 *
 * Context: any.
 */
void stp_timing_fold(struct stp_timing_stat *stat, const struct stp_agg_sum *sum)
{
	stat->count = sum->count;
	stat->min = sum->min;
	stat->sum = sum->sum;
	stat->max = sum->max;
	stat->variance = stp_agg_value(sum, &stp_timing_desc, STP_STAT_VARIANCE);
}

/**
 * stp_timing_size - bytes of what stp_timing_fill() writes
 *
 * Context: any; constant.
 */
size_t stp_timing_size(void)
{
	return sizeof(struct stp_timing) + stp_script.n_locks * sizeof(struct stp_lock_row);
}

/**
 * stp_timing_fill - what the `timing` file says
 * @timing: stp_timing_size() bytes
 *
 * Context: process.
 */
void stp_timing_fill(struct stp_timing *timing)
{
	struct stp_lock_row *rows = (struct stp_lock_row *)(timing + 1);
	struct stp_agg_sum init = { 0 };
	u32 i;

	memset(timing, 0, stp_timing_size());
	stp_agg_fold(&init, &stp_timing_init, &stp_timing_desc);
	stp_timing_fold(&timing->init, &init);
	for (i = 0; i < stp_script.n_locks; i++) {
		rows[i].contention = READ_ONCE(stp_script.locks[i]->contention);
		rows[i].timeouts = READ_ONCE(stp_script.locks[i]->timeouts);
	}
}
