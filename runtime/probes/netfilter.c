// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netfilter probes: a hook in the initial network namespace, whose handler may say what becomes of
 * the packet. Runs in process or softirq context, or in hardirq where a driver sends.
 */
#include <linux/netfilter.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include "core/enter.h"
#include "probes/probes.h"
#include "tapset/functions.h"

struct netfilter_impl {
	struct nf_hook_ops ops;
	int armed;
};

static unsigned int netfilter_hit(void *priv, struct sk_buff *skb,
				  const struct nf_hook_state *state)
{
	const struct stp_probe *p = priv;
	unsigned long args[STP_NETFILTER_WORDS] = {
		[STP_NETFILTER_HOOK] = state->hook,
		[STP_NETFILTER_SKB] = (unsigned long)skb,
		[STP_NETFILTER_IN] = (unsigned long)state->in,
		[STP_NETFILTER_OUT] = (unsigned long)state->out,
	};
	unsigned int verdict = NF_ACCEPT;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return NF_ACCEPT;
	cpu->c.point = p->points;
	cpu->c.args = args;
	cpu->event = &verdict;
	stp_run(cpu, p);
	stp_leave(cpu, flags);
	return verdict;
}

static int netfilter_prepare(struct stp_probe *p)
{
	const struct stp_netfilter_attach *at = &p->points->netfilter;
	struct netfilter_impl *impl = kzalloc(sizeof(*impl), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->ops.hook = netfilter_hit;
	impl->ops.priv = p;
	impl->ops.pf = at->family;
	impl->ops.hooknum = at->hook;
	impl->ops.priority = at->priority;
	return 0;
}

static void netfilter_release(struct stp_probe *p)
{
	kfree(p->impl);
	p->impl = NULL;
}

/* The kernel answers for a family that it is built without with a WARN. */
static int family_is_built(u32 family)
{
	switch (family) {
	case NFPROTO_IPV4:
		return IS_ENABLED(CONFIG_INET);
	case NFPROTO_IPV6:
		return IS_ENABLED(CONFIG_IPV6);
	case NFPROTO_ARP:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_ARP);
	case NFPROTO_BRIDGE:
		return IS_ENABLED(CONFIG_NETFILTER_FAMILY_BRIDGE);
	}
	return 0;
}

static int netfilter_arm(struct stp_probe *p)
{
	struct netfilter_impl *impl = p->impl;
	int err;

	if (!family_is_built(impl->ops.pf))
		return stp_point_failed(p, 0, -EAFNOSUPPORT,
					"the kernel has no hooks of this protocol family");
	err = nf_register_net_hook(&init_net, &impl->ops);
	if (err)
		return stp_point_failed(p, 0, err, "the kernel refuses the hook");
	WRITE_ONCE(impl->armed, 1);
	return 0;
}

/* Waits for packets that are on their way through it. */
static void netfilter_disarm(struct stp_probe *p)
{
	struct netfilter_impl *impl = p->impl;

	if (!impl || !impl->armed)
		return;
	nf_unregister_net_hook(&init_net, &impl->ops);
	synchronize_net();
	WRITE_ONCE(impl->armed, 0);
}

static u32 netfilter_attached(const struct stp_probe *p)
{
	const struct netfilter_impl *impl = p->impl;

	return impl && READ_ONCE(impl->armed);
}

STP_FAMILY(stp_family_netfilter) = {
	.type = "netfilter",
	.prepare = netfilter_prepare,
	.release = netfilter_release,
	.arm = netfilter_arm,
	.disarm = netfilter_disarm,
	.attached = netfilter_attached,
};

/* ---- $verdict ---- */

static unsigned int *verdict_of(struct stp_ctx *c)
{
	if (c->probe->family == &stp_family_netfilter)
		return stp_cpu_of(c)->event;
	stp_error(c, "there is no $verdict: this is another kind of probe");
	return NULL;
}

/**
 * stp_fn_netfilter_verdict - $verdict
 *
 * Context: the handler of a netfilter probe; another raises an error.
 */
stp_long stp_fn_netfilter_verdict(struct stp_ctx *c)
{
	const unsigned int *verdict = verdict_of(c);

	return verdict ? *verdict : 0;
}

/**
 * stp_fn_netfilter_set_verdict - $verdict =
 *
 * Those that nf_hook_slow() knows: drop, accept, stolen, and queue with its number above. It warns
 * of others.
 *
 * Context: the handler of a netfilter probe; another raises an error.
 */
stp_long stp_fn_netfilter_set_verdict(struct stp_ctx *c, stp_long verdict)
{
	unsigned int *ret = verdict_of(c);

	if (!ret)
		return 0;
	if ((verdict & NF_VERDICT_MASK) > NF_QUEUE || verdict != (u32)verdict)
		stp_errorf(c, "%lld is no verdict about a packet", verdict);
	else
		*ret = verdict;
	return verdict;
}
