// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns: a kretprobe per point. Where the script wants values from the entry (@entry,
 * $parm), the entry handler puts them into the instance's data. Returns that found no free instance
 * are the kernel's misses and stand in the ledger.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "compat/kretprobe.h"
#include "core/enter.h"
#include "probes/probes.h"

struct return_point {
	struct kretprobe rp;
	const struct stp_probe *probe;
	const struct stp_point *point;
};

struct return_impl {
	u32 n;
	u64 missed;
	struct return_point *list;
	unsigned long addrs[];
};

static struct return_point *instance_point(struct kretprobe_instance *ri)
{
	struct kretprobe *rp = stp_kretprobe_of(ri);

	return rp ? container_of(rp, struct return_point, rp) : NULL;
}

static void context_fill(struct stp_cpu *cpu, struct return_point *r, struct kretprobe_instance *ri,
			 struct pt_regs *regs)
{
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.saved = (stp_long *)ri->data;
	cpu->c.point_addr = (unsigned long)r->rp.kp.addr;
	cpu->c.user = (void *)r->point;
}

/* Returns non-zero when this call's return is not to be seen. */
static int return_entry_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct return_point *r = instance_point(ri);
	unsigned long flags;
	struct stp_cpu *cpu;
	int failed;

	if (!r)
		return 1;
	cpu = stp_enter_kprobe(r->probe, &flags);
	if (!cpu)
		return 1;
	memset(ri->data, 0, r->probe->n_saved * sizeof(stp_long));
	context_fill(cpu, r, ri, regs);
	r->probe->entry(&cpu->c);
	failed = cpu->c.error != NULL;
	if (failed)
		stp_error_report(&cpu->c);
	stp_leave(cpu, flags);
	return failed;
}

static int return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct return_point *r = instance_point(ri);
	const struct stp_probe *p;
	unsigned long flags;
	struct stp_cpu *cpu;

	if (!r)
		return 0;
	p = r->probe;
	cpu = stp_enter_kprobe(p, &flags);
	if (!cpu)
		return 0;
	context_fill(cpu, r, ri, regs);
	cpu->c.flags = STP_CTX_RETURN;
	stp_run(cpu, p);
	stp_leave(cpu, flags);
	return 0;
}

static int return_prepare(struct stp_probe *p)
{
	struct return_impl *impl;

	impl = kvzalloc(struct_size(impl, addrs, p->n_points), GFP_KERNEL);
	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->list = kvcalloc(max(p->n_points, 1u), sizeof(*impl->list), GFP_KERNEL);
	return impl->list ? 0 : -ENOMEM;
}

static void return_release(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;

	if (!impl)
		return;
	kvfree(impl->list);
	kvfree(impl);
	p->impl = NULL;
}

static int return_arm(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;
	u32 i;
	int err = stp_resolve(p, impl->addrs);

	for (i = 0, impl->n = 0; i < p->n_points && !err; i++) {
		struct return_point *r = &impl->list[impl->n];

		if (!impl->addrs[i])
			continue;
		memset(r, 0, sizeof(*r));
		r->probe = p;
		r->point = &p->points[i];
		r->rp.kp.addr = (kprobe_opcode_t *)impl->addrs[i];
		r->rp.handler = return_hit;
		if (p->entry) {
			r->rp.entry_handler = return_entry_hit;
			r->rp.data_size = p->n_saved * sizeof(stp_long);
		}
		r->rp.maxactive = p->param > 0 ? (int)p->param :
						 max_t(int, 15, 6 * num_possible_cpus());
		err = register_kretprobe(&r->rp);
		if (!err)
			impl->n++;
		else
			err = stp_point_failed(p, i, err, "the kernel refuses a return probe there");
	}
	return err;
}

static void return_disarm(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;
	struct kretprobe **list;
	u32 i;

	if (!impl->n)
		return;
	list = kvmalloc_array(impl->n, sizeof(*list), GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < impl->n; i++)
		list[i] = &impl->list[i].rp;
	unregister_kretprobes(list, impl->n);
	for (i = 0; i < impl->n; i++)
		impl->missed += list[i]->nmissed + list[i]->kp.nmissed;
	kvfree(list);
	impl->n = 0;
}

static u32 return_attached(const struct stp_probe *p)
{
	const struct return_impl *impl = p->impl;

	return impl->n;
}

static u64 return_missed(const struct stp_probe *p)
{
	const struct return_impl *impl = p->impl;
	u64 sum = impl->missed;
	u32 i;

	for (i = 0; i < READ_ONCE(impl->n); i++)
		sum += impl->list[i].rp.nmissed + impl->list[i].rp.kp.nmissed;
	return sum;
}

const struct stp_family stp_family_return = {
	.prepare = return_prepare,
	.release = return_release,
	.arm = return_arm,
	.disarm = return_disarm,
	.attached = return_attached,
	.missed = return_missed,
};
