// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints, found by name among the kernel's, and those of modules as they come and until they
 * go: the kernel's own notifier of modules with tracepoints (kernel/tracepoint.c) tells of those
 * that are loaded when it is registered, then of each before its init runs, and of each that goes
 * while its tracepoints can still be left. As the kernel's own raw tracepoints have it
 * (bpf_trace_run1() and its like, kernel/trace/bpf_trace.c), there is one callback for each number
 * of arguments. A handler is given those it reads, and the ones before them; each is at most a
 * word, so a callback with the first words of the prototype has its calling convention.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "core/enter.h"
#include "probes/probes.h"

struct trace_point {
	struct tracepoint *tp; /* NULL: not attached */
	const struct stp_probe *probe;
	const struct stp_point *point;
	void *callback;
};

/* What concerns points in modules is written in the notifier, whose calls the kernel orders. */
struct trace_impl {
	const struct stp_probe *probe;
	u32 n_kernel, n_modules; /* attached */
	struct notifier_block follower;
	int following;
	int arming;                /* a point that cannot be attached fails the probe */
	int err;                   /* and did */
	struct trace_point list[]; /* by point */
};

/*
 * args: on the stack of the hit, good while the handler runs. Context: that of the
 * tracepoint, any.
 */
static __always_inline void trace_hit(const struct trace_point *t, const unsigned long *args)
{
	const struct stp_probe *p = t->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	cpu->c.args = args;
	cpu->c.point = t->point;
	stp_run(cpu, p);
	stp_leave(cpu, flags);
}

/* As many as BPF takes. PARAMS_n: parameters; ARGS_n: the same as values. */
#define PARAMS_1 unsigned long a0
#define PARAMS_2 PARAMS_1, unsigned long a1
#define PARAMS_3 PARAMS_2, unsigned long a2
#define PARAMS_4 PARAMS_3, unsigned long a3
#define PARAMS_5 PARAMS_4, unsigned long a4
#define PARAMS_6 PARAMS_5, unsigned long a5
#define PARAMS_7 PARAMS_6, unsigned long a6
#define PARAMS_8 PARAMS_7, unsigned long a7
#define PARAMS_9 PARAMS_8, unsigned long a8
#define PARAMS_10 PARAMS_9, unsigned long a9
#define PARAMS_11 PARAMS_10, unsigned long a10
#define PARAMS_12 PARAMS_11, unsigned long a11
#define ARGS_1 a0
#define ARGS_2 ARGS_1, a1
#define ARGS_3 ARGS_2, a2
#define ARGS_4 ARGS_3, a3
#define ARGS_5 ARGS_4, a4
#define ARGS_6 ARGS_5, a5
#define ARGS_7 ARGS_6, a6
#define ARGS_8 ARGS_7, a7
#define ARGS_9 ARGS_8, a8
#define ARGS_10 ARGS_9, a9
#define ARGS_11 ARGS_10, a10
#define ARGS_12 ARGS_11, a11

#define TRACE_HIT(n)                                                                               \
	static void trace_hit_##n(void *data, PARAMS_##n)                                          \
	{                                                                                          \
		const unsigned long args[] = { ARGS_##n };                                         \
                                                                                                   \
		trace_hit(data, args);                                                             \
	}

static void trace_hit_0(void *data)
{
	trace_hit(data, NULL);
}

TRACE_HIT(1)
TRACE_HIT(2)
TRACE_HIT(3)
TRACE_HIT(4)
TRACE_HIT(5)
TRACE_HIT(6)
TRACE_HIT(7)
TRACE_HIT(8)
TRACE_HIT(9)
TRACE_HIT(10)
TRACE_HIT(11)
TRACE_HIT(12)

/* By number of arguments. */
static void *const callbacks[] = {
	trace_hit_0,  trace_hit_1,  trace_hit_2,  trace_hit_3, trace_hit_4,
	trace_hit_5,  trace_hit_6,  trace_hit_7,  trace_hit_8, trace_hit_9,
	trace_hit_10, trace_hit_11, trace_hit_12,
};
static_assert(ARRAY_SIZE(callbacks) == STP_TRACE_ARGS_MAX + 1);

/* A point that cannot be attached. When a module comes later, there is nothing left to fail. */
static int refuse(struct trace_impl *impl, u32 i, int err, const char *why)
{
	const struct stp_point *point = &impl->probe->points[i];

	if (impl->arming || point->flags & STP_POINT_WILD)
		return stp_point_failed(impl->probe, i, err, why);
	stp_control_warn("probe %s: %s (rc %d)", point->pp, why, err);
	return 0;
}

/* Attaches point I to TP. */
static int attach(struct trace_impl *impl, u32 i, struct tracepoint *tp, u32 *n)
{
	struct trace_point *t = &impl->list[i];
	u32 n_args = impl->probe->points[i].tracepoint.n_args;
	int err;

	if (n_args >= ARRAY_SIZE(callbacks))
		return refuse(impl, i, -E2BIG, "the tracepoint has too many arguments");
	t->probe = impl->probe;
	t->point = &impl->probe->points[i];
	t->callback = callbacks[n_args];
	err = tracepoint_probe_register(tp, t->callback, t);
	if (err)
		return refuse(impl, i, err, "the kernel refuses to attach to the tracepoint");
	t->tp = tp;
	WRITE_ONCE(*n, *n + 1);
	return 0;
}

/* The caller waits before what the point was attached to goes, or what it points to. */
static void detach(struct trace_impl *impl, u32 i, u32 *n)
{
	struct trace_point *t = &impl->list[i];

	if (!t->tp)
		return;
	tracepoint_probe_unregister(t->tp, t->callback, t);
	t->tp = NULL;
	WRITE_ONCE(*n, *n - 1);
}

static struct tracepoint *find_in(const struct module *mod, const char *name)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, name))
			return tp;
	}
	return NULL;
}

