// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUs that come and go while probes are armed. The kernel has a state of CPU hotplug for each who
 * wants to know, no more than 30 or 40 for everybody, so all probes of a script share one, which is
 * taken with the first that follows the CPUs and given back with the last.
 */
#include <linux/cpuhotplug.h>
#include "probes/probes.h"

static int state;
static u32 n_following; /* under the lock of arming */

/* Context: process, on that CPU, by the kernel's thread for hotplug, as the one below. */
static int came(unsigned int cpu, struct hlist_node *node)
{
	struct stp_cpus_follower *f = hlist_entry(node, struct stp_cpus_follower, node);

	stp_stacks_came();
	f->came(f, cpu);
	return 0;
}

static int goes(unsigned int cpu, struct hlist_node *node)
{
	struct stp_cpus_follower *f = hlist_entry(node, struct stp_cpus_follower, node);

	if (f->goes)
		f->goes(f, cpu);
	return 0;
}

static int state_take(void)
{
	int err = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "systemtap", came, goes);

	if (err == -ENOSPC)
		scnprintf(
			stp_arm_text, sizeof(stp_arm_text),
			"no state of CPU hotplug is left: too many sessions with timer.profile, perf or data probes run at once");
	if (err < 0)
		return err;
	state = err;
	return 0;
}

/**
 * stp_cpus_follow - be told of CPUs that come and go
 * @f: came and goes are set; nothing is told twice
 * @present: came is called for those that are online, too
 *
 * Returns 0, or a negative errno with nothing followed; stp_cpus_leave() is safe after either.
 * Context: process, may sleep; the lock of arming is held.
 */
int stp_cpus_follow(struct stp_cpus_follower *f, int present)
{
	int err = n_following ? 0 : state_take();

	if (err)
		return err;
	err = present ? cpuhp_state_add_instance(state, &f->node)
		      : cpuhp_state_add_instance_nocalls(state, &f->node);
	f->following = !err;
	n_following += !err;
	if (!n_following)
		cpuhp_remove_multi_state(state);
	return err;
}

/**
 * stp_cpus_leave - be told no more
 * @present: goes is called for those that are online
 *
 * Context: process, may sleep; the lock of arming is held.
 */
void stp_cpus_leave(struct stp_cpus_follower *f, int present)
{
	if (!f->following)
		return;
	if (present)
		cpuhp_state_remove_instance(state, &f->node);
	else
		cpuhp_state_remove_instance_nocalls(state, &f->node);
	f->following = 0;
	if (!--n_following)
		cpuhp_remove_multi_state(state);
}
