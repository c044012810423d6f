// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The contexts handlers run on: one per possible CPU, taken from that CPU's node, and one for
 * handlers in process context. All memory a handler may touch is taken here, at load.
 */
#include <linux/cpumask.h>
#include <linux/overflow.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "compat/portable.h"
#include "core/internal.h"

int stp_n_ctx;
struct stp_cpu **stp_cpus;
DEFINE_PER_CPU(struct stp_cpu *, stp_this_cpu);

/**
 * stp_mem_fits - can so much memory be had without anybody being killed for it?
 *
 * Seven eighths of what the kernel calls available; a guess at one moment, and no reservation. The
 * allocations behind it may still fail, and say so.
 *
 * Context: process.
 */
int stp_mem_fits(u64 size)
{
	u64 available = (u64)max(si_mem_available(), 0L) << PAGE_SHIFT;

	return size <= available - available / 8;
}

static void context_free(struct stp_cpu *cpu)
{
	if (!cpu)
		return;
	kvfree(cpu->counts);
	kvfree(cpu->timings);
	kvfree(cpu->scratch);
	kvfree(cpu->message);
	kvfree(cpu->token_text);
	kvfree(cpu->counter_readings);
	kvfree(cpu->counter_others);
	kvfree(cpu->c.counters);
	kvfree(cpu);
}

static u64 scratch_size(void)
{
	return max_t(u64, stp_script.scratch_size, 2 * (u64)stp_script.max_string + 256);
}

/*
 * With the notes of loops it may be hundreds of megabytes: nobody shall be killed for these,
 * wherever they are.
 */
static void *scratch_alloc(int node)
{
	u64 size = scratch_size();

	return size > SZ_1M ? stp_mem_alloc(size) : kvzalloc_node(size, GFP_KERNEL, node);
}

static struct stp_cpu *context_alloc(int index, int node)
{
	const struct stp_script *s = &stp_script;
	struct stp_cpu *cpu = kvzalloc_node(sizeof(*cpu), GFP_KERNEL, node);

	if (!cpu)
		return NULL;
	cpu->message_size = max_t(u32, s->max_string, 256);
	cpu->counts =
		kvzalloc_node(array_size(s->n_probes + 1, sizeof(*cpu->counts)), GFP_KERNEL, node);
	if (s->flags & STP_SCRIPT_TIMING)
		cpu->timings = kvzalloc_node(array_size(s->n_points + 1, sizeof(*cpu->timings)),
					     GFP_KERNEL, node);
	cpu->scratch = scratch_alloc(node);
	cpu->message = kvzalloc_node(cpu->message_size, GFP_KERNEL, node);
	cpu->token_text = kvzalloc_node(cpu->message_size, GFP_KERNEL, node);
	cpu->c.counters =
		kvzalloc_node(array_size(s->n_counters + 1, sizeof(stp_long)), GFP_KERNEL, node);
	cpu->counter_readings =
		kvzalloc_node(array_size(s->n_counters + 1, sizeof(u32)), GFP_KERNEL, node);
	cpu->counter_others =
		kvzalloc_node(array_size(s->n_counters + 1, sizeof(stp_long)), GFP_KERNEL, node);
	if (!cpu->counts || !cpu->scratch || !cpu->message || !cpu->token_text ||
	    !cpu->c.counters || !cpu->counter_readings || !cpu->counter_others ||
	    (!cpu->timings && s->flags & STP_SCRIPT_TIMING)) {
		context_free(cpu);
		return NULL;
	}
	cpu->period = 1;
	cpu->period_allowed = s->overload_threshold;
	cpu->period_more = s->overload_threshold / 4;
	cpu->c.cpu = index;
	cpu->c.top = cpu->scratch;
	cpu->c.limit = cpu->scratch + scratch_size();
	return cpu;
}

static int out_of_memory(u64 each)
{
	stp_log("%llu kB for handlers on each of %u CPUs: out of memory", each >> 10,
		num_possible_cpus());
	return -ENOMEM;
}

/**
 * stp_contexts_init - take the memory of every context
 *
 * Context: process, may sleep. Returns 0 or -ENOMEM, with nothing left behind, and a line in the
 * kernel's log.
 */
int stp_contexts_init(void)
{
	u64 each = scratch_size() + 2ull * stp_script.max_string +
		   (u64)stp_script.n_probes * sizeof(struct stp_count) +
		   (stp_script.flags & STP_SCRIPT_TIMING
			    ? (u64)stp_script.n_points * sizeof(struct stp_agg)
			    : 0);
	int cpu;

	if (!stp_mem_fits(each * (num_possible_cpus() + 1)))
		return out_of_memory(each);
	BUILD_BUG_ON(sizeof(struct stp_count) != 128 ||
		     ARRAY_SIZE(stp_cpus[0]->counts->skipped) < STP_SKIP_MAX);
	stp_n_ctx = nr_cpu_ids + 1;
	stp_cpus = kvzalloc(array_size(stp_n_ctx, sizeof(*stp_cpus)), GFP_KERNEL);
	if (!stp_cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		stp_cpus[cpu] = context_alloc(cpu, cpu_to_node(cpu));
		if (!stp_cpus[cpu])
			goto fail;
		per_cpu(stp_this_cpu, cpu) = stp_cpus[cpu];
	}
	stp_cpus[nr_cpu_ids] = context_alloc(nr_cpu_ids, NUMA_NO_NODE);
	if (!stp_cpus[nr_cpu_ids])
		goto fail;
	return 0;
fail:
	stp_contexts_exit();
	return out_of_memory(each);
}

/**
 * stp_contexts_exit - give the contexts back
 *
 * Context: process; no handler can run any more.
 */
void stp_contexts_exit(void)
{
	int i;

	if (!stp_cpus)
		return;
	for (i = 0; i < stp_n_ctx; i++)
		context_free(stp_cpus[i]);
	kvfree(stp_cpus);
	stp_cpus = NULL;
}

/**
 * stp_task - the task a handler is about
 *
 * Begin, end and error handlers run in a worker but belong to the reader that started the session.
 * A thread that begins has not run yet, and one that was there before is told of by the session.
 *
 * Context: any handler.
 */
struct task_struct *stp_task(struct stp_ctx *c)
{
	if (likely(!(c->flags & (STP_CTX_PROCESS | STP_CTX_TASK))))
		return current;
	if (c->flags & STP_CTX_TASK)
		return stp_cpu_of(c)->task;
	return stp_reader ? stp_reader : current;
}
