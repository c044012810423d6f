// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locks of script globals: reader-writer locks on one word, tried and never waited for without
 * bound. The top bit is a writer, the rest counts readers. Handlers take all of theirs at once, in
 * the table's order, with interrupts off; a handler that cannot have one gives back the others and
 * counts a skip.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include "core/internal.h"

#define WRITER 0x80000000u

static inline int lock_try(u32 *word, int write)
{
	u32 old = READ_ONCE(*word);

	if (write)
		return !old && cmpxchg(word, 0, WRITER) == 0;
	while (!(old & WRITER)) {
		u32 seen = cmpxchg(word, old, old + 1);

		if (seen == old)
			return 1;
		old = seen;
	}
	return 0;
}

static inline void unlock(u32 *word, int write)
{
	if (write)
		smp_store_release(word,
				  0); /* pairs with the cmpxchg() of the next holder's lock_try() */
	else
		atomic_fetch_sub_release(1, (atomic_t *)word); /* so does this */
}

static int lock_wait(struct stp_lock *lock, int write)
{
	u32 tries = stp_script.max_trylock, delay = stp_script.trylock_delay_us;

	if (stp_script.flags & STP_SCRIPT_NO_TIME_LIMITS)
		tries = 100000; /* about a second: still bounded, the machine comes first */
	atomic_inc((atomic_t *)&lock->contention);
	while (tries--) {
		/*
		 * udelay() may be a plain loop; a hypervisor runs the holder's CPU when this one
		 * pauses
		 */
		cpu_relax();
		udelay(delay);
		if (lock_try(&lock->word, write))
			return 1;
	}
	return 0;
}

/**
 * stp_lock_all - take a handler's locks
 *
 * Returns 1 with all held, or 0 with none, the skip counted. Context: any handler.
 */
int stp_lock_all(struct stp_ctx *c, const struct stp_lock_use *uses, stp_u32 n)
{
	u32 i;

	if (c->flags & STP_CTX_ALONE)
		return 1;
	for (i = 0; i < n; i++) {
		if (likely(lock_try(&uses[i].lock->word, uses[i].write)))
			continue;
		if (lock_wait(uses[i].lock, uses[i].write))
			continue;
		atomic_inc((atomic_t *)&uses[i].lock->timeouts);
		while (i--)
			unlock(&uses[i].lock->word, uses[i].write);
		stp_skip_lock(c);
		return 0;
	}
	return 1;
}

/**
 * stp_unlock_all - give a handler's locks back
 *
 * Context: any handler that holds them.
 */
void stp_unlock_all(struct stp_ctx *c, const struct stp_lock_use *uses, stp_u32 n)
{
	if (c->flags & STP_CTX_ALONE)
		return;
	while (n--)
		unlock(&uses[n].lock->word, uses[n].write);
}
