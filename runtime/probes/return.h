/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A return, whoever attaches it: an entry attachment, one or more exit attachments, and a key by
 * which an exit finds the record that the entry of the same call made. What a record holds, whether
 * it is ours, and how handlers run on it is the same for all, and is here; an attachment is a file
 * of its own:
 *
 *	return_fprobe.c      ftrace      the kernel's return hook     key: the data that fprobe keeps with a call
 *	return_rethook.c     ftrace      the same                     key: a node of a pool
 *	return_kretprobe.c   a kprobe    the kernel's trampoline      key: the kretprobe's instance
 *	syscall_call.c       sys_enter   sys_exit                     key: the task
 *	uretprobe.c          a uprobe    the kernel's trampoline      key: a frame (user_calls.c)
 *	uexit.c              a uprobe    uprobes where it leaves      key: the same
 *
 * uexit.c replaces a return address too where a function leaves by a jump to one that calls nothing
 * (STP_EXIT_LEAF): the call is over when that has returned.
 *
 * A probe without values of the entry, and of all callers, has no records: then nothing is called
 * at an entry, and an exit has NULL.
 *
 * A function that is on its way when a probe goes returns later, and where the kernel keeps calls
 * on a stack of its own (fprobe over fgraph, 6.14 on) that return can reach whoever has an fprobe
 * at the same address by then: this probe armed anew, or another session's. So each arming has a
 * cookie, which stands in the record; an exit whose record has another, or whose record is there or
 * missing against what the probe wants, is rejected and counted. A record of another size has
 * another cookie. Calls without records carry nothing to tell them by: one that was entered before
 * the arming is seen as if after.
 */
#ifndef STP_PROBES_RETURN_H
#define STP_PROBES_RETURN_H

#include "compat/fprobe.h"
#include "compat/rethook.h"
#include "probes/probes.h"

/*
 * The record of one call. The number of its saved strings comes behind the values if there are any.
 */
struct stp_call {
	u64 cookie; /* of the arming it was entered under */
	stp_long saved[];
};

/* Has each call that is a hit a record? If not, all are hits, and nothing runs at entries. */
static inline int stp_return_has_calls(const struct stp_probe *p)
{
	return p->entry || p->callers;
}

/* One for each return probe; written when it is armed, read by hits. */
struct stp_return {
	const struct stp_probe *probe;
	u64 cookie; /* of this arming, never 0 */
	struct stp_saved_strings strings;
};

int stp_return_init(struct stp_return *r, const struct stp_probe *p, u32 max_active);
void stp_return_exit(struct stp_return *r);
void stp_return_arm(struct stp_return *r);
void stp_return_disarm(struct stp_return *r);
size_t stp_return_call_size(const struct stp_probe *p);
int stp_return_max_active(const struct stp_probe *p);
int stp_return_max_active_all(const struct stp_probe *p);
int stp_return_entered(struct stp_return *r, struct stp_cpu *cpu, struct stp_call *call);
void stp_return_left(struct stp_return *r, struct stp_cpu *cpu, struct stp_call *call);

/* All points that ftrace knows, in one pass, by the first way that the kernel has. */
struct stp_return_way;
struct stp_return_ftrace {
	struct fprobe fprobe;
	struct stp_rethook rethook;
	struct stp_return *of;
	const struct stp_return_way *by; /* which one is attached; NULL: none */
	bool is_kept;                    /* the kernel did not give it back */
	u32 known;                       /* points that ftrace can attach to */
	u32 n;                           /* points attached */
	struct stp_addresses addresses;
};

int stp_return_ftrace_arm(struct stp_return_ftrace *f, unsigned long *addrs);
void stp_return_ftrace_disarm(struct stp_return_ftrace *f);

/*
 * A way to attach them, a row of return_ftrace.c. can: whether it is one for this probe. attach: 0
 * when all N locations of ftrace's calls are attached, otherwise none is; the locations may be
 * changed. detach: of what is attached; no hit of it runs afterwards. False: the kernel does not
 * give it back, nothing of it may be freed or attached again, and the module stays.
 * Context: process, may sleep.
 */
struct stp_return_way {
	int (*can)(const struct stp_probe *p);
	int (*attach)(struct stp_return_ftrace *f, unsigned long *locations, u32 n);
	bool (*detach)(struct stp_return_ftrace *f);
};

extern const struct stp_return_way stp_return_fprobe;  /* with STP_HAVE_FPROBE */
extern const struct stp_return_way stp_return_rethook; /* with STP_HAVE_RETHOOK */

/* One for each point. */
struct stp_kretprobe;
struct stp_return_kretprobes {
	struct stp_kretprobe *list; /* room for all points */
	struct stp_return *of;
	u32 n; /* registered */
};

int stp_return_kretprobes_init(struct stp_return_kretprobes *k, u32 n_points);
void stp_return_kretprobes_exit(struct stp_return_kretprobes *k);
int stp_return_kretprobes_arm(struct stp_return_kretprobes *k, const unsigned long *addrs);
void stp_return_kretprobes_disarm(struct stp_return_kretprobes *k);

#endif
