// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long handlers take: for the report of -t, in cycles or nanoseconds, and against overload,
 * which ends no session: when handlers have used up their share of a CPU, it throttles the probe
 * that took most of it, there and for the rest of an interval.
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

/* A new interval on this CPU. */
static void period_begin(struct stp_cpu *cpu, u64 now)
{
	cpu->period_start = now;
	cpu->period_cycles = 0;
	cpu->period_allowed = stp_script.overload_threshold;
	cpu->period_more = stp_script.overload_threshold / 4;
	if (!++cpu->period)
		cpu->period = 1; /* 0 is no period */
}

/* Does a probe that was throttled rest now? That is counted as a skip. */
static int throttled(struct stp_cpu *cpu, const struct stp_probe *p, u64 now)
{
	if (now - cpu->period_start < stp_script.overload_interval) {
		stp_skip(cpu, p, STP_SKIP_OVERLOAD);
		return 1;
	}
	period_begin(cpu, now);
	return 0;
}

/*
 * This CPU's share of an interval is used up. The probe that took most of it rests for the rest of
 * the interval. The others get a quarter of the threshold more, then a sixteenth and so on, in all
 * no more than a third of it, so that one costly probe does not silence the rest.
 */
static void throttle_dearest(struct stp_cpu *cpu, const struct stp_probe *p)
{
	struct stp_count *dearest = &cpu->counts[cpu->dearest];

	dearest->throttled = 1;
	dearest->untimed = dearest->granted = 0;
	dearest->cycles = 0;
	cpu->dearest = p->index;
	cpu->period_allowed += cpu->period_more;
	cpu->period_more /= 4;
}

/*
 * When handlers have taken more than the threshold of an interval on this CPU, the probe that took
 * most of it is throttled.
 */
static void charge(struct stp_cpu *cpu, struct stp_count *count, const struct stp_probe *p, u64 now,
		   u64 took)
{
	if (now - cpu->period_start >= stp_script.overload_interval)
		period_begin(cpu, now);
	if (count->period != cpu->period) {
		count->period = cpu->period;
		count->throttled = 0;
		count->cycles = 0;
	}
	count->cycles += took;
	cpu->period_cycles += took;
	if (cpu->dearest != p->index) {
		const struct stp_count *dearest = &cpu->counts[cpu->dearest];

		if (dearest->period != cpu->period || count->cycles > dearest->cycles)
			cpu->dearest = p->index;
	}
	if (cpu->period_cycles > cpu->period_allowed)
		throttle_dearest(cpu, p);
}

/**
 * stp_time_begin - note when a handler began
 *
 * Returns 0 when its probe is throttled on this CPU, counted as a skip. Context: any handler,
 * before it runs.
 */
int stp_time_begin(struct stp_cpu *cpu, const struct stp_count *count, const struct stp_probe *p)
{
	u64 now = get_cycles();

	if (count->throttled && count->period == cpu->period && throttled(cpu, p, now))
		return 0;
	if (cpu->timings)
		cpu->timing_started = stp_timing_now();
	cpu->started = now;
	return 1;
}

/**
 * stp_time_charge - charge a probe with the cycles since stp_time_begin()
 *
 * Context: any handler, after it ran.
 */
void stp_time_charge(struct stp_cpu *cpu, struct stp_count *count, const struct stp_probe *p)
{
	u64 now = get_cycles();

	if (stp_script.overload_interval)
		charge(cpu, count, p, now, now - cpu->started);
}

/* A hit below this part of the threshold is cheap. */
#define CHEAP_SHIFT 8
/*
 * Hits behind a cheap one that are not timed. Even, so that of hits of two kinds that alternate
 * both are timed.
 */
#define UNTIMED 14

/*
 * Charge a hit, and those before it that were not timed: each as this one, but none as more than
 * cheap, so that one hit that took long, or in which the machine stood still, counts once.
 */
static void charge_sample(struct stp_cpu *cpu, struct stp_count *count, const struct stp_probe *p)
{
	u64 now = get_cycles(), took = now - cpu->started;
	u64 cheap = stp_script.overload_threshold >> CHEAP_SHIFT;
	u64 before = count->granted * min(took, cheap);

	if (!cpu->timings && took < cheap)
		count->untimed = count->granted = UNTIMED;
	else
		count->granted = 0;
	charge(cpu, count, p, now, took + before);
}

/**
 * stp_run_timed - run a handler, if its probe's condition says so, and take the time of both
 *
 * That is done with every hit for -t, whose report has those that ran. Against overload, behind one
 * that was cheap a few are only counted: reading the clock and the accounts would cost more than
 * they.
 *
 * Context: as stp_run().
 */
void stp_run_timed(struct stp_cpu *cpu, struct stp_count *count, const struct stp_probe *p)
{
	count->untimed = 0;
	if (!stp_timed) {
		count->untimed = S16_MAX;
		stp_run_handler(cpu, count, p);
		return;
	}
	if (!stp_time_begin(cpu, count, p))
		return;
	if (stp_run_handler(cpu, count, p) && cpu->timings)
		stp_timing_add(cpu, p);
	if (stp_script.overload_interval)
		charge_sample(cpu, count, p);
}

/**
 * stp_timing_add - a hit for the report of -t
 *
 * Context: any handler, after it ran, with cpu->timing_started set before.
 */
void stp_timing_add(struct stp_cpu *cpu, const struct stp_probe *p)
{
	u64 took = stp_timing_now() - cpu->timing_started;
	const struct stp_point *point = stp_ctx_point(&cpu->c);

	/* one that cannot be told is booked under the first */
	stp_agg_add(&cpu->timings[p->first_point + (point ? point - p->points : 0)],
		    &stp_timing_desc, took);
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
	return sizeof(struct stp_timing) + stp_script.n_locks * sizeof(struct stp_lock_row) +
	       stp_script.n_points * sizeof(struct stp_timing_stat);
}

static void point_fill(struct stp_timing_stat *stat, u32 point)
{
	struct stp_agg_sum sum = { 0 };
	int i;

	for (i = 0; i < stp_n_ctx; i++) {
		if (stp_cpus[i])
			stp_agg_fold(&sum, &stp_cpus[i]->timings[point], &stp_timing_desc);
	}
	stp_timing_fold(stat, &sum);
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
	struct stp_timing_stat *points = (void *)(rows + stp_script.n_locks);
	struct stp_agg_sum init = { 0 };
	u32 i;

	memset(timing, 0, stp_timing_size());
	stp_agg_fold(&init, &stp_timing_init, &stp_timing_desc);
	stp_timing_fold(&timing->init, &init);
	for (i = 0; i < stp_script.n_points; i++)
		point_fill(&points[i], i);
	for (i = 0; i < stp_script.n_locks; i++) {
		rows[i].contention = READ_ONCE(stp_script.locks[i]->contention);
		rows[i].timeouts = READ_ONCE(stp_script.locks[i]->timeouts);
	}
}
