// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding a point again by its address. Entries have two: the symbol's, and behind the ENDBR that
 * indirect branch tracking puts first, that of ftrace's call; kernel interfaces differ in which
 * they take and give.
 */
#include <linux/bsearch.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "arch/arch.h"
#include "probes/probes.h"

/**
 * stp_addresses_init - room for the addresses of a probe
 *
 * Returns 0 or -ENOMEM; stp_addresses_exit() is safe after either. Context: process, may sleep; at
 * load.
 */
int stp_addresses_init(struct stp_addresses *addresses, u32 n_points)
{
	addresses->list = kvcalloc(max(n_points, 1u), sizeof(*addresses->list), GFP_KERNEL);
	return addresses->list ? 0 : -ENOMEM;
}

/**
 * stp_addresses_exit - give it back
 *
 * Context: process; no hit can look here any more. Also zeroed, or given back before.
 */
void stp_addresses_exit(struct stp_addresses *addresses)
{
	kvfree(addresses->list);
	addresses->list = NULL;
}

static int address_cmp(const void *a, const void *b)
{
	const struct stp_address *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/**
 * stp_addresses_fill - note the addresses that are not 0, in order
 * @addrs: by point
 * @n_points: no more than there is room for
 *
 * Context: process, before the probe is armed: hits read the list without a lock.
 */
void stp_addresses_fill(struct stp_addresses *addresses, const unsigned long *addrs, u32 n_points)
{
	u32 i;

	addresses->n = 0;
	for (i = 0; i < n_points; i++) {
		if (!addrs[i])
			continue;
		addresses->list[addresses->n].traced = 0;
		addresses->list[addresses->n].addr = addrs[i];
		addresses->list[addresses->n++].point = i;
	}
	sort(addresses->list, addresses->n, sizeof(*addresses->list), address_cmp, NULL);
}

/**
 * stp_addresses_point - the point at an address, or NULL
 * @addr: may be off by an ENDBR either way
 *
 * Three binary searches at most. Context: any handler.
 */
const struct stp_point *stp_addresses_point(const struct stp_addresses *addresses,
					    const struct stp_probe *p, unsigned long addr)
{
	static const int offsets[] = { STP_ARCH_FTRACE_OFFSETS };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		struct stp_address key = { .addr = addr + offsets[i] };
		const struct stp_address *found;

		found = bsearch(&key, addresses->list, addresses->n, sizeof(key), address_cmp);
		if (found)
			return &p->points[found->point];
	}
	return NULL;
}

static int is_wild(const struct stp_probe *p, const unsigned long *addrs, u32 i)
{
	return addrs[i] && p->points[i].flags & STP_POINT_WILD;
}

/* So few that ftrace should have taken, and did not, are attached one by one. */
#define FEW 200

/**
 * stp_wild_leave_out - do without kprobes at entries that a wildcard found
 * @addrs: by point: what ftrace did not take; the left out become 0
 * @known: how many ftrace knows
 * @attached: as many, or 0: it could not attach them, which is said of those left out
 *
 * Of thousands of functions each costs the kernel milliseconds to register. Returns how many are
 * left out for ftrace does not know them: none with STP_SCRIPT_ENTRY_KPROBES, nor any that the
 * script names.
 *
 * Context: process, when arming.
 */
u32 stp_wild_leave_out(const struct stp_probe *p, unsigned long *addrs, u32 known, u32 attached)
{
	u32 i, n = 0;

	if (stp_script.flags & STP_SCRIPT_ENTRY_KPROBES || !known)
		return 0;
	for (i = 0; i < p->n_points; i++)
		n += is_wild(p, addrs, i);
	if (!attached && n <= FEW)
		return 0;
	for (i = 0; i < p->n_points; i++) {
		if (!is_wild(p, addrs, i))
			continue;
		addrs[i] = 0;
		if (!attached)
			stp_point_refused(p, "the kernel could not attach so many at once");
	}
	return attached ? n : 0;
}
