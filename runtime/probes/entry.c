// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries: one ftrace_ops per probe over all its points, so attaching to 500 functions
 * costs one pass over the kernel's text; on kernels where filling a filter is slow
 * (compat/ftrace.h) one for each STP_FTRACE_FILTER_MAX points. Points ftrace does not know get a
 * kprobe each; without ftrace (kernel.ftrace_enabled=0) all do. Those a wildcard found do without,
 * see stp_wild_leave_out().
 *
 * The callback guards itself against recursion (stp_enter's busy flag), so ftrace may call it
 * directly. FL_PERMANENT keeps the sysctl from silencing a running session.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "compat/ftrace.h"
#include "core/enter.h"
#include "probes/callers.h"
#include "probes/probes.h"

struct entry_impl {
	struct ftrace_ops *ops; /* room for all points */
	u32 n_ops;              /* registered */
	struct stp_kprobes fallback;
	u32 n_ftrace; /* attached through ftrace */
	u32 left_out; /* points */
	struct stp_addresses addresses;
	unsigned long *addrs;  /* by point; what the fallback has to do */
	unsigned long *filter; /* what ftrace is asked for */
};

/*
 * Context: any that ftrace calls from: NMI, which stp_enter() turns away, and idle where RCU does
 * not watch. fregs is on the stack of the hit, and good for it alone.
 */
static void entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		      STP_FTRACE_REGS *fregs)
{
	const struct stp_probe *p = op->private;
	unsigned long flags;
	struct stp_cpu *cpu;

	if (!stp_caller_admits(p, parent_ip))
		return;
	cpu = stp_enter(p, &flags);
	if (!cpu)
		return;
	cpu->c.regs = (struct stp_regs *)fregs;
	cpu->c.point_addr = ip;
	if (!stp_unwatched(cpu, p))
		stp_run(cpu, p);
	stp_leave(cpu, flags);
}

/* What a failure leaves behind is for entry_release(). Nothing is taken at arming. */
static int entry_prepare(struct stp_probe *p)
{
	struct entry_impl *impl = kvzalloc(sizeof(*impl), GFP_KERNEL);
	u32 n = max(p->n_points, 1u);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->ops = kvcalloc(1 + (n - 1) / STP_FTRACE_FILTER_MAX, sizeof(*impl->ops), GFP_KERNEL);
	impl->addrs = kvcalloc(n, sizeof(*impl->addrs), GFP_KERNEL);
	impl->filter = kvcalloc(n, sizeof(*impl->filter), GFP_KERNEL);
	if (!impl->ops || !impl->addrs || !impl->filter)
		return -ENOMEM;
	return stp_addresses_init(&impl->addresses, p->n_points);
}

static void entry_release(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;

	if (!impl)
		return;
	stp_addresses_exit(&impl->addresses);
	kvfree(impl->ops);
	kvfree(impl->addrs);
	kvfree(impl->filter);
	kvfree(impl);
	p->impl = NULL;
}

/* -EINTR when the session ends first. */
static int fill_filter(struct ftrace_ops *ops, unsigned long *ips, u32 n)
{
#ifdef STP_HAVE_FTRACE_SET_FILTER_IPS
	return ftrace_set_filter_ips(ops, ips, n, 0, 0);
#else
	u32 i;
	int err = 0;

	for (i = 0; i < n && !err; i++)
		err = stp_session_ending() ? -EINTR : ftrace_set_filter_ip(ops, ips[i], 0, 0);
	return err;
#endif
}

/* One more ops, for n points of the filter. */
static int attach(struct entry_impl *impl, const struct stp_probe *p, unsigned long flags, u32 n)
{
	struct ftrace_ops *ops = &impl->ops[impl->n_ops];
	int err;

	memset(ops, 0, sizeof(*ops));
	ops->func = entry_hit;
	ops->flags = flags;
	ops->private = (void *)p;
	err = fill_filter(ops, impl->filter + impl->n_ftrace, n);
	if (!err)
		err = register_ftrace_function(ops);
	if (err) {
		stp_ftrace_free_filter(ops);
		return err;
	}
	impl->n_ops++;
	impl->n_ftrace += n;
	return 0;
}

/* No hit runs afterwards: the kernel waits for callbacks that are on their way. */
static void detach_all(struct entry_impl *impl)
{
	while (impl->n_ops) {
		struct ftrace_ops *ops = &impl->ops[--impl->n_ops];

		unregister_ftrace_function(ops);
		stp_ftrace_free_filter(ops);
	}
	impl->n_ftrace = 0;
}

/* All that ftrace knows, or none. Those it takes leave addrs, the list of the fallback. */
static int attach_all(struct entry_impl *impl, const struct stp_probe *p, unsigned long flags)
{
	struct stp_addresses *addresses = &impl->addresses;
	u32 i, n;

	for (i = 0; i < addresses->n; i++)
		impl->filter[i] = addresses->list[i].addr;
	n = stp_ftrace_known(addresses, impl->filter);
	while (impl->n_ftrace < n) {
		if (stp_session_ending())
			return -EINTR; /* disarming follows */
		if (attach(impl, p, flags, min_t(u32, n - impl->n_ftrace, STP_FTRACE_FILTER_MAX))) {
			detach_all(impl);
			return 0;
		}
	}
	for (i = 0; i < addresses->n; i++) {
		if (addresses->list[i].traced)
			impl->addrs[addresses->list[i].point] = 0;
	}
	return 0;
}

static int entry_arm(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;
	unsigned long flags = STP_FTRACE_FLAGS | FTRACE_OPS_FL_PERMANENT;
	u32 i;
	int err;

	err = stp_resolve(p, impl->addrs);
	if (err)
		return err;
	stp_addresses_fill(&impl->addresses, impl->addrs, p->n_points);
	for (i = 0; i < p->n_points; i++) {
		if (!STP_FTRACE_HAS_ARGS || (p->points[i].flags & STP_POINT_FULL_REGS))
			flags |= FTRACE_OPS_FL_SAVE_REGS;
		/* an entry is where the function begins; with an offset it is a plain address */
		if (p->points[i].kernel.offset)
			return stp_kprobes_arm(&impl->fallback, p, impl->addrs);
	}
	err = attach_all(impl, p, flags);
	if (err)
		return err;
	impl->left_out = impl->n_ftrace ? stp_wild_leave_out(p, impl->addrs) : 0;
	if (impl->n_ftrace + impl->left_out < impl->addresses.n)
		return stp_kprobes_arm(&impl->fallback, p, impl->addrs);
	return 0;
}

static void entry_disarm(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;

	detach_all(impl);
	stp_kprobes_disarm(&impl->fallback);
}

static u32 entry_attached(const struct stp_probe *p)
{
	const struct entry_impl *impl = p->impl;

	return impl->n_ftrace + impl->fallback.n;
}

static u32 entry_left_out(const struct stp_probe *p)
{
	const struct entry_impl *impl = p->impl;

	return impl->left_out;
}

static const struct stp_point *entry_point(const struct stp_probe *p, unsigned long addr)
{
	const struct entry_impl *impl = p->impl;

	return stp_addresses_point(&impl->addresses, p, addr);
}

STP_FAMILY(stp_family_entry) = {
	.type = "kprobe",
	.prepare = entry_prepare,
	.release = entry_release,
	.arm = entry_arm,
	.disarm = entry_disarm,
	.attached = entry_attached,
	.left_out = entry_left_out,
	.point = entry_point,
};
