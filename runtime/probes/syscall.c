// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls by their number. However many probes and points a session has, there is one callback
 * at the tracepoint sys_enter and one at sys_exit (include/trace/events/syscalls.h); each looks the
 * number up in a table, so a call that nobody wants costs the look and no more. A place in the
 * table has what is to run there, in the order of the script.
 *
 * Both tracepoints pass the caller's struct pt_regs, which are c->regs. The number at the return is
 * the one in them (syscall_get_nr()). A task that clone() made comes out of that call without
 * having entered it, and execve() of a program of another kind is entered by one table and left by
 * the other.
 *
 * All are armed together and disarmed together, under the lock of arming; hits read.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/syscall.h>
#include "arch/arch.h"
#include "core/enter.h"
#include "probes/syscall_call.h"

#define ABIS 2
#define NUMBERS 1024 /* greater ones are refused when arming; the kernel is at 472 */

/* What runs at one number. */
struct syscall_hit {
	struct syscall_hit *next; /* at the same number */
	const struct stp_point *point;
	const struct stp_probe *probe;
	struct stp_syscall_calls *calls; /* of a return: its record is made, or found, here */
};

struct syscall_impl {
	struct stp_syscall_calls calls; /* of returns */
	u32 n;                          /* points attached */
	u32 watching;                   /* armed for the death of tasks */
	struct syscall_hit *entries;    /* n_points, of probes with values of the entry */
	struct syscall_hit hits[];
};

/* Into calls or out of them. */
struct direction {
	struct syscall_hit *table[ABIS][NUMBERS];
};

static struct direction entering, leaving;

/* ---- hits ---- */

static __always_inline const struct syscall_hit *first_hit(const struct direction *d, long nr)
{
	unsigned long number = stp_arch_syscall_number(nr);

	if (unlikely(number >= NUMBERS))
		return NULL;
	return READ_ONCE(d->table[stp_arch_syscall_abi()][number]);
}

static __always_inline struct stp_cpu *enter(const struct syscall_hit *hit, struct pt_regs *regs,
					     unsigned long *flags)
{
	struct stp_cpu *cpu = stp_enter(hit->probe, flags);

	if (cpu) {
		cpu->c.regs = (const struct stp_regs *)regs;
		cpu->c.point = hit->point;
		cpu->c.flags = STP_CTX_USER_REGS;
	}
	return cpu;
}

/*
 * What the task's last call saved, when its return was not seen: rt_sigreturn returns under no
 * number.
 */
static void forget(struct stp_syscall_calls *calls)
{
	struct stp_syscall_record *left = stp_syscall_record_find(calls);

	if (likely(!left))
		return;
	if (!left->skipped)
		stp_return_left(&calls->calls, NULL, &left->call);
	stp_syscall_record_free(left);
}

/*
 * A return wants values of this entry. Its record says too that it was counted here already, and is
 * not to be seen.
 */
static noinline void save(const struct syscall_hit *hit, struct pt_regs *regs)
{
	struct stp_syscall_record *record;
	unsigned long flags;
	struct stp_cpu *cpu;

	forget(hit->calls);
	record = stp_syscall_record_take(hit->calls);
	if (record)
		record->skipped = 1;
	else
		WRITE_ONCE(hit->calls->overflowed, 1);
	cpu = enter(hit, regs, &flags);
	if (!cpu)
		return;
	if (!record)
		stp_skip(cpu, hit->probe, STP_SKIP_SAVED);
	else
		record->skipped = stp_return_entered(&hit->calls->calls, cpu, &record->call);
	stp_leave(cpu, flags);
}

static void run(const struct syscall_hit *hit, struct pt_regs *regs)
{
	unsigned long flags;
	struct stp_cpu *cpu = enter(hit, regs, &flags);

	if (!cpu)
		return;
	stp_run(cpu, hit->probe);
	stp_leave(cpu, flags);
}

static void on_enter(void *data, struct pt_regs *regs, long number)
{
	const struct syscall_hit *hit = first_hit(&entering, number);

	for (; hit; hit = READ_ONCE(hit->next)) {
		if (hit->calls)
			save(hit, regs);
		else
			run(hit, regs);
	}
}

/*
 * Without values of the entry no call has a record; else one that has none was entered before, or
 * found all entries taken.
 */
static void leave(struct stp_syscall_calls *calls, struct stp_cpu *cpu)
{
	struct stp_syscall_record *record = calls->records ? stp_syscall_record_find(calls) : NULL;

	if (record ? !record->skipped : !READ_ONCE(calls->overflowed))
		stp_return_left(&calls->calls, cpu, record ? &record->call : NULL);
	if (record)
		stp_syscall_record_free(record);
}

static void run_return(const struct syscall_hit *hit, struct pt_regs *regs)
{
	unsigned long flags;
	struct stp_cpu *cpu = enter(hit, regs, &flags);

	leave(hit->calls, cpu);
	if (cpu)
		stp_leave(cpu, flags);
}

