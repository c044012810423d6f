// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries: one ftrace_ops per probe over all its points, so attaching to 500 functions
 * costs one pass over the kernel's text. Points ftrace does not know get a kprobe each; without
 * ftrace (kernel.ftrace_enabled=0) all do. Those a wildcard found do without, see stp_wild_leave_out().
 *
 * The callback guards itself against recursion (stp_enter's busy flag), so ftrace may call it
 * directly. FL_PERMANENT keeps the sysctl from silencing a running session.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "compat/ftrace.h"
#include "core/enter.h"
#include "probes/probes.h"

struct entry_impl {
	struct ftrace_ops ops;
	const struct stp_probe *probe;
	struct stp_kprobes fallback;
	u32 n_ftrace; /* attached through ftrace */
	u32 left_out; /* points */
	int registered;
	struct stp_addresses addresses;
	unsigned long *addrs;  /* by point; what the fallback has to do */
	unsigned long *filter; /* what ftrace is asked for */
};

static void entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		      STP_FTRACE_REGS *fregs)
{
	struct entry_impl *impl = container_of(op, struct entry_impl, ops);
	const struct stp_probe *p = impl->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	cpu->c.regs = (struct stp_regs *)fregs;
	cpu->c.point_addr = ip;
	if (!stp_unwatched(cpu, p))
		stp_run(cpu, p);
	stp_leave(cpu, flags);
}

static int entry_prepare(struct stp_probe *p)
{
	struct entry_impl *impl = kvzalloc(sizeof(*impl), GFP_KERNEL);
	u32 n = max(p->n_points, 1u);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->probe = p;
	impl->addrs = kvcalloc(n, sizeof(*impl->addrs), GFP_KERNEL);
	impl->filter = kvcalloc(n, sizeof(*impl->filter), GFP_KERNEL);
	if (!impl->addrs || !impl->filter)
		return -ENOMEM;
	return stp_addresses_init(&impl->addresses, p->n_points);
}

static void entry_release(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;

	if (!impl)
		return;
	stp_addresses_exit(&impl->addresses);
	kvfree(impl->addrs);
	kvfree(impl->filter);
	kvfree(impl);
	p->impl = NULL;
}

/* Those ftrace takes leave addrs, the list of the fallback. */
static void filter_set(struct entry_impl *impl)
{
	struct stp_addresses *addresses = &impl->addresses;
	u32 i, n;
	int err = 0;

	for (i = 0; i < addresses->n; i++)
		impl->filter[i] = addresses->list[i].addr;
	n = stp_ftrace_known(addresses, impl->filter);
#ifdef STP_HAVE_FTRACE_SET_FILTER_IPS
	if (n)
		err = ftrace_set_filter_ips(&impl->ops, impl->filter, n, 0, 0);
#else
	/* each call copies what is there so far: thousands take minutes */
	for (i = 0; i < n && !err; i++)
		err = stp_session_ending()
			      ? -EINTR
			      : ftrace_set_filter_ip(&impl->ops, impl->filter[i], 0, 0);
#endif
	if (err)
		return;
	for (i = 0; i < addresses->n; i++) {
		if (addresses->list[i].traced)
			impl->addrs[addresses->list[i].point] = 0;
	}
	impl->n_ftrace = n;
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
		if (p->points[i].text.offset)
			return stp_kprobes_arm(&impl->fallback, p, impl->addrs);
	}
	memset(&impl->ops, 0, sizeof(impl->ops));
	impl->ops.func = entry_hit;
	impl->ops.flags = flags;
	impl->n_ftrace = 0;
	if (impl->addresses.n)
		filter_set(impl);
	if (impl->n_ftrace) {
		err = register_ftrace_function(&impl->ops);
		impl->registered = !err;
		if (err) {
			impl->n_ftrace = 0;
			for (i = 0; i < impl->addresses.n; i++)
				impl->addrs[impl->addresses.list[i].point] =
					impl->addresses.list[i].addr;
		}
	}
	impl->left_out = impl->n_ftrace ? stp_wild_leave_out(p, impl->addrs) : 0;
	if (impl->n_ftrace + impl->left_out < impl->addresses.n)
		return stp_kprobes_arm(&impl->fallback, p, impl->addrs);
	return 0;
}

static void entry_disarm(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;

	if (impl->registered)
		unregister_ftrace_function(&impl->ops);
	impl->registered = 0;
	if (impl->ops.func)
		stp_ftrace_free_filter(&impl->ops);
	impl->ops.func = NULL;
	stp_kprobes_disarm(&impl->fallback);
	impl->n_ftrace = 0;
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

const struct stp_family stp_family_entry = {
	.type = "kprobe",
	.prepare = entry_prepare,
	.release = entry_release,
	.arm = entry_arm,
	.disarm = entry_disarm,
	.attached = entry_attached,
	.left_out = entry_left_out,
	.point = entry_point,
};
