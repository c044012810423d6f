// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Returns by one ftrace_ops over many points and one pool of the kernel's nodes of hooked calls,
 * which is that of a kretprobe on a function of our own that is never armed (compat/rethook.h). For
 * kernels that have rethook and no fprobe of use.
 */
#include "probes/entry.h"
#include "probes/return.h"

#ifdef STP_HAVE_RETHOOK
/* What a node keeps of a call. */
struct hooked_call {
	unsigned long addr; /* of the function's ftrace call */
	struct stp_call call;
};

static struct stp_return_ftrace *owner_of(struct kretprobe *pool)
{
	return container_of(pool, struct stp_return_ftrace, rethook.pool);
}

/* What the kretprobe is registered on. */
static noinline void pool_anchor(void)
{
	barrier();
}

/*
 * Called by the kretprobe's pre_handler, with the node that it took. Non-zero: the call is not
 * hooked.
 */
static int node_taken(struct kretprobe_instance *node, struct pt_regs *regs)
{
	struct stp_return *r = owner_of(get_kretprobe(node))->of;
	struct hooked_call *hooked = (struct hooked_call *)node->data;
	struct stp_cpu *cpu = __this_cpu_read(stp_this_cpu); /* entry_hit() has entered */

	cpu->hooked = 1;
	hooked->addr = cpu->c.point_addr;
	return stp_return_has_calls(r->probe) ? stp_return_entered(r, cpu, &hooked->call) : 0;
}

/* Hook this call; no node is free when node_taken() is not called. */
static void hook(struct stp_return_ftrace *f, struct stp_cpu *cpu, struct pt_regs *regs)
{
	struct kretprobe *pool = &f->rethook.pool;
	const struct stp_probe *p = f->of->probe;
	const struct stp_point *point;

	cpu->hooked = 0;
	pool->kp.pre_handler(&pool->kp, regs);
	if (likely(cpu->hooked))
		return;
	point = stp_addresses_point(&f->addresses, p, cpu->c.point_addr);
	if (point)
		stp_point_missed(p, point - p->points, 1);
}

static void entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		      STP_FTRACE_REGS *fregs)
{
	struct stp_return_ftrace *f = container_of(op, struct stp_return_ftrace, rethook.ops);
	const struct stp_probe *p = f->of->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter_ftrace(p, ip, parent_ip, fregs, &flags);

	if (!cpu)
		return;
	if (!stp_unwatched(cpu, p))
		hook(f, cpu, (struct pt_regs *)fregs);
	stp_leave(cpu, flags);
}

/*
 * In the place of the kretprobe's own, which would make the kernel take us for a running kprobe,
 * and forget one that we interrupt.
 */
static void return_hit(struct rethook_node *node, void *data, struct pt_regs *regs)
{
	struct stp_return *r = owner_of(data)->of;
	struct hooked_call *hooked =
		(void *)container_of(node, struct kretprobe_instance, node)->data;
	const struct stp_probe *p = r->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (cpu) {
		cpu->c.regs = (struct stp_regs *)regs;
		cpu->c.point_addr = hooked->addr;
	}
	/* where RCU does not watch no handler runs, but what the call had saved is given back */
	stp_return_left(r, cpu && !stp_unwatched(cpu, p) ? cpu : NULL,
			stp_return_has_calls(p) ? &hooked->call : NULL);
	if (cpu)
		stp_leave(cpu, flags);
}

static int pool_init(struct kretprobe *pool, const struct stp_probe *p)
{
	int err;

	memset(pool, 0, sizeof(*pool));
	pool->kp.addr = (kprobe_opcode_t *)pool_anchor;
	pool->kp.flags = KPROBE_FLAG_DISABLED;
	pool->entry_handler = node_taken;
	pool->data_size = offsetof(struct hooked_call, call) + stp_return_call_size(p);
	pool->maxactive = stp_return_max_active_all(p);
	err = register_kretprobe(pool);
	if (!err)
		rcu_assign_pointer(pool->rh->handler, (void *)return_hit);
	return err;
}

static int rethook_can(const struct stp_probe *p)
{
	return STP_RETHOOK_KNOWN;
}

static int rethook_attach(struct stp_return_ftrace *f, unsigned long *locations, u32 n)
{
	struct ftrace_ops *ops = &f->rethook.ops;
	int err = pool_init(&f->rethook.pool, f->of->probe);

	if (err)
		return err;
	memset(ops, 0, sizeof(*ops));
	ops->func = entry_hit;
	ops->flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT | STP_FTRACE_FLAGS;
	err = ftrace_set_filter_ips(ops, locations, n, 0, 0) ?: register_ftrace_function(ops);
	if (err) {
		stp_ftrace_free_filter(ops);
		unregister_kretprobe(&f->rethook.pool);
	}
	return err;
}

/* Calls that are on their way return through the kernel's trampoline, which frees their nodes. */
static bool rethook_detach(struct stp_return_ftrace *f)
{
	if (!stp_ftrace_unregister(&f->rethook.ops))
		return false;
	unregister_kretprobe(&f->rethook.pool); /* waits for returns that are in our handler */
	return true;
}

const struct stp_return_way stp_return_rethook = {
	.can = rethook_can,
	.attach = rethook_attach,
	.detach = rethook_detach,
};
#endif
