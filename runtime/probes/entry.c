// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The family of function entries: one attachment to all points that ftrace knows, a kprobe each for
 * the others. Without ftrace in this kernel all get a kprobe. Those a wildcard found do without,
 * see stp_wild_leave_out().
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "probes/entry.h"

struct entry_impl {
	struct stp_entry_ftrace ftrace;
	struct stp_kprobes fallback;
	u32 left_out;          /* points */
	unsigned long addrs[]; /* by point; what the fallback has to do */
};

/* What a failure leaves behind is for entry_release(). Nothing is taken at arming. */
static int entry_prepare(struct stp_probe *p)
{
	struct entry_impl *impl;

	impl = kvzalloc(struct_size(impl, addrs, p->n_points), GFP_KERNEL);
	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	return stp_entry_ftrace_init(&impl->ftrace, p->n_points);
}

static void entry_release(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;

	if (!impl)
		return;
	stp_entry_ftrace_exit(&impl->ftrace);
	kvfree(impl);
	p->impl = NULL;
}

static int entry_arm(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;
	int err = stp_resolve(p, impl->addrs);

	if (!err)
		err = stp_entry_ftrace_arm(&impl->ftrace, p, impl->addrs);
	if (err)
		return err;
	impl->left_out = stp_wild_leave_out(p, impl->addrs, impl->ftrace.known, impl->ftrace.n);
	if (impl->ftrace.n + impl->left_out < impl->ftrace.addresses.n)
		return stp_kprobes_arm(&impl->fallback, p, impl->addrs);
	return 0;
}

static void entry_disarm(struct stp_probe *p)
{
	struct entry_impl *impl = p->impl;

	stp_entry_ftrace_disarm(&impl->ftrace);
	stp_kprobes_disarm(&impl->fallback);
}

static u32 entry_attached(const struct stp_probe *p)
{
	const struct entry_impl *impl = p->impl;

	return impl->ftrace.n + impl->fallback.n;
}

static u32 entry_left_out(const struct stp_probe *p)
{
	const struct entry_impl *impl = p->impl;

	return impl->left_out;
}

static const struct stp_point *entry_point(const struct stp_probe *p, unsigned long addr)
{
	const struct entry_impl *impl = p->impl;

	return stp_addresses_point(&impl->ftrace.addresses, p, addr);
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
