/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attaching handlers to events: one file per kind of event, each a struct stp_family. probes.c
 * walks the script's probes and calls through it; resolve.c turns points into addresses.
 */
#ifndef STP_PROBES_PROBES_H
#define STP_PROBES_PROBES_H

#include "core/internal.h"

/* All but arm may be NULL. p->impl belongs to the family; what prepare took, release frees. */
struct stp_family {
	int (*prepare)(struct stp_probe *p);  /* load: take memory */
	void (*release)(struct stp_probe *p); /* unload; p->impl may be NULL */
	/* 0, or negative with stp_arm_text filled; may leave a part armed */
	int (*arm)(struct stp_probe *p);
	/* after a whole, partial or missing arm; no hit runs afterwards */
	void (*disarm)(struct stp_probe *p);
	u32 (*attached)(const struct stp_probe *p);
	u64 (*missed)(const struct stp_probe *p);
	const struct stp_point *(*point)(const struct stp_probe *p, unsigned long addr);
};

extern const struct stp_family stp_family_timer, stp_family_jiffies, stp_family_profile;
extern const struct stp_family stp_family_entry, stp_family_return, stp_family_kprobe;
extern const struct stp_family stp_family_tracepoint;

/**
 * stp_resolve - run-time addresses of all points of a probe
 * @addrs: n_points of them; 0 for an optional point that is not there
 *
 * Checks against the running kernel's symbols. Context: process, may sleep.
 * Returns 0, or negative with stp_arm_text filled.
 */
int stp_resolve(const struct stp_probe *p, unsigned long *addrs);

/* Arm again every armed probe with a place in that module. Context: process, may sleep. */
void stp_probes_rearm(const char *module);
/* modules.c: from now on, until stp_modules_leave, do that whenever one comes or goes */
int stp_modules_follow(void);
void stp_modules_leave(void);

/* Say that a point could not be attached: a warning and 0 when it is optional, else err. */
int stp_point_failed(const struct stp_probe *p, u32 point, int err, const char *why);

/* Points by address: which one a hit that only knows its address is at. */
struct stp_place {
	unsigned long addr;
	u32 point;
	u32 traced; /* see stp_ftrace_known() */
};
struct stp_places {
	struct stp_place *list; /* in order of addr */
	u32 n;
};
int stp_places_init(struct stp_places *places, u32 n_points);
void stp_places_exit(struct stp_places *places);
void stp_places_fill(struct stp_places *places, const unsigned long *addrs, u32 n_points);
/* addr may be off by an ENDBR either way; NULL when no point is there. Context: any handler. */
const struct stp_point *stp_places_point(const struct stp_places *places, const struct stp_probe *p,
					 unsigned long addr);
/* Where ftrace's call is in the function at addr: its first instruction, or behind ENDBR. */
unsigned long stp_ftrace_site(unsigned long addr);

/**
 * stp_ftrace_known - which places ftrace can attach to
 * @sites: for each place the address to ask for; those it knows move to the front
 *
 * One unknown address makes the kernel refuse a whole list, so it is halved until the culprits are
 * found. Sets traced. Returns the number of known ones. Context: process, may sleep.
 */
u32 stp_ftrace_known(struct stp_places *places, unsigned long *sites);

/* The kernel's tracepoint of that name, or NULL. Context: process. */
struct tracepoint *stp_tracepoint_find(const char *name);

/* Strings saved at entry for the return (texts.c). Zeroed: of a probe that saves none. */
struct stp_text_slot {
	struct task_struct *owner; /* NULL: free */
	u32 next;
};
struct stp_texts {
	struct stp_text_slot *slots;
	char *bytes;
	u32 n, slot_size;
	atomic64_t head; /* changes << 32 | first free slot */
	struct tracepoint *freed;
};
int stp_texts_init(struct stp_texts *t, const struct stp_probe *p);
void stp_texts_exit(struct stp_texts *t);
void stp_texts_watch(struct stp_texts *t);
void stp_texts_unwatch(struct stp_texts *t);
u32 stp_texts_take(struct stp_texts *t, struct stp_ctx *c);
void stp_texts_use(const struct stp_texts *t, struct stp_ctx *c, u32 slot);
void stp_texts_give(struct stp_texts *t, u32 slot);

/* kprobes on the points with a non-zero address; also the fallback of entry probes. */
struct stp_kprobe;
struct stp_kprobes {
	struct stp_kprobe *list;
	u32 n;
};
int stp_kprobes_arm(struct stp_kprobes *set, const struct stp_probe *p, const unsigned long *addrs);
void stp_kprobes_disarm(struct stp_kprobes *set);
u64 stp_kprobes_missed(const struct stp_kprobes *set);

#endif
