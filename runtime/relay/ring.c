// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of the relay channel, see wire.h. The reader maps control page and data writable, so
 * nothing it may have scribbled there is believed: head, length and losses are kept here and only
 * copied out, and a tail that makes no sense means "full".
 */
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include <linux/vmalloc.h>
#include "compat/irq_work.h"
#include "core/enter.h"
#include "relay/relay.h"

#define RING_MIN SZ_256K /* of what is chosen by the machine's memory */
#define RING_MAX SZ_16M
#define RING_MAX_WAITING SZ_1M /* the same, where everything that writes can wait for the reader */
#define RING_CAP SZ_1G         /* of what is asked for: twice it is still a u32 */
#define WAIT_STEP (HZ / 100 + 1)
#define WAIT_MAX                                                                                   \
	(2 * HZ) /* a reader that has not moved for so long, and is not printing, is not reading */

/*
 * One CPU's; written on that CPU with interrupts off. head, pending and tail are bytes that only
 * grow.
 */
struct stp_relay {
	struct stp_relay_ctl *ctl; /* one page, mapped by the reader */
	char *data;                /* stp_relay_len bytes, mapped behind it */
	u64 head;                  /* published */
	u64 pending;               /* end of the record being written */
	u64 tail;                  /* last tail seen */
	u64 wait_tail;             /* tail when somebody last waited for room, and */
	int wait_failed;           /* whether that was in vain: then nobody waits until it moves */
	u64 last_ts;               /* of the newest record, ns: no later one is earlier */
	u64 lost_records, lost_bytes, overwritten;
	/*
	 * Waking the reader for every record would cost more than the record: on this CPU's next
	 * tick is soon enough, or at once when the tick is stopped.
	 */
	struct irq_work wake;
};

unsigned int stp_relay_kb;
u32 stp_relay_len;
u32 stp_data_ready;
static struct stp_relay **rings;
static u32 overwriting;

static void wake_reader(struct irq_work *work)
{
	WRITE_ONCE(stp_data_ready, 1);
	stp_control_poke();
}

/* Is there room for need bytes behind head? */
static inline int ring_fits(struct stp_relay *ring, u64 need)
{
	if (likely(ring->head + need - ring->tail <= stp_relay_len))
		return 1;
	/*
	 * pairs with the release in the reader's ring_release(): it has done with what is
	 * overwritten
	 */
	ring->tail = smp_load_acquire(&ring->ctl->tail);
	return ring->head - ring->tail <= stp_relay_len &&
	       ring->head + need - ring->tail <= stp_relay_len;
}

static inline void ring_wake(struct stp_relay *ring)
{
	if (unlikely(READ_ONCE(ring->ctl->waiting))) {
		WRITE_ONCE(ring->ctl->waiting, 0);
		irq_work_queue(&ring->wake);
	}
}

static void ring_lose(struct stp_relay *ring, u32 size)
{
	WRITE_ONCE(ring->ctl->lost_records, ++ring->lost_records);
	ring->lost_bytes += size;
	WRITE_ONCE(ring->ctl->lost_bytes, ring->lost_bytes);
	ring_wake(ring);
}

/*
 * Nobody is attached: of what the ring can hold the latest is worth most, so the oldest records
 * make room. No more is walked over than is about to be written. The sizes lie where a reader
 * could write; one that cannot be drops all that is left.
 */
static int ring_overwrite(struct stp_relay *ring, u64 need)
{
	u64 tail = ring->tail;

	if (!READ_ONCE(overwriting))
		return 0;
	if (ring->head - tail > stp_relay_len || tail & 7)
		tail = ring->head;
	while (ring->head + need - tail > stp_relay_len) {
		u32 pos = tail & (stp_relay_len - 1);
		u64 room = min_t(u64, stp_relay_len - pos, ring->head - tail);
		const struct stp_rec *rec = (const struct stp_rec *)(ring->data + pos);
		u32 size = READ_ONCE(rec->size);

		ring->overwritten += READ_ONCE(rec->kind) != STP_REC_PAD;
		if (size < 8 || size & 7 || size > room)
			tail = ring->head;
		else
			tail += size;
	}
	ring->tail = tail;
	WRITE_ONCE(ring->ctl->tail, tail);
	WRITE_ONCE(ring->ctl->overwritten, ring->overwritten);
	return 1;
}

/* Bytes a record of size takes at the present head, with the padding before it. */
static inline u64 ring_need(struct stp_relay *ring, u32 size)
{
	u32 room = stp_relay_len - (u32)(ring->head & (stp_relay_len - 1));

	return size > room ? (u64)size + room : size;
}

/*
 * Process context writes into the ring of whatever CPU it is on: interrupts go off and the CPU's
 * own context counts as busy meanwhile, so no handler can come between.
 */
static struct stp_relay *process_lock(struct stp_cpu *cpu)
{
	local_irq_save(cpu->irq_flags);
	__this_cpu_read(stp_this_cpu)->c.busy = 1;
	barrier();
	return rings[raw_smp_processor_id()];
}

