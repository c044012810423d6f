// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions of the runtime at tracepoints of the kernel, by name. On kernels without tracepoints
 * none is followed.
 */
#include <linux/tracepoint.h>
#include "probes/probes.h"

#ifndef CONFIG_TRACEPOINTS
#define for_each_kernel_tracepoint(visit, data) ((void)(visit), (void)(data))
#define tracepoint_probe_register(tp, callback, data) (-ENOENT)
#define tracepoint_probe_unregister(tp, callback, data) ((void)0)
#endif

/* What a walk over tracepoints looks for and finds. */
struct search {
	const char *name;
	struct tracepoint *tp;
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

/**
 * stp_trace_follow - have the callback called at the tracepoint
 * @h: name, callback and data are set; one that is followed already stays as it is
 *
 * Returns 0, -ENOENT when the kernel has no such tracepoint, or what it refuses with; then the hook
 * is not followed. Context: process, may sleep.
 */
int stp_trace_follow(struct stp_trace_hook *h)
{
	struct tracepoint *tp;
	int err;

	if (h->tp)
		return 0;
	tp = stp_tracepoint_find(h->name);
	err = tp ? tracepoint_probe_register(tp, h->callback, h->data) : -ENOENT;
	if (!err)
		h->tp = tp;
	return err;
}

/**
 * stp_trace_leave - the end of it, for several with one wait
 * @hooks: left in their order; those that are not followed are none of it
 *
 * Afterwards no callback of theirs runs. Harmless when none is followed. Context: process, may
 * sleep.
 */
void stp_trace_leave(struct stp_trace_hook *hooks, u32 n)
{
	u32 i, left = 0;

	for (i = 0; i < n; i++) {
		if (!hooks[i].tp)
			continue;
		tracepoint_probe_unregister(hooks[i].tp, hooks[i].callback, hooks[i].data);
		hooks[i].tp = NULL;
		left++;
	}
	if (left)
		tracepoint_synchronize_unregister();
}
