/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the current process has the files that the module carries tables of (user_map.c), and
 * walking its stack (user_stack.c).
 *
 * Context: any handler.
 */
#ifndef STP_UNWIND_USER_MAP_H
#define STP_UNWIND_USER_MAP_H

#include "core/internal.h"
#include "uapi/depth.h"

struct mm_struct;
struct stp_user_table;
struct vm_area_struct;

struct mm_struct *stp_user_map_hold(struct stp_ctx *c);
struct vm_area_struct *stp_user_next_vma(struct mm_struct *mm, u64 addr);
struct vm_area_struct *stp_user_vma(struct mm_struct *mm, u64 addr);

struct stp_mapped;
u64 stp_linked_address(struct stp_ctx *c, const struct stp_mapped *m, u64 link_addr);

/*
 * The step before which there were I others in a search as long as the process makes it: one action
 * for so many. Only taken off, as the search for a variable's address may stand where no error can
 * be raised: the handler's next statement finds that there are none left.
 */
#define STP_USER_STEPS_OF_ACTION 64

static inline void stp_user_map_step(struct stp_ctx *c, u32 i)
{
	c->actions -= i % STP_USER_STEPS_OF_ACTION == STP_USER_STEPS_OF_ACTION - 1;
}

/* What is at an address of the current process; good while the map is held. */
struct stp_user_place {
	struct vm_area_struct
		*vma; /* NULL: nothing is mapped there, or the map could not be held */
	const struct stp_user_table *table; /* NULL: none tells of it */
	const struct stp_carried *carried;  /* the module carries that table; NULL: it does not */
	u64 offset;                         /* in the file */
	u32 addr;                           /* with table: as linked, less the table's base */
	int wanted;                         /* there may be a table of it later */
	u32 rule;                           /* STP_RULE_* */
};

void stp_user_place(struct mm_struct *mm, u64 addr, struct stp_user_place *ret);
u32 stp_user_rule(const struct stp_user_place *place);
/* The symbol at a place: its name, how far before the place it begins, and its size. */
struct stp_user_symbol {
	const char *name;
	u32 offset, size;
};

int stp_user_symbol(const struct stp_user_place *place, struct stp_user_symbol *ret);

/* Why a stack ends where it does. */
enum stp_user_end {
	STP_STACK_WHOLE,   /* at its outermost frame, or at STP_BACKTRACE_DEPTH */
	STP_STACK_NO_MAP,  /* what the process has mapped could not be looked at */
	STP_STACK_NO_RULE, /* in code that has no table and no frame pointer */
	STP_STACK_NARROW,  /* at its innermost frame: the program is one of 32 bits */
	STP_STACK_FAULT,   /* the stack could not be read */
	/*
	 * by frame pointers, if at all, where a table is being made: what is there may be wrong,
	 * and not be all
	 */
	STP_STACK_NO_TABLE,
	STP_STACK_ENDS,
};

struct stp_user_stack {
	u64 pcs[STP_BACKTRACE_DEPTH];
	/*
	 * bit i: pcs[i] is where the frame runs; else behind its call, which may be the last
	 * instruction of a function
	 */
	u32 exact;
	u32 n;
	enum stp_user_end end;
};

/* By how much before pcs[i] its frame's place is looked up. */
static inline u32 stp_user_back(const struct stp_user_stack *s, u32 i)
{
	return !(s->exact >> i & 1);
}

/* A frame: registers as they are in it. */
struct stp_user_frame {
	u64 pc, sp, fp;
};

int stp_user_frame(struct stp_ctx *c, struct stp_user_frame *ret);
void stp_user_stack(struct mm_struct *mm, struct stp_user_frame frame, struct stp_user_stack *ret);
void stp_user_stack_cut(enum stp_user_end end);

#endif
