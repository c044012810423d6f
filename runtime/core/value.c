// SPDX-License-Identifier: GPL-2.0-or-later
/* Scalar globals: counters, and strings as they are set. */
#include "core/enter.h"

/**
 * stp_counters_renew - a hit begins that may read counters
 *
 * Context: the hit's own, before its handler: timers and process context, the only ones that read
 * counters.
 */
void stp_counters_renew(struct stp_cpu *cpu)
{
	cpu->reading++;
}

/* Of the other contexts, as it was when this hit first asked. */
static stp_long counter_others(struct stp_cpu *cpu, u32 counter)
{
	stp_long sum = 0;
	int i;

	if (cpu->counter_readings[counter] == cpu->reading)
		return cpu->counter_others[counter];
	for (i = 0; i < stp_n_ctx; i++) {
		if (stp_cpus[i] && stp_cpus[i] != cpu)
			sum += READ_ONCE(stp_cpus[i]->c.counters[counter]);
	}
	cpu->counter_readings[counter] = cpu->reading;
	cpu->counter_others[counter] = sum;
	return sum;
}

/**
 * stp_counter_read - the sum of a counter over all contexts
 *
 * Additions made meanwhile on other CPUs may or may not be in it; but a hit that reads twice sees
 * the same, and what it added itself in between: `if (n) print(t / n)` divides by what it tested.
 *
 * Context: any handler behind stp_counters_renew().
 */
stp_long stp_counter_read(struct stp_ctx *c, stp_u32 counter)
{
	return counter_others(stp_cpu_of(c), counter) + c->counters[counter];
}

/**
 * stp_counter_set - make a counter read as @value
 *
 * Context: any handler.
 */
void stp_counter_set(struct stp_ctx *c, stp_u32 counter, stp_long value)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	int i;

	for (i = 0; i < stp_n_ctx; i++) {
		if (stp_cpus[i])
			WRITE_ONCE(stp_cpus[i]->c.counters[counter], 0);
	}
	cpu->counter_readings[counter] = cpu->reading;
	cpu->counter_others[counter] = 0;
	WRITE_ONCE(c->counters[counter], value);
}

/**
 * stp_string_set - store into a string global, cut to its size
 *
 * Context: any handler; the global's lock is held where it needs one.
 */
void stp_string_set(struct stp_ctx *c, struct stp_string *g, struct stp_str v)
{
	u32 len = min(v.len, g->size - 1);

	memmove(g->text, v.s, len);
	g->text[len] = '\0';
	g->len = len;
}
