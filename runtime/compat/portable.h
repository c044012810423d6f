/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What map/, stat/ and print/ need of their surroundings, in the kernel and in user space. These
 * folders are also compiled into unit tests, and the formatters into the reader; nothing in them
 * includes a kernel header itself.
 *
 * Context: memory process, may sleep, at load and unload; all else any handler.
 */
#ifndef STP_COMPAT_PORTABLE_H
#define STP_COMPAT_PORTABLE_H

#ifdef __KERNEL__

#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "../core/internal.h"

/* Zeroed; process context, may sleep. Only init allocates. */
static inline void *stp_mem_alloc(unsigned long size)
{
	if (!stp_mem_fits(size))
		return NULL;
	return __vmalloc(size, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
}

/* What stp_mem_alloc() gave, or NULL. Process context, may sleep. */
static inline void stp_mem_free(const void *p)
{
	vfree(p);
}

/*
 * Is there a context of this index, from 0 to stp_n_ctx - 1? The kernel has none for a CPU number
 * that is never used. Context: any.
 */
static inline int stp_ctx_exists(int index)
{
	return !!stp_ctx_of(index);
}

/* Interrupts of this CPU off; returns what stp_irq_restore() takes. Pairs may nest. */
static inline unsigned long stp_irq_save(void)
{
	unsigned long flags;

	local_irq_save(flags);
	return flags;
}

static inline void stp_irq_restore(unsigned long flags)
{
	local_irq_restore(flags);
}

/* Between two looks at a lock that another CPU holds. Context: any. */
static inline void stp_relax(void)
{
	cpu_relax();
}

/* Let others run. Context: process, interrupts on. */
static inline void stp_resched(void)
{
	cond_resched();
}

/* 64 random bits for a seed, at load. Context: process. */
static inline stp_u64 stp_random_seed(void)
{
	u64 seed;

	get_random_bytes(&seed, sizeof(seed));
	return seed;
}

#define STP_PAGE_SIZE PAGE_SIZE
/* Why init fails: staprun shows the kernel log's lines about the module. */
#define stp_log(fmt, ...) pr_err("%s: " fmt "\n", THIS_MODULE->name, ##__VA_ARGS__)

#else

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../uapi/arrays.h"
#include "../uapi/wire.h"

/*
 * Whoever compiles map/, stat/ or print/record.c in user space defines these; see core/internal.h.
 */
extern int stp_n_ctx;
char *stp_rec_begin(struct stp_ctx *c, stp_u32 kind, stp_u32 id, stp_u32 payload_len);
void stp_rec_end(struct stp_ctx *c);
void stp_rec_text(struct stp_ctx *c, stp_u32 kind, const char *s, stp_u32 len);
stp_u32 stp_rec_max(void);

/*
 * The same in user space, where there are no interrupts to hold off. The program that links them
 * defines stp_random_seed().
 */
static inline void *stp_mem_alloc(unsigned long size)
{
	return calloc(1, size);
}

static inline void stp_mem_free(void *p)
{
	free(p);
}

static inline int stp_ctx_exists(int index)
{
	return index >= 0;
}

static inline unsigned long stp_irq_save(void)
{
	return 0;
}

static inline void stp_irq_restore(unsigned long flags)
{
	(void)flags;
}

static inline void stp_relax(void)
{
	/* a thread can be stopped where a handler cannot: let it run */
	nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
}

static inline void stp_resched(void)
{
}

stp_u64 stp_random_seed(void);
/* A lock was not had in time: what the hit was about to do there is left out, and counted. */
void stp_skip_lock(struct stp_ctx *c);
/* As stp_error(), but unless it is caught the hit is a skip, for a REASON of enum stp_skip. */
void stp_error_skip(struct stp_ctx *c, const char *msg, stp_u32 reason);

static inline struct stp_str stp_empty(void)
{
	return (struct stp_str){ "", 0 };
}

#define STP_PAGE_SIZE 4096
#define stp_log(fmt, ...) fprintf(stderr, fmt "\n", ##__VA_ARGS__)

#endif

/*
 * A lock between one CPU's instance of an array and a reader on another: held with interrupts off,
 * never nested.
 */
struct stp_spin {
	unsigned int word;
};

/*
 * How often a taken lock is looked at again before it is given up: some milliseconds. Holders have
 * interrupts off and are bounded by what a handler may do (MAXACTION), but a virtual machine's CPU
 * can be stopped while it holds one.
 */
#ifdef __KERNEL__
#define STP_SPIN_TRIES 200000
#else
#define STP_SPIN_TRIES 2000 /* a look takes longer there */
#endif

/* 1 when held; 0 when it was not had in time: nothing is held. */
static inline int stp_spin_lock(struct stp_spin *l, unsigned long *flags)
{
	stp_u32 tries = STP_SPIN_TRIES;

	*flags = stp_irq_save();
	while (__atomic_exchange_n(&l->word, 1, __ATOMIC_ACQUIRE)) {
		while (__atomic_load_n(&l->word, __ATOMIC_RELAXED)) {
			if (!tries--) {
				stp_irq_restore(*flags);
				return 0;
			}
			stp_relax();
		}
	}
	return 1;
}

/* Of a lock that is held; flags: what stp_spin_lock() gave. */
static inline void stp_spin_unlock(struct stp_spin *l, unsigned long flags)
{
	__atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
	stp_irq_restore(flags);
}

#endif
