// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Returns of all points that ftrace knows, attached in one pass: by fprobe, else by a pool of
 * rethook nodes. A kretprobe each would cost one pass over the kernel's text for each point, and
 * another to take it away.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "probes/return.h"

static const struct stp_return_way *const ways[] = {
#ifdef STP_HAVE_FPROBE
	&stp_return_fprobe,
#endif
#ifdef STP_HAVE_RETHOOK
	&stp_return_rethook,
#endif
	NULL,
};

/* The first way for the probe; NULL: a point is no entry, or this kernel has none. */
static const struct stp_return_way *way_for(const struct stp_probe *p)
{
	const struct stp_return_way *const *way = ways;
	u32 i;

	while (*way && !(*way)->can(p))
		way++;
	for (i = 0; *way && i < p->n_points; i++) {
		if (p->points[i].kernel.offset)
			return NULL;
	}
	return *way;
}

#define ROUNDS 4 /* of asking what ftrace knows */

/* All that ftrace knows, or none. It knows less when a module has gone since it was asked. */
static int attach_all(struct stp_return_ftrace *f, const struct stp_return_way *way,
		      unsigned long *locations)
{
	const struct stp_addresses *addresses = &f->addresses;
	u32 i, rounds = ROUNDS;
	int err;

	do {
		for (i = 0; i < addresses->n; i++)
			locations[i] = stp_ftrace_location(addresses->list[i].addr);
		f->known = stp_ftrace_known(&f->addresses, locations);
		err = f->known ? way->attach(f, locations, f->known) : -ENOENT;
	} while (err == -EINVAL && --rounds);
	if (!err) {
		f->by = way;
		f->n = f->known;
	}
	return err;
}

/**
 * stp_return_ftrace_arm - attach what ftrace knows
 * @f: not armed, with room for all addresses
 * @addrs: by point; those attached become 0
 *
 * What cannot be attached is not said: another attachment takes it. Nothing is asked of ftrace
 * where there is no way. Returns 0, or -EBUSY with stp_arm_text when ftrace is switched off.
 * Context: process, may sleep.
 */
int stp_return_ftrace_arm(struct stp_return_ftrace *f, unsigned long *addrs)
{
	const struct stp_return_way *way = way_for(f->of->probe);
	struct stp_addresses *addresses = &f->addresses;
	unsigned long *locations;
	int err;
	u32 i;

	if (!way || f->is_kept)
		return 0;
	stp_addresses_fill(addresses, addrs, f->of->probe->n_points);
	locations = kvmalloc_array(addresses->n + 1, sizeof(*locations), GFP_KERNEL);
	err = locations ? attach_all(f, way, locations) : 0;
	kvfree(locations);
	for (i = 0; f->n && i < addresses->n; i++) {
		if (addresses->list[i].traced)
			addrs[addresses->list[i].point] = 0;
	}
	return stp_ftrace_off(f->of->probe, err) ? err : 0;
}

/**
 * stp_return_ftrace_disarm - detach it
 *
 * Afterwards no hit of its runs, and what the kernel left out is booked. Harmless when nothing is
 * attached.
 *
 * Context: process, may sleep: waits for a grace period.
 */
void stp_return_ftrace_disarm(struct stp_return_ftrace *f)
{
	if (f->by && !f->by->detach(f))
		f->is_kept = true;
	f->by = NULL;
	f->n = 0;
}
