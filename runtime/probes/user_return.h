/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Returns of functions of programs and shared libraries. What a return is, is in probes/return.h;
 * its key is a frame (struct stp_user_frame). Two attachments share what is here:
 *
 *	uretprobe.c   the kernel's uretprobes, which put an address of their own in the place of the return address
 *	uexit.c       uprobes on the instructions that leave the function, for programs that look at return addresses
 *
 * Context: handlers run in the context of the task that hit, interrupts on; the rest process, may
 * sleep.
 */
#ifndef STP_PROBES_USER_RETURN_H
#define STP_PROBES_USER_RETURN_H

#include "probes/return.h"
#include "probes/uprobe.h"

/* One for each probe: p->impl. */
struct stp_user_return {
	struct stp_uprobes set;
	struct stp_return calls;
	struct stp_user_calls on_their_way; /* where entries are noted */
};

/* Of a uprobe of .set, whose handler asks. Context: any. */
static inline struct stp_user_return *stp_user_return_of(const struct stp_uprobe *u)
{
	return container_of(u->of, struct stp_user_return, set);
}

int stp_user_return_prepare(struct stp_probe *p, int notes_entries);
void stp_user_return_release(struct stp_probe *p);
int stp_user_return_arm(struct stp_probe *p, const struct uprobe_consumer *entry,
			const struct uprobe_consumer exits[STP_EXIT_KINDS]);
void stp_user_return_disarm(struct stp_probe *p);
u32 stp_user_return_attached(const struct stp_probe *p);

/* ---- of handlers, with interrupts off ---- */
void stp_user_return_context(struct stp_cpu *cpu, const struct stp_uprobe *u, struct pt_regs *regs,
			     unsigned long func);
unsigned long stp_user_return_address(const struct stp_regs *r);
void stp_user_return_entered(struct stp_uprobe *u, const struct stp_user_frame *frame,
			     struct pt_regs *regs);
void stp_user_return_left(struct stp_user_return *r, struct stp_cpu *cpu,
			  struct stp_user_call *call);

#endif
