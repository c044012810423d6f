// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.data probes: the address is watched on every CPU, whoever runs there, and who touches it decides: threads and descendants
 * of the target need no breakpoint of their own, and there is none to be made when one begins.
 */
#include "probes/probes.h"
#include "probes/scope.h"

static int watch_process_arm(struct stp_probe *p)
{
	const char *why = stp_scope_refused(p->points);

	if (!why && p->points->data.addr >= TASK_SIZE_MAX)
		return stp_point_failed(p, 0, -EINVAL, "no program has anything at that address");
	return why ? stp_point_failed(p, 0, -ESRCH, why)
		   : stp_watch_arm(p, stp_scope_admits_current);
}

const struct stp_family stp_family_data_process = {
	.type = "hwbkpt",
	.prepare = stp_percpu_events_prepare,
	.release = stp_percpu_events_release,
	.arm = watch_process_arm,
	.disarm = stp_percpu_events_disarm,
	.attached = stp_percpu_events_attached,
};
