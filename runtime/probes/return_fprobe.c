// SPDX-License-Identifier: GPL-2.0-or-later
/* Returns by one fprobe over many points: hundreds of functions attach in one pass. */
#include <linux/rcupdate.h>
#include "core/enter.h"
#include "probes/callers.h"
#include "probes/return.h"

#ifdef STP_HAVE_FPROBE
/*
 * Not 0: the return of this call is not told of, and data is given back. Context: any that ftrace
 * calls from, NMI included, which stp_enter() turns away; data is this call's alone.
 */
static int fprobe_entry_hit(struct fprobe *fp, unsigned long entry, unsigned long ret, void *regs,
			    void *data)
{
	struct stp_return *r = container_of(fp, struct stp_return_ftrace, fprobe)->of;
	unsigned long flags;
	struct stp_cpu *cpu;
	int failed;

	if (!stp_caller_admits(r->probe, ret))
		return 1;
	cpu = stp_enter(r->probe, &flags);
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

/* A call without a context still gives back what its entry saved. Context: as the entry. */
static void fprobe_return_hit(struct fprobe *fp, unsigned long entry, unsigned long ret, void *regs,
			      void *data)
{
	struct stp_return *r = container_of(fp, struct stp_return_ftrace, fprobe)->of;
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

/* No point wants what fprobe does not give. */
static int fprobe_can(const struct stp_probe *p)
{
	u32 i;

	if (!STP_FPROBE_KNOWN)
		return 0;
	for (i = 0; STP_FPROBE_PARTIAL_REGS && i < p->n_points; i++) {
		if (p->points[i].flags & STP_POINT_FULL_REGS)
			return 0;
	}
	return 1;
}

/* What the kernel left out is booked. */
static bool fprobe_detach(struct stp_return_ftrace *f)
{
	if (unregister_fprobe(&f->fprobe)) {
		stp_keep_loaded("an fprobe is not given back");
		return false;
	}
	synchronize_rcu(); /* a return that has found the fprobe may still be in our handler */
	stp_probe_missed(f->of->probe, f->fprobe.nmissed);
	return true;
}

static int fprobe_attach(struct stp_return_ftrace *f, unsigned long *locations, u32 n)
{
	const struct stp_probe *p = f->of->probe;
	unsigned long first = *locations;
	int err;

	memset(&f->fprobe, 0, sizeof(f->fprobe));
	stp_fprobe_setup(&f->fprobe, stp_return_has_calls(p) ? fprobe_entry_hit : NULL,
			 fprobe_return_hit, stp_return_call_size(p), stp_return_max_active_all(p));
	err = register_fprobe_ips(&f->fprobe, locations, n);
	if (err || !stp_ftrace_silent(first))
		return err;
	f->is_kept = !fprobe_detach(f);
	return -EBUSY;
}

const struct stp_return_way stp_return_fprobe = {
	.can = fprobe_can,
	.attach = fprobe_attach,
	.detach = fprobe_detach,
};
#endif