/* Attaches point I, which names MOD. Context: as module_event(). */
static int attach_in(struct trace_impl *impl, const struct module *mod, u32 i)
{
	const struct stp_tracepoint_attach *at = &impl->probe->points[i].tracepoint;
	struct tracepoint *tp;

	if (!stp_module_is(mod, &stp_script.objects[at->object]))
		return refuse(impl, i, -ENOEXEC,
			      "the module loaded is not the one this script was compiled for");
	tp = find_in(mod, at->name);
	return tp ? attach(impl, i, tp, &impl->n_modules)
		  : refuse(impl, i, -ENOENT, "no such tracepoint");
}

/*
 * All points in MOD. Context: process, may sleep; under the kernel's mutex of modules with
 * tracepoints.
 */
static int module_event(struct notifier_block *nb, unsigned long what, void *data)
{
	struct trace_impl *impl = container_of(nb, struct trace_impl, follower);
	const struct module *mod = ((struct tp_module *)data)->mod;
	u32 i, before = impl->n_modules;

	for (i = 0; i < impl->probe->n_points; i++) {
		const char *module = impl->probe->points[i].module;

		if (!module || strcmp(module, mod->name))
			continue;
		if (what == MODULE_STATE_GOING)
			detach(impl, i, &impl->n_modules);
		else if (what == MODULE_STATE_COMING && !impl->list[i].tp && !impl->err)
			impl->err = attach_in(impl, mod, i);
	}
	if (impl->n_modules < before)
		tracepoint_synchronize_unregister();
	return NOTIFY_OK;
}

static int trace_prepare(struct stp_probe *p)
{
	struct trace_impl *impl = kvzalloc(struct_size(impl, list, p->n_points), GFP_KERNEL);

	p->impl = impl;
	if (!impl)
		return -ENOMEM;
	impl->probe = p;
	impl->follower.notifier_call = module_event;
	return 0;
}

static void trace_release(struct stp_probe *p)
{
	kvfree(p->impl);
	p->impl = NULL;
}

static int arm_in_kernel(struct trace_impl *impl, u32 i)
{
	struct tracepoint *tp = stp_tracepoint_find(impl->probe->points[i].tracepoint.name);

	return tp ? attach(impl, i, tp, &impl->n_kernel)
		  : refuse(impl, i, -ENOENT, "no such tracepoint");
}

/* Has it points in modules? Then those that are loaded are dealt with at once. */
static int arm_in_modules(struct trace_impl *impl)
{
	int err = 0;
	u32 i;

	for (i = 0; i < impl->probe->n_points && !impl->following; i++)
		impl->following = !!impl->probe->points[i].module;
	if (impl->following)
		err = register_tracepoint_module_notifier(&impl->follower);
	if (err)
		impl->following = 0;
	return err ? err : impl->err;
}

static int trace_arm(struct stp_probe *p)
{
	struct trace_impl *impl = p->impl;
	int err = 0;
	u32 i;

	impl->arming = 1;
	impl->err = 0;
	for (i = 0; i < p->n_points && !err; i++)
		if (!p->points[i].module)
			err = stp_session_ending() ? -EINTR : arm_in_kernel(impl, i);
	if (!err)
		err = arm_in_modules(impl);
	impl->arming = 0;
	return err;
}

/* The notifier is called for each module once more when it is taken away. */
static void trace_disarm(struct stp_probe *p)
{
	struct trace_impl *impl = p->impl;
	u32 i;

	if (impl->following)
		unregister_tracepoint_module_notifier(&impl->follower);
	impl->following = 0;
	if (!impl->n_kernel)
		return;
	for (i = 0; i < p->n_points; i++)
		if (!p->points[i].module)
			detach(impl, i, &impl->n_kernel);
	tracepoint_synchronize_unregister();
}

static u32 trace_attached(const struct stp_probe *p)
{
	const struct trace_impl *impl = p->impl;

	return READ_ONCE(impl->n_kernel) + READ_ONCE(impl->n_modules);
}

STP_FAMILY(stp_family_tracepoint) = {
	.type = "tracepoint",
	.follows_modules = 1,
	.prepare = trace_prepare,
	.release = trace_release,
	.arm = trace_arm,
	.disarm = trace_disarm,
	.attached = trace_attached,
};
