// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoints, found by name among the kernel's and the loaded modules'. One callback serves every
 * prototype: it takes twelve words, five from registers and seven from where stack arguments would
 * be, and the script's code uses those the tracepoint really has. Where it has fewer, the seven are
 * somebody's frame, or lie behind the end of the stack.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include "core/enter.h"
#include "probes/probes.h"

#define N_ARGS 12
#define N_REG_ARGS 5
#define N_STACK_ARGS (N_ARGS - N_REG_ARGS)

struct trace_point {
	struct tracepoint *tp;
	struct module *owner; /* kept loaded while we are attached; NULL for the kernel's */
	const struct stp_probe *probe;
	const struct stp_point *point;
};

struct trace_impl {
	u32 n;
	struct trace_point list[];
};

/* stack: what is above the callback's return address. A stack ends at the end of a page. */
static __always_inline void stack_args(unsigned long *args, const unsigned long *stack)
{
	unsigned long here = PAGE_SIZE - offset_in_page(stack);
	u32 i;

	if (unlikely(here < N_STACK_ARGS * sizeof(*args)) &&
	    copy_from_kernel_nofault(args, stack, N_STACK_ARGS * sizeof(*args))) {
		memset(args, 0, N_STACK_ARGS * sizeof(*args));
		memcpy(args, stack, here);
		return;
	}
	for (i = 0; i < N_STACK_ARGS; i++)
		args[i] = READ_ONCE_NOCHECK(stack[i]);
}

static void trace_hit(void *data, unsigned long a0, unsigned long a1, unsigned long a2,
		      unsigned long a3, unsigned long a4)
{
	unsigned long args[N_ARGS] = { a0, a1, a2, a3, a4 };
	const struct trace_point *t = data;
	const struct stp_probe *p = t->probe;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(p, &flags);

	if (!cpu)
		return;
	/* above the saved frame pointer and the return address */
	stack_args(args + N_REG_ARGS, (unsigned long *)__builtin_frame_address(0) + 2);
	cpu->c.args = args;
	cpu->c.user = (void *)t->point;
	stp_run(cpu, p);
	stp_leave(cpu, flags);
}

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
	struct search s = { .name = p->points[i].symbol };
	int err;

	s.tp = stp_tracepoint_find(s.name);
	if (!s.tp)
		search_modules(&s);
	if (!s.tp)
		return stp_point_failed(p, i, -ENOENT, "no such tracepoint");
	t->tp = s.tp;
	t->owner = s.owner;
	t->probe = p;
	t->point = &p->points[i];
	err = tracepoint_probe_register(t->tp, (void *)trace_hit, t);
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
		err = trace_arm_point(impl, p, i);
	return err;
}

static void trace_disarm(struct stp_probe *p)
{
	struct trace_impl *impl = p->impl;
	u32 i;

	if (!impl->n)
		return;
	for (i = 0; i < impl->n; i++)
		tracepoint_probe_unregister(impl->list[i].tp, (void *)trace_hit, &impl->list[i]);
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
	.prepare = trace_prepare,
	.release = trace_release,
	.arm = trace_arm,
	.disarm = trace_disarm,
	.attached = trace_attached,
};
