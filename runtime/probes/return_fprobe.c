// SPDX-License-Identifier: GPL-2.0-or-later
/* Returns by one fprobe over all points that ftrace knows: hundreds of functions attach in one pass. */
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "core/enter.h"
#include "probes/return.h"

#ifdef STP_HAVE_FPROBE
static int fprobe_entry_hit(struct fprobe *fp, unsigned long entry, unsigned long ret, void *regs,
			    void *data)
{
	struct stp_return *r = container_of(fp, struct stp_return_fprobe, fprobe)->of;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(r->probe, &flags);
	int failed;

	if (!cpu)
		return 1;
	cpu->c.regs = regs;
	cpu->c.point_addr = entry;
	cpu->c.caller = ret; /* on the stack is the trampoline's address by now */
	failed = stp_return_entered(r, cpu, data);
	cpu->c.caller = 0;
	stp_leave(cpu, flags);
	return failed;
}

static void fprobe_return_hit(struct fprobe *fp, unsigned long entry, unsigned long ret, void *regs,
			      void *data)
{
	struct stp_return *r = container_of(fp, struct stp_return_fprobe, fprobe)->of;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter(r->probe, &flags);

	if (cpu) {
		cpu->c.regs = regs;
		cpu->c.point_addr = entry;
	}
	stp_return_left(r, cpu, data);
	if (cpu)
		stp_leave(cpu, flags);
}

static int fprobe_can(const struct stp_probe *p)
{
	u32 i;

	if (!STP_FPROBE_KNOWN)
		return 0;
	for (i = 0; i < p->n_points; i++) {
		if (p->points[i].text.offset ||
		    (STP_FPROBE_PARTIAL_REGS && (p->points[i].flags & STP_POINT_FULL_REGS)))
			return 0;
	}
	return 1;
}

/**
 * stp_return_fprobe_arm - attach what ftrace knows
 * @f: not armed, with room for all addresses
 * @addrs: by point; those attached become 0
 *
 * What cannot be attached is not said: another attachment takes it. Context: process, may sleep.
 */
void stp_return_fprobe_arm(struct stp_return_fprobe *f, unsigned long *addrs)
{
	const struct stp_probe *p = f->of->probe;
	struct stp_addresses *addresses = &f->addresses;
	unsigned long *locations;
	u32 i, n = 0;

	if (!fprobe_can(p))
		return;
	stp_addresses_fill(addresses, addrs, p->n_points);
	locations = kvmalloc_array(addresses->n + 1, sizeof(*locations), GFP_KERNEL);
	for (i = 0; locations && i < addresses->n; i++)
		locations[i] = stp_ftrace_location(addresses->list[i].addr);
	if (locations)
		n = stp_ftrace_known(addresses, locations);
	memset(&f->fprobe, 0, sizeof(f->fprobe));
	stp_fprobe_setup(&f->fprobe, p->entry ? fprobe_entry_hit : NULL, fprobe_return_hit,
			 stp_return_call_size(p), stp_return_max_active(p));
	if (n && !register_fprobe_ips(&f->fprobe, locations, n))
		f->n = n;
	for (i = 0; f->n && i < addresses->n; i++) {
		if (addresses->list[i].traced)
			addrs[addresses->list[i].point] = 0;
	}
	kvfree(locations);
}

/**
 * stp_return_fprobe_disarm - detach it
 *
 * Afterwards no hit of its runs, and what the kernel left out is booked. Harmless when nothing is attached.
 *
 * Context: process, may sleep: waits for a grace period.
 */
void stp_return_fprobe_disarm(struct stp_return_fprobe *f)
{
	if (!f->n)
		return;
	unregister_fprobe(&f->fprobe);
	synchronize_rcu(); /* a return that has found the fprobe may still be in our handler */
	stp_probe_missed(f->of->probe, f->fprobe.nmissed);
	f->n = 0;
}
#endif
