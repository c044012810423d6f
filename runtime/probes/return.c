// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function returns: one fprobe over all points where the kernel has it, which attaches hundreds of
 * functions in one pass; a kretprobe each for points it does not take. Where the script wants
 * values from the entry (@entry, $parm), the entry handler puts them into the call's own data,
 * strings into an instance of saved_strings.c whose number comes behind the values. Returns that
 * found no room for those are the kernel's misses, or skips for want of an instance, and stand in the ledger.
 *
 * A function that is on its way when a probe goes returns later, and where the kernel keeps calls on a
 * stack of its own (fprobe over fgraph, 6.14 on) that return can reach whoever has an fprobe at the same address
 * by then: this probe armed anew, or another session's. So each arming has a cookie, which the entry puts into
 * the call's data; a return with another cookie, or without data where there should be some, is rejected
 * and counted. Calls without data carry nothing to tell them by: one that was entered before is seen as if after.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat/fprobe.h"
#include "compat/kretprobe.h"
#include "core/enter.h"
#include "probes/probes.h"

struct return_point {
	struct kretprobe rp;
	const struct stp_probe *probe;
	const struct stp_point *point;
};

struct return_impl {
	struct fprobe fprobe;
	const struct stp_probe *probe;
	u32 n_fprobe; /* attached through it */
	u32 left_out; /* points */
	u32 n;        /* kretprobes */
	u64 missed;
	u64 cookie; /* of this arming, never 0 */
	struct return_point *list;
	struct stp_addresses addresses; /* of the fprobe */
	struct stp_saved_strings strings;
	unsigned long addrs[];
};

static struct return_point *instance_point(struct kretprobe_instance *ri)
{
	struct kretprobe *rp = stp_kretprobe_of(ri);

	return rp ? container_of(rp, struct return_point, rp) : NULL;
}

/* A call's own data. The number of its instance comes behind the values if there are strings. */
struct call {
	u64 cookie; /* of the arming it was entered under */
	stp_long saved[];
};

static size_t data_size(const struct stp_probe *p)
{
	return p->entry ? sizeof(struct call) +
				  (p->n_saved + !!p->n_saved_strings) * sizeof(stp_long)
			: 0;
}

/* Fill a call's data. Returns non-zero when its return is not to be seen. */
static int run_entry(struct stp_cpu *cpu, const struct stp_probe *p, struct call *call)
{
	struct return_impl *impl = p->impl;
	int skipped;

	memset(call, 0, data_size(p));
	call->cookie = impl->cookie;
	cpu->c.saved = call->saved;
	if (p->n_saved_strings) {
		call->saved[p->n_saved] = stp_saved_strings_alloc(&impl->strings, &cpu->c);
		if (!call->saved[p->n_saved])
			return 1;
	}
	p->entry(&cpu->c);
	skipped = cpu->c.error || (cpu->c.flags & STP_CTX_SKIPPED);
	if (cpu->c.error) {
		stp_error_report(&cpu->c);
		stp_skip(cpu, p, STP_SKIP_ENTRY);
	}
	if (skipped && p->n_saved_strings)
		stp_saved_strings_free(&impl->strings, call->saved[p->n_saved]);
	return skipped;
}

static int is_foreign(const struct stp_probe *p, const struct call *call)
{
	const struct return_impl *impl = p->impl;

	return p->entry ? !call || call->cookie != impl->cookie : call != NULL;
}

/* cpu: NULL when the handler may not run, but the call is over all the same. */
static void run_return(struct stp_cpu *cpu, const struct stp_probe *p, struct call *call)
{
	struct return_impl *impl = p->impl;

	if (unlikely(is_foreign(p, call))) {
		if (cpu)
			stp_skip(cpu, p, STP_SKIP_FOREIGN);
		return;
	}
	if (cpu) {
		cpu->c.saved = p->entry ? call->saved : NULL;
		cpu->c.flags = STP_CTX_RETURN;
		if (p->n_saved_strings)
			stp_saved_strings_use(&impl->strings, &cpu->c, call->saved[p->n_saved]);
		stp_run(cpu, p);
	}
	if (p->n_saved_strings)
		stp_saved_strings_free(&impl->strings, call->saved[p->n_saved]);
}

static void context_fill(struct stp_cpu *cpu, struct return_point *r, struct pt_regs *regs)
{
	cpu->c.regs = (struct stp_regs *)regs;
	cpu->c.point_addr = (unsigned long)r->rp.kp.addr;
	cpu->c.point = r->point;
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
	cpu = stp_enter_kprobe(r->probe, &flags, &r->rp.kp);
	if (!cpu)
		return 1;
	context_fill(cpu, r, regs);
	failed = run_entry(cpu, r->probe, (struct call *)ri->data);
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
	cpu = stp_enter(p, &flags); /* by a trampoline, not a breakpoint */
	if (cpu)
		context_fill(cpu, r, regs);
	run_return(cpu, p, p->entry ? (struct call *)ri->data : NULL);
	if (cpu)
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
	impl->probe = p;
	impl->list = kvcalloc(max(p->n_points, 1u), sizeof(*impl->list), GFP_KERNEL);
	if (!impl->list || stp_saved_strings_init(&impl->strings, p))
		return -ENOMEM;
	return stp_addresses_init(&impl->addresses, p->n_points);
}

static void return_release(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;

	if (!impl)
		return;
	stp_addresses_exit(&impl->addresses);
	stp_saved_strings_exit(&impl->strings);
	kvfree(impl->list);
	kvfree(impl);
	p->impl = NULL;
}

static int max_active(const struct stp_probe *p)
{
	u32 max_active = p->points->text.max_active; /* the same for all */

	return max_active ? (int)max_active : max_t(int, 15, 6 * num_possible_cpus());
}

