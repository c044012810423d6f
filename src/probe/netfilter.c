/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netfilter: packets at a hook of a protocol family. Names are those of the kernel's headers:
 * include/uapi/linux/netfilter.h, netfilter_ipv4.h, netfilter_ipv6.h, netfilter_arp.h and
 * netfilter_bridge.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/similar.h"
#include "probe/families.h"
#include "probe/point.h"
#include "runtime/uapi/points.h"

/*
 * A name and what it stands for. Lists end with a row without a name; values are the kernel's, and
 * part of its user ABI.
 */
struct number {
	const char *name;
	int32_t value;
};

/*
 * enum nf_inet_hooks of linux/netfilter.h; NF_IP_ and NF_IP6_ are older names of the same numbers.
 */
static const struct number inet_hooks[] = {
	{ "NF_INET_PRE_ROUTING", 0 },  { "NF_INET_LOCAL_IN", 1 },
	{ "NF_INET_FORWARD", 2 },      { "NF_INET_LOCAL_OUT", 3 },
	{ "NF_INET_POST_ROUTING", 4 }, { "NF_IP_PRE_ROUTING", 0 },
	{ "NF_IP_LOCAL_IN", 1 },       { "NF_IP_FORWARD", 2 },
	{ "NF_IP_LOCAL_OUT", 3 },      { "NF_IP_POST_ROUTING", 4 },
	{ "NF_IP6_PRE_ROUTING", 0 },   { "NF_IP6_LOCAL_IN", 1 },
	{ "NF_IP6_FORWARD", 2 },       { "NF_IP6_LOCAL_OUT", 3 },
	{ "NF_IP6_POST_ROUTING", 4 },  { 0 },
};
/* linux/netfilter_arp.h, which has no enum of priorities. */
static const struct number arp_hooks[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, { 0 }
};
/* linux/netfilter_bridge.h */
static const struct number bridge_hooks[] = {
	{ "NF_BR_PRE_ROUTING", 0 }, { "NF_BR_LOCAL_IN", 1 },     { "NF_BR_FORWARD", 2 },
	{ "NF_BR_LOCAL_OUT", 3 },   { "NF_BR_POST_ROUTING", 4 }, { 0 },
};

/*
 * enum nf_ip_hook_priorities of linux/netfilter_ipv4.h and nf_ip6_hook_priorities of
 * linux/netfilter_ipv6.h
 */
static const struct number inet_priorities[] = {
	{ "NF_IP_PRI_FIRST", INT32_MIN },
	{ "NF_IP_PRI_RAW_BEFORE_DEFRAG", -450 },
	{ "NF_IP_PRI_CONNTRACK_DEFRAG", -400 },
	{ "NF_IP_PRI_RAW", -300 },
	{ "NF_IP_PRI_SELINUX_FIRST", -225 },
	{ "NF_IP_PRI_CONNTRACK", -200 },
	{ "NF_IP_PRI_MANGLE", -150 },
	{ "NF_IP_PRI_NAT_DST", -100 },
	{ "NF_IP_PRI_FILTER", 0 },
	{ "NF_IP_PRI_SECURITY", 50 },
	{ "NF_IP_PRI_NAT_SRC", 100 },
	{ "NF_IP_PRI_SELINUX_LAST", 225 },
	{ "NF_IP_PRI_CONNTRACK_HELPER", 300 },
	{ "NF_IP_PRI_CONNTRACK_CONFIRM", INT32_MAX },
	{ "NF_IP_PRI_LAST", INT32_MAX },
	{ "NF_IP6_PRI_FIRST", INT32_MIN },
	{ "NF_IP6_PRI_RAW_BEFORE_DEFRAG", -450 },
	{ "NF_IP6_PRI_CONNTRACK_DEFRAG", -400 },
	{ "NF_IP6_PRI_RAW", -300 },
	{ "NF_IP6_PRI_SELINUX_FIRST", -225 },
	{ "NF_IP6_PRI_CONNTRACK", -200 },
	{ "NF_IP6_PRI_MANGLE", -150 },
	{ "NF_IP6_PRI_NAT_DST", -100 },
	{ "NF_IP6_PRI_FILTER", 0 },
	{ "NF_IP6_PRI_SECURITY", 50 },
	{ "NF_IP6_PRI_NAT_SRC", 100 },
	{ "NF_IP6_PRI_SELINUX_LAST", 225 },
	{ "NF_IP6_PRI_CONNTRACK_HELPER", 300 },
	{ "NF_IP6_PRI_LAST", INT32_MAX },
	{ 0 },
};
/* enum nf_br_hook_priorities of linux/netfilter_bridge.h */
static const struct number bridge_priorities[] = {
	{ "NF_BR_PRI_FIRST", INT32_MIN },
	{ "NF_BR_PRI_NAT_DST_BRIDGED", -300 },
	{ "NF_BR_PRI_FILTER_BRIDGED", -200 },
	{ "NF_BR_PRI_BRNF", 0 },
	{ "NF_BR_PRI_NAT_DST_OTHER", 100 },
	{ "NF_BR_PRI_FILTER_OTHER", 200 },
	{ "NF_BR_PRI_NAT_SRC", 300 },
	{ "NF_BR_PRI_LAST", INT32_MAX },
	{ 0 },
};
static const struct number no_names[] = { { 0 } };

