// SPDX-License-Identifier: GPL-2.0-or-later
/* perf probes: a performance event on every CPU. */
#include <linux/perf_event.h>
#include "probes/probes.h"

static int perf_arm(struct stp_probe *p)
{
	const struct stp_perf_attach *at = &p->points->perf;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = at->type,
		.config = at->config,
		.freq = at->by_rate,
	};
	int err;

	if (at->by_rate)
		attr.sample_freq = at->sample;
	else
		attr.sample_period = at->sample;
	err = stp_percpu_events_arm(p, &attr);
	if (err == -ENOENT || err == -EOPNOTSUPP)
		return stp_point_failed(p, 0, err, "this machine has no such event");
	return err ? stp_point_failed(p, 0, err, "the kernel refuses the event") : 0;
}

const struct stp_family stp_family_perf = {
	.type = "perf",
	.prepare = stp_percpu_events_prepare,
	.release = stp_percpu_events_release,
	.arm = perf_arm,
	.disarm = stp_percpu_events_disarm,
	.attached = stp_percpu_events_attached,
};
