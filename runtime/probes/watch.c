// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watched memory: a hardware breakpoint on every CPU, as a performance event. The family here is
 * kernel.data; process.data is in watch_process.c.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include "probes/probes.h"

/**
 * stp_watch_arm - watch what the point of a probe says
 * @admits: as of stp_percpu_events_arm()
 *
 * Context: process, may sleep; the lock of arming is held.
 */
int stp_watch_arm(struct stp_probe *p, int (*admits)(const struct stp_point *point))
{
	const struct stp_data_attach *at = &p->points->data;
	struct perf_event_attr attr;
	int err = at->linked ? stp_kernel_slide_find() : 0;

	if (!STP_WATCHPOINTS)
		return stp_point_failed(p, 0, -EOPNOTSUPP,
					"this kernel cannot go on behind a watched access");
	if (err)
		return stp_point_failed(p, 0, err, "where the kernel is could not be found out");
	hw_breakpoint_init(&attr);
	attr.bp_addr = at->linked ? stp_kernel_address(at->addr) : at->addr;
	attr.bp_len = at->length;
	attr.bp_type = at->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	err = stp_percpu_events_arm(p, &attr, admits);
	if (err == -ENOSPC)
		return stp_point_failed(p, 0, err, "all watchpoints of the processor are taken");
	if (err == -EINVAL)
		return stp_point_failed(
			p, 0, err,
			admits ? "the processor cannot watch it: it is no multiple of its length"
			       : "the processor cannot watch it: it is no kernel address, or no multiple of its length");
	return err ? stp_point_failed(p, 0, err, "the kernel refuses to watch it") : 0;
}

static int watch_arm(struct stp_probe *p)
{
	return stp_watch_arm(p, NULL);
}

STP_FAMILY(stp_family_data) = {
	.type = "hwbkpt",
	.prepare = stp_percpu_events_prepare,
	.release = stp_percpu_events_release,
	.arm = watch_arm,
	.disarm = stp_percpu_events_disarm,
	.attached = stp_percpu_events_attached,
};
