// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The calls of return probes: what is noted of one at its entry (@entry, $parm), and what becomes
 * of it at its exit. Strings go into an instance of saved_strings.c. An entry that finds none free
 * is a skip and stands in the ledger.
 */
#include <linux/cpumask.h>
#include <linux/random.h>
#include "core/enter.h"
#include "probes/return.h"

/*
 * Calls of all points together that may be on their way at once, unless the script asks for more of
 * one point: so many for each CPU, and no more than MOST. The kernel frees the nodes of a pool in
 * one go, in a softirq.
 */
#define ACTIVE_OF_CPU 512
#define ACTIVE_MOST 16384

/**
 * stp_return_init - memory for what the calls of a probe save
 * @r: zeroed
 * @max_active: calls of a point that may be on their way at once; 0: no wish
 *
 * Returns 0 or -ENOMEM; stp_return_exit() is safe after either. Context: process, may sleep; at
 * load.
 */
int stp_return_init(struct stp_return *r, const struct stp_probe *p, u32 max_active)
{
	r->probe = p;
	return stp_saved_strings_init(&r->strings, p, max_active);
}

/**
 * stp_return_exit - give it back
 *
 * Context: process; no hit can look here any more.
 */
void stp_return_exit(struct stp_return *r)
{
	stp_saved_strings_exit(&r->strings);
}

/**
 * stp_return_arm - from now on calls are those of a new arming
 *
 * Context: process, may sleep; before anything is attached.
 */
void stp_return_arm(struct stp_return *r)
{
	get_random_bytes(&r->cookie, sizeof(r->cookie));
	r->cookie |= 1;
	stp_saved_strings_reset(&r->strings);
	stp_saved_strings_watch(&r->strings);
}

/**
 * stp_return_disarm - the arming is over
 *
 * Context: process, may sleep; after everything is detached, when no hit runs.
 */
void stp_return_disarm(struct stp_return *r)
{
	stp_saved_strings_unwatch(&r->strings);
}

/**
 * stp_return_call_size - bytes of a call's record; 0: the probe has none
 *
 * Context: any.
 */
size_t stp_return_call_size(const struct stp_probe *p)
{
	return stp_return_has_calls(p)
		       ? sizeof(struct stp_call) +
				 (p->n_saved + !!p->n_saved_strings) * sizeof(stp_long)
		       : 0;
}

/**
 * stp_return_max_active - calls of one function that may be on their way at once
 *
 * Context: any.
 */
int stp_return_max_active(const struct stp_probe *p)
{
	u32 max_active = p->points->max_active; /* the same for all */

	return max_active ? (int)max_active : max_t(int, 15, 6 * num_possible_cpus());
}

/**
 * stp_return_max_active_all - calls of all points of a probe together that may be on their way at
 * once
 *
 * For who keeps them in one pool. Of thousands of points so many as tasks of a machine of its size
 * wait somewhere; entries that find none free are missed.
 *
 * Context: any.
 */
int stp_return_max_active_all(const struct stp_probe *p)
{
	int most = min_t(u32, ACTIVE_OF_CPU * num_possible_cpus(), ACTIVE_MOST);

	return min_t(u64, (u64)stp_return_max_active(p) * p->n_points,
		     max(stp_return_max_active(p), most));
}

/*
 * Run the entry handler. Its time is the probe's; -t counts hits by their exits, so nothing is
 * booked there.
 */
static void run_entry(struct stp_cpu *cpu, const struct stp_probe *p)
{
	p->entry(&cpu->c);
	if (likely(stp_timed))
		stp_time_charge(cpu, &cpu->counts[p->index], p);
}

/**
 * stp_return_entered - make the record of a call
 * @cpu: from stp_enter(), regs and point_addr set
 * @call: stp_return_call_size() bytes, not 0
 *
 * Returns non-zero when the call's return is not to be seen: nothing was kept of it then. So it is
 * of a probe that is throttled, whose calls are skipped here, at the entry. Context: any handler.
 */
int stp_return_entered(struct stp_return *r, struct stp_cpu *cpu, struct stp_call *call)
{
	const struct stp_probe *p = r->probe;
	int skipped;

	if (p->entry && likely(stp_timed) && !stp_time_begin(cpu, &cpu->counts[p->index], p))
		return 1;
	memset(call, 0, stp_return_call_size(p));
	call->cookie = r->cookie;
	cpu->c.saved = call->saved;
	if (p->n_saved_strings) {
		call->saved[p->n_saved] = stp_saved_strings_alloc(&r->strings, &cpu->c);
		if (!call->saved[p->n_saved])
			return 1;
	}
	if (p->entry)
		run_entry(cpu, p);
	skipped = cpu->c.error || (cpu->c.flags & STP_CTX_SKIPPED);
	if (cpu->c.error) {
		stp_error_report(&cpu->c);
		if (!(cpu->c.flags & STP_CTX_SKIPPED))
			stp_skip(cpu, p, STP_SKIP_ENTRY);
	}
	if (skipped && p->n_saved_strings)
		stp_saved_strings_free(&r->strings, call->saved[p->n_saved]);
	return skipped;
}

static int is_foreign(const struct stp_return *r, const struct stp_call *call)
{
	return stp_return_has_calls(r->probe) ? !call || call->cookie != r->cookie : call != NULL;
}

/**
 * stp_return_left - a call is over: run the handler
 * @cpu: from stp_enter(), regs and point_addr set; NULL when the handler may not run
 * @call: its record, or NULL
 *
 * Context: any handler; with @cpu NULL, wherever a hit can be.
 */
void stp_return_left(struct stp_return *r, struct stp_cpu *cpu, struct stp_call *call)
{
	const struct stp_probe *p = r->probe;

	if (unlikely(is_foreign(r, call))) {
		if (cpu)
			stp_skip(cpu, p, STP_SKIP_FOREIGN);
		return;
	}
	if (cpu) {
		cpu->c.saved = call ? call->saved : NULL;
		cpu->c.flags |= STP_CTX_RETURN;
		if (p->n_saved_strings)
			stp_saved_strings_use(&r->strings, &cpu->c, call->saved[p->n_saved]);
		stp_run(cpu, p);
	}
	if (p->n_saved_strings)
		stp_saved_strings_free(&r->strings, call->saved[p->n_saved]);
}