/* ---- by fprobe ---- */

#ifdef STP_HAVE_FPROBE
static int fprobe_entry_hit(struct fprobe *fp, unsigned long entry, unsigned long ret, void *regs,
			    void *data)
{
	struct return_impl *impl = container_of(fp, struct return_impl, fprobe);
	const struct stp_probe *p = impl->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);
	int failed;

	if (!cpu)
		return 1;
	cpu->c.regs = regs;
	cpu->c.point_addr = entry;
	failed = run_entry(cpu, p, data);
	stp_leave(cpu, flags);
	return failed;
}

static void fprobe_return_hit(struct fprobe *fp, unsigned long entry, unsigned long ret, void *regs,
			      void *data)
{
	struct return_impl *impl = container_of(fp, struct return_impl, fprobe);
	const struct stp_probe *p = impl->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (cpu) {
		cpu->c.regs = regs;
		cpu->c.point_addr = entry;
	}
	run_return(cpu, p, data);
	if (cpu)
		stp_leave(cpu, flags);
}

static int fprobe_can(const struct stp_probe *p)
{
	u32 i;

	if (!STP_FPROBE_KNOWN)
		return 0;
	for (i = 0; i < p->n_points; i++) {
		if (p->points[i].text.offset ||
		    (STP_FPROBE_PARTIAL_REGS && (p->points[i].flags & STP_POINT_FULL_REGS)))
			return 0;
	}
	return 1;
}

/* One fprobe for all points that ftrace knows; they leave addrs, the list of the kretprobes. */
static void fprobe_arm(struct return_impl *impl, const struct stp_probe *p)
{
	struct stp_addresses *addresses = &impl->addresses;
	unsigned long *locations;
	u32 i, n = 0;

	if (!fprobe_can(p))
		return;
	stp_addresses_fill(addresses, impl->addrs, p->n_points);
	locations = kvmalloc_array(addresses->n + 1, sizeof(*locations), GFP_KERNEL);
	for (i = 0; locations && i < addresses->n; i++)
		locations[i] = stp_ftrace_location(addresses->list[i].addr);
	if (locations)
		n = stp_ftrace_known(addresses, locations);
	memset(&impl->fprobe, 0, sizeof(impl->fprobe));
	stp_fprobe_setup(&impl->fprobe, p->entry ? fprobe_entry_hit : NULL, fprobe_return_hit,
			 data_size(p), max_active(p));
	if (n && !register_fprobe_ips(&impl->fprobe, locations, n))
		impl->n_fprobe = n;
	for (i = 0; impl->n_fprobe && i < addresses->n; i++) {
		if (addresses->list[i].traced)
			impl->addrs[addresses->list[i].point] = 0;
	}
	kvfree(locations);
}

static void fprobe_disarm(struct return_impl *impl)
{
	if (!impl->n_fprobe)
		return;
	unregister_fprobe(&impl->fprobe);
	synchronize_rcu(); /* a return that has found the fprobe may still be in our handler */
	impl->missed += impl->fprobe.nmissed;
	impl->n_fprobe = 0;
}
#else
static void fprobe_arm(struct return_impl *impl, const struct stp_probe *p)
{
}

static void fprobe_disarm(struct return_impl *impl)
{
}
#endif

/* ---- by kretprobes ---- */

static int kretprobes_arm(struct return_impl *impl, const struct stp_probe *p)
{
	u32 i;
	int err = 0;

	for (i = 0; i < p->n_points && !err; i++) {
		struct return_point *r = &impl->list[impl->n];

		if (!impl->addrs[i])
			continue;
		if (stp_session_ending())
			return -EINTR;
		memset(r, 0, sizeof(*r));
		r->probe = p;
		r->point = &p->points[i];
		r->rp.kp.addr = (kprobe_opcode_t *)impl->addrs[i];
		r->rp.handler = return_hit;
		if (p->entry) {
			r->rp.entry_handler = return_entry_hit;
			r->rp.data_size = data_size(p);
		}
		r->rp.maxactive = max_active(p);
		err = register_kretprobe(&r->rp);
		if (!err)
			impl->n++;
		else
			err = stp_point_failed(p, i, err,
					       "the kernel refuses a return probe there");
	}
	return err;
}

static void kretprobes_disarm(struct return_impl *impl)
{
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

static int return_arm(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;
	int err = stp_resolve(p, impl->addrs);

	if (err)
		return err;
	get_random_bytes(&impl->cookie, sizeof(impl->cookie));
	impl->cookie |= 1;
	stp_saved_strings_reset(&impl->strings);
	stp_saved_strings_watch(&impl->strings);
	fprobe_arm(impl, p);
	impl->left_out = impl->n_fprobe ? stp_wild_leave_out(p, impl->addrs) : 0;
	return kretprobes_arm(impl, p);
}

static void return_disarm(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;

	fprobe_disarm(impl);
	kretprobes_disarm(impl);
	stp_saved_strings_unwatch(&impl->strings);
}

static u32 return_attached(const struct stp_probe *p)
{
	const struct return_impl *impl = p->impl;

	return impl->n_fprobe + impl->n;
}

static u32 return_left_out(const struct stp_probe *p)
{
	const struct return_impl *impl = p->impl;

	return impl->left_out;
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

static const struct stp_point *return_point(const struct stp_probe *p, unsigned long addr)
{
	const struct return_impl *impl = p->impl;

	return stp_addresses_point(&impl->addresses, p, addr);
}

const struct stp_family stp_family_return = {
	.type = "kretprobe",
	.prepare = return_prepare,
	.release = return_release,
	.arm = return_arm,
	.disarm = return_disarm,
	.attached = return_attached,
	.missed = return_missed,
	.left_out = return_left_out,
	.point = return_point,
};
