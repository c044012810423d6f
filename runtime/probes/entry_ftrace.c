// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Function entries through ftrace: one ftrace_ops per probe over all its points, so attaching to
 * 500 functions costs one pass over the kernel's text; on kernels where filling a filter is slow
 * (compat/ftrace.h) one for each STP_FTRACE_FILTER_MAX points.
 *
 * The callback guards itself against recursion (stp_enter's busy flag), so ftrace may call it
 * directly. FL_PERMANENT keeps the sysctl from silencing a running session.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "probes/entry.h"

#if STP_FTRACE

#define ROUNDS 4 /* of asking what ftrace knows */

/*
 * Context: any that ftrace calls from: NMI, which stp_enter() turns away, and idle where RCU does
 * not watch. fregs is on the stack of the hit, and good for it alone.
 */
static void entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
		      STP_FTRACE_REGS *fregs)
{
	const struct stp_probe *p = op->private;
	unsigned long flags;
	struct stp_cpu *cpu = stp_enter_ftrace(p, ip, parent_ip, fregs, &flags);

	if (!cpu)
		return;
	if (!stp_unwatched(cpu, p))
		stp_run(cpu, p);
	stp_leave(cpu, flags);
}

/* One more ops, for n points of the filter. */
static int attach(struct stp_entry_ftrace *f, const struct stp_probe *p, unsigned long flags, u32 n)
{
	struct ftrace_ops *ops = &f->ops[f->n_ops];
	int err;

	memset(ops, 0, sizeof(*ops));
	ops->func = entry_hit;
	ops->flags = flags;
	ops->private = (void *)p;
	err = stp_ftrace_set_filter(ops, f->filter + f->n, n, 0);
	if (!err)
		err = register_ftrace_function(ops);
	if (err) {
		stp_ftrace_free_filter(ops);
		return err;
	}
	f->n_ops++;
	f->n += n;
	return 0;
}

static int take_room(struct stp_entry_ftrace *f, u32 n)
{
	f->ops = kvcalloc(1 + (n - 1) / STP_FTRACE_FILTER_MAX, sizeof(*f->ops), GFP_KERNEL);
	f->filter = kvcalloc(n, sizeof(*f->filter), GFP_KERNEL);
	return f->ops && f->filter ? 0 : -ENOMEM;
}

/*
 * No hit runs afterwards: the kernel waits for callbacks that are on their way. What it does not
 * give back stays attached.
 */
static void detach_all(struct stp_entry_ftrace *f)
{
	while (f->n_ops && stp_ftrace_unregister(&f->ops[f->n_ops - 1]))
		f->n_ops--;
	if (!f->n_ops)
		f->n = 0;
}

static unsigned long ops_flags(const struct stp_probe *p)
{
	unsigned long flags = STP_FTRACE_FLAGS | FTRACE_OPS_FL_PERMANENT;
	u32 i;

	for (i = 0; i < p->n_points; i++) {
		if (!STP_FTRACE_HAS_ARGS || (p->points[i].flags & STP_POINT_FULL_REGS))
			flags |= FTRACE_OPS_FL_SAVE_REGS;
	}
	return flags;
}

static int attach_known(struct stp_entry_ftrace *f, const struct stp_probe *p)
{
	unsigned long flags = ops_flags(p);
	int err = 0;

	while (f->n < f->known && !err)
		err = stp_session_ending()
			      ? -EINTR
			      : attach(f, p, flags,
				       min_t(u32, f->known - f->n, STP_FTRACE_FILTER_MAX));
	if (err && err != -EINTR)
		detach_all(f);
	return err;
}

/* All that ftrace knows, or none. It knows less when a module has gone since it was asked. */
static int attach_all(struct stp_entry_ftrace *f, const struct stp_probe *p)
{
	struct stp_addresses *addresses = &f->addresses;
	u32 i, rounds = ROUNDS;
	int err;

	do {
		for (i = 0; i < addresses->n; i++)
			f->filter[i] = addresses->list[i].addr;
		f->known = stp_ftrace_known(addresses, f->filter);
		err = attach_known(f, p);
	} while (err == -EINVAL && --rounds);
	return err == -EINTR || stp_ftrace_off(p, err) ? err : 0;
}

#else

static int take_room(struct stp_entry_ftrace *f, u32 n)
{
	return 0;
}

static void detach_all(struct stp_entry_ftrace *f)
{
}

static int attach_all(struct stp_entry_ftrace *f, const struct stp_probe *p)
{
	return 0;
}

#endif

/**
 * stp_entry_ftrace_init - room for a probe's points; nothing is taken at arming
 *
 * Returns 0 or -ENOMEM; stp_entry_ftrace_exit() is for either. Context: process, may sleep; at
 * load.
 */
int stp_entry_ftrace_init(struct stp_entry_ftrace *f, u32 n_points)
{
	return take_room(f, max(n_points, 1u)) ?: stp_addresses_init(&f->addresses, n_points);
}

/**
 * stp_entry_ftrace_exit - give it back
 *
 * Context: process, disarmed; also zeroed.
 */
void stp_entry_ftrace_exit(struct stp_entry_ftrace *f)
{
	stp_addresses_exit(&f->addresses);
	kvfree(f->ops);
	kvfree(f->filter);
}

/**
 * stp_entry_ftrace_arm - attach all that ftrace knows, or none
 * @addrs: by point; those attached become 0
 *
 * The addresses are noted for stp_addresses_point() in any case. Returns 0, also with none
 * attached, -EINTR when the session ends, or -EBUSY with stp_arm_text when ftrace is switched off:
 * disarming follows. Context: process, may sleep.
 */
int stp_entry_ftrace_arm(struct stp_entry_ftrace *f, const struct stp_probe *p,
			 unsigned long *addrs)
{
	struct stp_addresses *addresses = &f->addresses;
	u32 i;
	int err;

	stp_addresses_fill(addresses, addrs, p->n_points);
	for (i = 0; i < p->n_points; i++) {
		/* an entry is where the function begins; with an offset it is a plain address */
		if (p->points[i].kernel.offset)
			return 0;
	}
	err = attach_all(f, p);
	for (i = 0; !err && f->n && i < addresses->n; i++) {
		if (addresses->list[i].traced)
			addrs[addresses->list[i].point] = 0;
	}
	return err;
}

/**
 * stp_entry_ftrace_disarm - detach all; also when none is attached
 *
 * Context: process, may sleep.
 */
void stp_entry_ftrace_disarm(struct stp_entry_ftrace *f)
{
	detach_all(f);
}
