// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf probes of a process: the event is counted on every CPU, whoever causes it, and what it finds
 * at work decides. So the share of the hits that a process has is the share of the events that it
 * caused.
 */
#include "probes/probes.h"
#include "probes/scope.h"

static int perf_process_arm(struct stp_probe *p)
{
	const char *why = stp_scope_refused(p->points);

	return why ? stp_point_failed(p, 0, -ESRCH, why)
		   : stp_perf_arm(p, stp_scope_admits_current);
}

STP_FAMILY(stp_family_perf_process) = {
	.type = "perf",
	.prepare = stp_percpu_events_prepare,
	.release = stp_percpu_events_release,
	.arm = perf_process_arm,
	.disarm = stp_percpu_events_disarm,
	.attached = stp_percpu_events_attached,
};
