// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints, found by name among the kernel's and the loaded modules'. As the kernel's own raw
 * tracepoints have it (bpf_trace_run1() and its like, kernel/trace/bpf_trace.c), there is one callback
 * for each number of arguments. The translator knows the number from BTF; each argument is at most a
 * word, so a callback with as many words has the prototype's calling convention.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include "core/enter.h"
#include "probes/probes.h"

struct trace_point {
	struct tracepoint *tp;
	struct module *owner; /* kept loaded while we are attached; NULL for the kernel's */
	const struct stp_probe *probe;
	const struct stp_point *point;
	void *callback;
};

struct trace_impl {
	u32 n;
	struct trace_point list[];
};

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

/* What a walk over tracepoints looks for and finds. */
struct search {
	const char *name;
	struct tracepoint *tp;
	struct module *owner;
};

static void search_kernel(struct tracepoint *tp, void *data)
{
	struct search *s = data;

	if (!s->tp && !strcmp(tp->name, s->name))
		s->tp = tp;
}

/**
 * stp_tracepoint_find - the kernel's own tracepoint of that name, or NULL
 *
 * Walks all of them; those of modules are not among them. Context: process.
 */
struct tracepoint *stp_tracepoint_find(const char *name)
{
	struct search s = { .name = name };

	for_each_kernel_tracepoint(search_kernel, &s);
	return s.tp;
}

#ifdef CONFIG_MODULES
static struct search *module_search;

/* Called for each loaded module that has tracepoints when the notifier is registered. */
static int search_module(struct notifier_block *nb, unsigned long what, void *data)
{
	struct tp_module *m = data;
	struct search *s = module_search;
	int i;

	if (what != MODULE_STATE_COMING || s->tp)
		return NOTIFY_OK;
	for (i = 0; i < m->mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&m->mod->tracepoints_ptrs[i]);

		if (strcmp(tp->name, s->name) || !try_module_get(m->mod))
			continue;
		s->tp = tp;
		s->owner = m->mod;
		break;
	}
	return NOTIFY_OK;
}

static void search_modules(struct search *s)
{
	static struct notifier_block nb = { .notifier_call = search_module };

	module_search = s;
	if (!register_tracepoint_module_notifier(&nb))
		unregister_tracepoint_module_notifier(&nb);
}
#else
static void search_modules(struct search *s)
{
}
#endif

static int trace_prepare(struct stp_probe *p)
{
	struct trace_impl *impl = kvzalloc(struct_size(impl, list, p->n_points), GFP_KERNEL);

	p->impl = impl;
	return impl ? 0 : -ENOMEM;
}

static void trace_release(struct stp_probe *p)
{
	kvfree(p->impl);
	p->impl = NULL;
}

static int trace_arm_point(struct trace_impl *impl, const struct stp_probe *p, u32 i)
{
	struct trace_point *t = &impl->list[impl->n];
	u32 n_args = p->points[i].tracepoint.n_args;
	struct search s = { .name = p->points[i].tracepoint.name };
	int err;

	if (n_args >= ARRAY_SIZE(callbacks))
		return stp_point_failed(p, i, -E2BIG, "the tracepoint has too many arguments");
	s.tp = stp_tracepoint_find(s.name);
	if (!s.tp)
		search_modules(&s);
	if (!s.tp)
		return stp_point_failed(p, i, -ENOENT, "no such tracepoint");
	t->tp = s.tp;
	t->owner = s.owner;
	t->probe = p;
	t->point = &p->points[i];
	t->callback = callbacks[n_args];
	err = tracepoint_probe_register(t->tp, t->callback, t);
	if (!err) {
		impl->n++;
		return 0;
	}
	module_put(t->owner);
	return stp_point_failed(p, i, err, "the kernel refuses to attach to the tracepoint");
}

static int trace_arm(struct stp_probe *p)
{
	struct trace_impl *impl = p->impl;
	int err = 0;
	u32 i;

	for (i = 0; i < p->n_points && !err; i++)
		err = stp_session_ending() ? -EINTR : trace_arm_point(impl, p, i);
	return err;
}

static void trace_disarm(struct stp_probe *p)
{
	struct trace_impl *impl = p->impl;
	u32 i;

	if (!impl->n)
		return;
	for (i = 0; i < impl->n; i++)
		tracepoint_probe_unregister(impl->list[i].tp, impl->list[i].callback,
					    &impl->list[i]);
	tracepoint_synchronize_unregister();
	for (i = 0; i < impl->n; i++)
		module_put(impl->list[i].owner);
	impl->n = 0;
}

static u32 trace_attached(const struct stp_probe *p)
{
	const struct trace_impl *impl = p->impl;

	return impl->n;
}

const struct stp_family stp_family_tracepoint = {
	.type = "tracepoint",
	.prepare = trace_prepare,
	.release = trace_release,
	.arm = trace_arm,
	.disarm = trace_disarm,
	.attached = trace_attached,
};
