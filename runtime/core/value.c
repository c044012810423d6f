// SPDX-License-Identifier: GPL-2.0-or-later
/* Scalars and the small change of handlers: counters, string globals, scratch, calls, division. */
#include "core/enter.h"
#include "core/scratch.h"

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
 * Additions made meanwhile on other CPUs may or may not be in it; but a hit that reads twice sees the
 * same, and what it added itself in between: `if (n) print(t / n)` divides by what it tested.
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
 * stp_scratch - bytes that live until the generated code resets c->top
 *
 * Context: any handler. NULL with the error set when scratch is used up.
 */
char *stp_scratch(struct stp_ctx *c, stp_u32 n)
{
	char *p = PTR_ALIGN(c->top, 8);

	if (unlikely(p > c->limit || n > c->limit - p)) {
		stp_error(c, "string scratch space exceeded");
		return NULL;
	}
	c->top = p + n;
	return p;
}

/**
 * stp_string_get - a copy of a string global
 *
 * Context: any handler; the global's lock is held where it needs one.
 */
struct stp_str stp_string_get(struct stp_ctx *c, const struct stp_string *g)
{
	return stp_scratch_copy(c, g->text, min(g->len, g->size - 1));
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

/**
 * stp_call_enter - may another script function be entered?
 *
 * Returns 1 with the error set when not; the depth is counted only on success.
 *
 * Context: any handler.
 */
int stp_call_enter(struct stp_ctx *c)
{
	if (unlikely(c->depth >= (int)stp_script.max_nesting || !stp_stack_fits(stp_cpu_of(c)))) {
		stp_error(c, "MAXNESTING exceeded");
		return 1;
	}
	c->depth++;
	return 0;
}

/**
 * stp_div - a / b as the script means it
 *
 * Context: any handler.
 */
stp_long stp_div(struct stp_ctx *c, stp_long a, stp_long b)
{
	if (unlikely(!b)) {
		stp_error(c, "division by 0");
		return 0;
	}
	if (unlikely(b == -1))
		return (stp_long)(0 - (stp_u64)a);
	return a / b;
}

/**
 * stp_mod - a % b as the script means it
 *
 * Context: any handler.
 */
stp_long stp_mod(struct stp_ctx *c, stp_long a, stp_long b)
{
	if (unlikely(!b)) {
		stp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}
