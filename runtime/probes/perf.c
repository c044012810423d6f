// SPDX-License-Identifier: GPL-2.0-or-later
/* perf probes: a performance event on every CPU. */
#include <linux/perf_event.h>
#include "probes/probes.h"

/**
 * stp_perf_arm - the event of a probe's point on every CPU
 * @admits: as of stp_percpu_events_arm()
 *
 * Returns 0, or negative with stp_arm_text filled. Context: process, may sleep.
 */
int stp_perf_arm(struct stp_probe *p, int (*admits)(const struct stp_point *point))
{
	const struct stp_perf_attach *at = &p->points->perf;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = at->type,
		.config = at->config,
		.freq = at->by_rate,
	};
	int err;

	if (at->counter)
		attr.freq = 0; /* and no period: it only counts */
	else if (at->by_rate)
		attr.sample_freq = at->sample;
	else
		attr.sample_period = at->sample;
	err = stp_percpu_events_arm(p, &attr, admits);
	if (err == -ENOENT || err == -EOPNOTSUPP)
		return stp_point_failed(p, 0, err, "this machine has no such event");
	return err ? stp_point_failed(p, 0, err, "the kernel refuses the event") : 0;
}

static int perf_arm(struct stp_probe *p)
{
	return stp_perf_arm(p, NULL);
}

STP_FAMILY(stp_family_perf) = {
	.type = "perf",
	.prepare = stp_percpu_events_prepare,
	.release = stp_percpu_events_release,
	.arm = perf_arm,
	.disarm = stp_percpu_events_disarm,
	.attached = stp_percpu_events_attached,
};