static void on_exit(void *data, struct pt_regs *regs, long result)
{
	const struct syscall_hit *hit = first_hit(&leaving, syscall_get_nr(current, regs));

	for (; hit; hit = READ_ONCE(hit->next))
		run_return(hit, regs);
}

/* ---- arming ---- */

enum { ENTER, EXIT };

static struct stp_trace_hook hooks[] = {
	[ENTER] = { "sys_enter", (void *)on_enter },
	[EXIT] = { "sys_exit", (void *)on_exit },
};

/* Behind what is there. The hit is complete before it can be seen. */
static void append(struct direction *d, struct syscall_hit *hit)
{
	const struct stp_syscall_attach *at = &hit->point->syscall;
	struct syscall_hit **end = &d->table[at->abi][at->number];

	hit->next = NULL;
	while (*end)
		end = &(*end)->next;
	smp_store_release(end, hit);
}

static int append_points(struct direction *d, struct syscall_hit *hits, struct stp_probe *p,
			 struct stp_syscall_calls *calls)
{
	u32 i;
	int err = 0;

	for (i = 0; i < p->n_points && !err; i++) {
		const struct stp_point *point = &p->points[i];

		if (point->syscall.abi >= ABIS || point->syscall.number >= NUMBERS) {
			err = stp_point_failed(p, i, -ERANGE, "no such system call");
			continue;
		}
		hits[i].point = point;
		hits[i].probe = p;
		hits[i].calls = calls;
		append(d, &hits[i]);
	}
	return err;
}

static int prepare(struct stp_probe *p)
{
	struct syscall_impl *impl = kvzalloc(struct_size(impl, hits, p->n_points), GFP_KERNEL);

	p->impl = impl;
	return impl ? 0 : -ENOMEM;
}

static int prepare_return(struct stp_probe *p)
{
	struct syscall_impl *impl;
	int err = prepare(p);

	if (err)
		return err;
	impl = p->impl;
	if (p->entry) {
		impl->entries = kvcalloc(p->n_points, sizeof(*impl->entries), GFP_KERNEL);
		if (!impl->entries)
			return -ENOMEM;
	}
	return stp_syscall_calls_init(&impl->calls, p);
}

static void release(struct stp_probe *p)
{
	kvfree(p->impl);
	p->impl = NULL;
}

static void release_return(struct stp_probe *p)
{
	struct syscall_impl *impl = p->impl;

	if (!impl)
		return;
	stp_syscall_calls_exit(&impl->calls);
	kvfree(impl->entries);
	release(p);
}

static int arm(struct stp_probe *p)
{
	struct syscall_impl *impl = p->impl;
	int err = append_points(&entering, impl->hits, p, NULL);

	if (err)
		return err;
	err = stp_trace_follow(&hooks[ENTER]);
	if (err)
		return stp_point_failed(p, 0, err, "cannot attach to the tracepoint sys_enter");
	impl->n = p->n_points;
	return 0;
}

/* The entry first: a call that is entered in between has its record. */
static int arm_return(struct stp_probe *p)
{
	struct syscall_impl *impl = p->impl;
	int err;

	stp_syscall_calls_arm(&impl->calls);
	impl->watching = 1;
	err = append_points(&leaving, impl->hits, p, &impl->calls);
	if (!err && impl->entries)
		err = append_points(&entering, impl->entries, p, &impl->calls);
	if (err)
		return err;
	err = (impl->entries ? stp_trace_follow(&hooks[ENTER]) : 0)
		      ?: stp_trace_follow(&hooks[EXIT]);
	if (err)
		return stp_point_failed(p, 0, err, "cannot attach to the tracepoint sys_exit");
	impl->n = p->n_points;
	return 0;
}

/*
 * The first that goes takes all with it, so that there is one wait: none is armed anew while others
 * are.
 */
static void disarm(struct stp_probe *p)
{
	struct syscall_impl *impl = p->impl;

	stp_trace_leave(hooks, ARRAY_SIZE(hooks));
	memset(entering.table, 0, sizeof(entering.table));
	memset(leaving.table, 0, sizeof(leaving.table));
	impl->n = 0;
}

static void disarm_return(struct stp_probe *p)
{
	struct syscall_impl *impl = p->impl;

	disarm(p);
	if (impl->watching)
		stp_syscall_calls_disarm(&impl->calls);
	impl->watching = 0;
}

static u32 attached(const struct stp_probe *p)
{
	const struct syscall_impl *impl = p->impl;

	return impl->n;
}

STP_FAMILY(stp_family_syscall) = {
	.type = "tracepoint",
	.prepare = prepare,
	.release = release,
	.arm = arm,
	.disarm = disarm,
	.attached = attached,
};

STP_FAMILY(stp_family_syscall_return) = {
	.type = "tracepoint",
	.prepare = prepare_return,
	.release = release_return,
	.arm = arm_return,
	.disarm = disarm_return,
	.attached = attached,
};