static void process_unlock(struct stp_cpu *cpu)
{
	barrier();
	__this_cpu_read(stp_this_cpu)->c.busy = 0;
	local_irq_restore(cpu->irq_flags);
}

/* Returns locked, with the ring of a CPU that has room; or with one that has none. */
static struct stp_relay *ring_wait(struct stp_cpu *cpu, u32 size)
{
	unsigned long waited = 0;

	for (;;) {
		struct stp_relay *ring = process_lock(cpu);

		if (ring_fits(ring, ring_need(ring, size)))
			return ring;
		if (ring->tail != ring->wait_tail || READ_ONCE(ring->ctl->printing)) {
			ring->wait_failed = 0;
			waited = 0;
		}
		ring->wait_tail = ring->tail;
		if (waited > WAIT_MAX)
			ring->wait_failed = 1;
		if (ring->wait_failed || stp_session_abandoned() || !stp_control_attached() ||
		    READ_ONCE(overwriting) || size > stp_relay_len / 2)
			return ring; /* the caller finds it full */
		ring_wake(ring);
		process_unlock(cpu);
		waited += WAIT_STEP;
		schedule_timeout_interruptible(WAIT_STEP);
	}
}

static inline u64 record_time(struct stp_cpu *cpu, struct stp_relay *ring)
{
	struct stp_ctx *c = &cpu->c;

	if (unlikely(c->flags & STP_CTX_SLEEP)) {
		/* not one instant: these handlers move between CPUs, so each record says when */
		c->ts = max3((u64)ktime_get_mono_fast_ns(), ring->last_ts, cpu->last_ts);
		cpu->last_ts = c->ts;
	} else if (!c->ts) {
		c->ts = max_t(u64, ktime_get_mono_fast_ns(), ring->last_ts);
		WRITE_ONCE(ring->ctl->open_since, c->ts);
	}
	ring->last_ts = c->ts;
	return c->ts;
}

/**
 * stp_rec_begin - reserve a record in this CPU's ring
 * @kind: enum stp_rec_kind
 * @id: format or histogram index
 * @payload_len: exact bytes to be written; rounding to 8 is done here, the padding is zeroed
 *
 * Returns where to write the payload, 8-aligned; NULL when it does not fit (counted as lost: do
 * nothing more). After success stp_rec_end() must follow; between the two nothing may sleep or
 * fail. In a handler that may sleep, waits for the reader instead of losing, as long as that moves
 * within WAIT_MAX or is held up by its own output; it comes back with interrupts off, until
 * stp_rec_end(). Without a reader it drops older records, no more bytes of them than it needs.
 *
 * Context: any handler.
 */
char *stp_rec_begin(struct stp_ctx *c, u32 kind, u32 id, u32 payload_len)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	u32 size = ALIGN(payload_len, 8) + sizeof(struct stp_rec), pos, room;
	struct stp_relay *ring;
	struct stp_rec *rec;
	u64 at;

	if (unlikely(c->flags & STP_CTX_SLEEP))
		ring = ring_wait(cpu, size);
	else
		ring = rings[c->cpu];
	if (unlikely(size > stp_relay_len / 2 || (!ring_fits(ring, ring_need(ring, size)) &&
						  !ring_overwrite(ring, ring_need(ring, size))))) {
		ring_lose(ring, size);
		if (c->flags & STP_CTX_SLEEP)
			process_unlock(cpu);
		return NULL;
	}
	at = ring->head;
	pos = (u32)at & (stp_relay_len - 1);
	room = stp_relay_len - pos;
	rec = (struct stp_rec *)(ring->data + pos);
	if (unlikely(size > room)) {
		/* only its first 8 bytes are sure to fit before the end */
		rec->size = room;
		rec->kind = STP_REC_PAD;
		rec->id = 0;
		at += room;
		rec = (struct stp_rec *)ring->data;
	}
	rec->size = size;
	rec->kind = kind;
	rec->id = id;
	rec->ts = record_time(cpu, ring);
	ring->pending = at + size;
	c->ring = ring;
	if (size > sizeof(*rec))
		*(u64 *)((char *)rec + size - 8) = 0;
	return (char *)(rec + 1);
}

/**
 * stp_rec_end - publish the record begun last
 *
 * Context: as stp_rec_begin().
 */
void stp_rec_end(struct stp_ctx *c)
{
	struct stp_relay *ring = c->ring;

	ring->head = ring->pending;
	/*
	 * pairs with the acquire in the reader's ring_refresh(): the record is there before it is
	 * seen
	 */
	smp_store_release(&ring->ctl->head, ring->head);
	ring_wake(ring);
	if (unlikely(c->flags & STP_CTX_SLEEP))
		process_unlock(stp_cpu_of(c));
}

/**
 * stp_rec_close - the handler that has written records will write no more
 *
 * Context: the hit's own, of an event, after its handler.
 */
