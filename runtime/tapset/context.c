// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of what size things are where the probe hit.
 *
 * Context: any handler.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched/task_stack.h>
#include "access/access.h"
#include "arch/arch.h"
#include "compat/module.h"
#include "tapset/functions.h"

stp_long stp_fn_arch_bytes(struct stp_ctx *c)
{
	return sizeof(long);
}

stp_long stp_fn_probing_32bit_app(struct stp_ctx *c)
{
	return stp_arch_is_32bit(stp_task(c));
}

stp_long stp_fn_stack_size(struct stp_ctx *c)
{
	return THREAD_SIZE;
}

/*
 * From here to the task's first frame; of an interrupt's stack nothing counts, the task's is not
 * the one in use then.
 */
stp_long stp_fn_stack_used(struct stp_ctx *c)
{
	unsigned long here = (unsigned long)__builtin_frame_address(0);
	unsigned long end = (unsigned long)task_stack_page(current) + THREAD_SIZE;

	return here < end && end - here < THREAD_SIZE ? end - here : 0;
}

struct stp_str stp_fn_module_size(struct stp_ctx *c)
{
	struct stp_module_sizes sizes = stp_module_sizes(THIS_MODULE);
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_printf(&t, "%uKiB text, %uKiB rodata, %uKiB data", DIV_ROUND_UP(sizes.text, 1024),
			DIV_ROUND_UP(sizes.rodata, 1024), DIV_ROUND_UP(sizes.data, 1024));
	return stp_text_end(c, &t);
}
