// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The family of function returns: one attachment to all points that ftrace knows where the kernel
 * has a way, a kretprobe each for the others. What a return is, is in probes/return.h.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "probes/return.h"

struct return_impl {
	struct stp_return calls;
	struct stp_return_ftrace ftrace;
	struct stp_return_kretprobes kretprobes;
	u32 left_out; /* points */
	unsigned long addrs[];
};

/* What a failure leaves behind return_release() gives back, as in every family. */
static int return_prepare(struct stp_probe *p)
{
	struct return_impl *impl;

	impl = kvzalloc(struct_size(impl, addrs, p->n_points), GFP_KERNEL);
	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->ftrace.of = impl->kretprobes.of = &impl->calls;
	return stp_return_init(&impl->calls, p, p->points->max_active)
		       ?: stp_return_kretprobes_init(&impl->kretprobes, p->n_points)
		       ?: stp_addresses_init(&impl->ftrace.addresses, p->n_points);
}

static void return_release(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;

	if (!impl)
		return;
	stp_addresses_exit(&impl->ftrace.addresses);
	stp_return_kretprobes_exit(&impl->kretprobes);
	stp_return_exit(&impl->calls);
	kvfree(impl);
	p->impl = NULL;
}

/*
 * The cookie comes first: a call that is entered before all points are attached has that of this
 * arming. addrs is by point; what ftrace takes becomes 0, kretprobes are for the rest.
 */
static int return_arm(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;
	int err = stp_resolve(p, impl->addrs);

	if (err)
		return err;
	stp_return_arm(&impl->calls);
	err = stp_return_ftrace_arm(&impl->ftrace, impl->addrs);
	if (err)
		return err;
	impl->left_out = stp_wild_leave_out(p, impl->addrs, impl->ftrace.known, impl->ftrace.n);
	return stp_return_kretprobes_arm(&impl->kretprobes, impl->addrs);
}

/* The strings of dead tasks are looked after until nothing is attached any more. */
static void return_disarm(struct stp_probe *p)
{
	struct return_impl *impl = p->impl;

	stp_return_ftrace_disarm(&impl->ftrace);
	stp_return_kretprobes_disarm(&impl->kretprobes);
	stp_return_disarm(&impl->calls);
}

static u32 return_attached(const struct stp_probe *p)
{
	const struct return_impl *impl = p->impl;

	return impl->ftrace.n + impl->kretprobes.n;
}

static u32 return_left_out(const struct stp_probe *p)
{
	const struct return_impl *impl = p->impl;

	return impl->left_out;
}

static const struct stp_point *return_point(const struct stp_probe *p, unsigned long addr)
{
	const struct return_impl *impl = p->impl;

	return stp_addresses_point(&impl->ftrace.addresses, p, addr);
}

STP_FAMILY(stp_family_return) = {
	.type = "kretprobe",
	.first = 1,
	.prepare = return_prepare,
	.release = return_release,
	.arm = return_arm,
	.disarm = return_disarm,
	.attached = return_attached,
	.left_out = return_left_out,
	.point = return_point,
};