void stp_rec_close(struct stp_ctx *c)
{
	/* pairs with the reader's acquire: who sees 0 sees all records of the hit */
	smp_store_release(&rings[c->cpu]->ctl->open_since, 0);
}

/**
 * stp_rec_text - write a record that is a length and bytes
 *
 * Context: any handler.
 */
void stp_rec_text(struct stp_ctx *c, u32 kind, const char *s, u32 len)
{
	char *to = stp_rec_begin(c, kind, 0, len + sizeof(u32));

	if (!to)
		return;
	*(u32 *)to = len;
	memcpy(to + sizeof(u32), s, len);
	stp_rec_end(c);
}

/**
 * stp_rec_max - the largest payload that can ever fit
 *
 * Longer output has to be split by the caller. Constant after stp_relay_init(). Context: any.
 */
u32 stp_rec_max(void)
{
	return stp_relay_len / 2 - sizeof(struct stp_rec) - 8;
}

static void do_nothing(void *unused)
{
}

/**
 * stp_relay_overwrite - say who moves the tails from now on
 * @on: the producers do, nobody reads; else a reader does
 *
 * Producers run with interrupts off: a call that got through to every CPU has outlasted them.
 * Context: process, may sleep.
 */
void stp_relay_overwrite(int on)
{
	WRITE_ONCE(overwriting, on);
	if (!on)
		on_each_cpu(do_nothing, NULL, 1);
}

static void ring_free(struct stp_relay *ring)
{
	if (!ring)
		return;
	irq_work_sync(&ring->wake);
	vfree(ring->ctl);
	kfree(ring);
}

static struct stp_relay *ring_alloc(int cpu)
{
	struct stp_relay *ring = kzalloc_node(sizeof(*ring), GFP_KERNEL, cpu_to_node(cpu));

	if (!ring)
		return NULL;
	ring->ctl = vmalloc_user(PAGE_SIZE + stp_relay_len);
	if (!ring->ctl) {
		kfree(ring);
		return NULL;
	}
	ring->data = (char *)ring->ctl + PAGE_SIZE;
	stp_irq_work_init_lazy(&ring->wake, wake_reader);
	ring->ctl->ring_len = stp_relay_len;
	ring->ctl->cpu = cpu;
	return ring;
}

/*
 * Do only handlers of the session write, which wait when a ring is full? Then its size is no matter
 * of losses.
 */
static int all_wait(void)
{
	u32 i;

	for (i = 0; i < stp_script.n_probes; i++) {
		if (stp_probe_phase(&stp_script.probes[i]) == STP_PHASE_NONE)
			return 0;
	}
	return 1;
}

/*
 * By the machine's memory. A page costs 8,000 instructions from load to unload, zeroing it, mapping
 * it here and for the reader, and giving it back: 8 MB are more than the rest of loading a small
 * script.
 */
static u64 ring_default_len(void)
{
	u64 want = (u64)totalram_pages() << PAGE_SHIFT;

	want = div_u64(want, 32 * num_possible_cpus());
	return clamp_t(u64, rounddown_pow_of_two(want | 1), RING_MIN,
		       all_wait() ? RING_MAX_WAITING : RING_MAX);
}

static u32 ring_choose_len(void)
{
	u64 want = stp_relay_kb ? (u64)stp_relay_kb << 10 : stp_script.ring_len;

	if (!want)
		want = ring_default_len();
	return roundup_pow_of_two(clamp_t(u64, want, 4 * PAGE_SIZE, RING_CAP));
}

/**
 * stp_relay_init - take the output memory
 *
 * Context: process, at load.
 */
int stp_relay_init(void)
{
	int cpu;

	BUILD_BUG_ON(sizeof(struct stp_relay_ctl) > PAGE_SIZE);
	stp_relay_len = ring_choose_len();
	if (!stp_mem_fits((u64)stp_relay_len * num_possible_cpus())) {
		pr_err("%s: %u kB of output buffer for each of %u CPUs: out of memory\n",
		       THIS_MODULE->name, stp_relay_len >> 10, num_possible_cpus());
		return -ENOMEM;
	}
	rings = kcalloc(nr_cpu_ids, sizeof(*rings), GFP_KERNEL);
	if (!rings)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		rings[cpu] = ring_alloc(cpu);
		if (!rings[cpu]) {
			stp_relay_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * stp_relay_exit - give the output memory back
 *
 * Pages a reader still has mapped live until it unmaps them. Context: process, at unload.
 */
void stp_relay_exit(void)
{
	int cpu;

	if (!rings)
		return;
	for_each_possible_cpu(cpu) ring_free(rings[cpu]);
	kfree(rings);
	rings = NULL;
}

/**
 * stp_relay_mmap - map control page and data
 *
 * Context: process.
 */
int stp_relay_mmap(int cpu, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff || vma->vm_end - vma->vm_start > PAGE_SIZE + stp_relay_len)
		return -EINVAL;
	return remap_vmalloc_range(vma, rings[cpu]->ctl, 0);
}