/* Protocol families, with the names that mean something there. */
static const struct family {
	const char *name;
	uint32_t number, n_hooks;
	const struct number *hooks, *priorities;
} families[] = {
	{ "NFPROTO_IPV4", 2, 5, inet_hooks, inet_priorities },
	{ "NFPROTO_IPV6", 10, 5, inet_hooks, inet_priorities },
	{ "NFPROTO_ARP", 3, 3, arp_hooks, no_names },
	{ "NFPROTO_BRIDGE", 7, 5, bridge_hooks, bridge_priorities },
	{ 0 },
};

/* A word that the runtime hands over (runtime/probes/netfilter.c). */
#define WORD(n)                                                                                    \
	{                                                                                          \
		&(struct fetch_insn){ .op = FETCH_TPARG, .number = (n) }, 1, 1                     \
	}

/*
 * What a hook is called with, as words. The verdict is the session's to give back, so it is kept by
 * the runtime, and setting it needs guru mode.
 */
static const struct probe_variable variables[] = {
	{ .name = "hooknum",
	  .ctype = "unsigned int",
	  .type = IR_LONG,
	  .load = WORD(STP_NETFILTER_HOOK),
	  .size = 8 },
	{ .name = "skb",
	  .ctype = "struct sk_buff*",
	  .type = IR_LONG,
	  .load = WORD(STP_NETFILTER_SKB),
	  .size = 8 },
	{ .name = "in",
	  .ctype = "struct net_device*",
	  .type = IR_LONG,
	  .load = WORD(STP_NETFILTER_IN),
	  .size = 8 },
	{ .name = "out",
	  .ctype = "struct net_device*",
	  .type = IR_LONG,
	  .load = WORD(STP_NETFILTER_OUT),
	  .size = 8 },
	{ .name = "verdict",
	  .ctype = "unsigned int",
	  .type = IR_LONG,
	  .is_local = true,
	  .guru = true,
	  .get = "_stp_netfilter_verdict",
	  .set = "_stp_netfilter_set_verdict" },
};

/*
 * Reports the component's text, which is none of the names at CANDIDATES, N of them; the hint has
 * those near it, else all. Always false, for the caller to return.
 */
static bool unknown(struct probe_env *env, const struct ast_component *c, const char *what,
		    const char *const *candidates, size_t n)
{
	struct diagnostic *d = diag_report(env->sink, DIAG_NETFILTER_NAME, c->param->span, what,
					   component_string(c));
	const char *near[5];
	size_t n_near = similar_names(component_string(c), candidates, n, near, 5);

	diag_set_hint(env->sink, d, "there is %s",
		      n_near ? similar_join(env->arena, near, n_near)
			     : similar_join(env->arena, candidates, n));
	return false;
}

/* NULL: reported, with names that are near. */
static const struct family *find_family(struct probe_env *env, const struct ast_component *c)
{
	const char *names[sizeof(families) / sizeof(families[0])];
	size_t n = 0;

	for (; families[n].name; n++) {
		if (!strcmp(families[n].name, component_string(c)))
			return &families[n];
		names[n] = families[n].name;
	}
	unknown(env, c, "protocol family", names, n);
	return NULL;
}

/* At least as many as the longest list above has rows. */
#define MAX_NAMES 32

/* By name, or as a number from LOW to HIGH. */
static bool find_number(struct probe_env *env, const struct ast_component *c, const char *what,
			const struct number *list, long long low, long long high, long long *ret)
{
	const char *text = component_string(c), *names[MAX_NAMES];
	size_t n = 0;
	char *end;

	*ret = strtoll(text, &end, 0);
	if (*text && !*end && *ret >= low && *ret <= high)
		return true;
	for (; list[n].name; n++) {
		names[n] = list[n].name;
		*ret = list[n].value;
		if (!strcmp(list[n].name, text))
			return true;
	}
	return unknown(env, c, what, names, n);
}

/*
 * One point; the order of hook and pf is the user's, so components are found by name. Without a
 * priority it is 0, as a filter's.
 */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct family *family = find_family(env, point_find(point, "pf"));
	const struct ast_component *priority = point_find(point, "priority");
	long long hook, order = 0;
	struct probe_point *p;

	if (!family ||
	    !find_number(env, point_find(point, "hook"), "hook", family->hooks, 0,
			 family->n_hooks - 1, &hook) ||
	    (priority && !find_number(env, priority, "priority", family->priorities, INT32_MIN,
				      INT32_MAX, &order)))
		return false;
	p = point_add(env, ret, point, &ir_kind_netfilter, point_text(env, point));
	p->row.optional = point->optional;
	p->row.attach.n_words = STP_NETFILTER_WORDS;
	p->row.attach.netfilter.family = family->number;
	p->row.attach.netfilter.hook = (uint32_t)hook;
	p->row.attach.netfilter.priority = (int32_t)order;
	p->variables = variables;
	p->n_variables = sizeof(variables) / sizeof(variables[0]);
	return true;
}

static const struct probe_pattern patterns[] = {
	{ "netfilter.hook(string).pf(string)", derive },
	{ "netfilter.hook(string).pf(string).priority(string)", derive },
	{ "netfilter.pf(string).hook(string)", derive },
	{ "netfilter.pf(string).hook(string).priority(string)", derive },
	{ 0 },
};

const struct probe_family probe_family_netfilter = { "netfilter", patterns };
