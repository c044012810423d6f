// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel stacks and symbols. The stack is taken from where we are, so it begins with our own frames
 * and those of the probe mechanism; they are cut off at the probed instruction. The jump of an
 * optimised kprobe leaves no frame that the kernel can follow, so that is not there: the stack is
 * then taken from the event's registers, or failing that cut off behind the last frame of this
 * module.
 *
 * Context: any handler. At most STP_MAX_FRAMES frames are looked at.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/stacktrace.h>
#include "access/access.h"
#include "arch/arch.h"
#include "arch/stack.h"
#include "tapset/addresses.h"
#include "tapset/functions.h"
#include "tapset/stack.h"

#define CALL_SIZE 16 /* a frame this close behind the probed address is its call to us */

/* From the registers of the event at PROBED; 0: it cannot be had. */
static int take_from_registers(struct stp_ctx *c, unsigned long probed, struct stp_frames *f)
{
	u32 n;

	if (!c->regs || c->flags & STP_CTX_USER_REGS)
		return 0;
	n = stp_arch_stack_from(c->regs, probed, &f->pcs[1], STP_BACKTRACE_DEPTH - 1);
	if (!n)
		return 0;
	f->pcs[0] = probed;
	f->first = 0;
	f->n = n + 1;
	f->at_event = 1;
	return 1;
}

/**
 * stp_frames_take - the stack from the event on
 *
 * Context: any handler.
 */
void stp_frames_take(struct stp_ctx *c, struct stp_frames *f)
{
	/* at a return the function's own frame is gone: begin where it returns to */
	unsigned long probed = c->flags & STP_CTX_RETURN ? 0 : c->point_addr, pc;
	u32 i;

	f->n = stack_trace_save(f->pcs, STP_MAX_FRAMES, 0);
	f->first = 0;
	f->at_event = 0;
	if (c->regs && !(c->flags & STP_CTX_USER_REGS) && !probed)
		probed = stp_arch_pc(c->regs);
	for (i = 0; i < f->n; i++) {
		pc = f->pcs[i];
		if (probed && pc >= probed && pc < probed + CALL_SIZE) {
			f->first = i;
			f->pcs[i] = probed;
			f->at_event = 1;
			break;
		}
		if (within_module(pc, THIS_MODULE))
			f->first = i + 1;
	}
	if (probed && !f->at_event && take_from_registers(c, probed, f))
		return;
	if (f->n > f->first + STP_BACKTRACE_DEPTH)
		f->n = f->first + STP_BACKTRACE_DEPTH;
}

/**
 * stp_symdata_put - name an address
 *
 * Context: any handler.
 */
void stp_symdata_put(struct stp_text *t, unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	u32 len;

	sprint_symbol(name, addr);
	len = strlen(name);
	stp_text_add(t, name, len);
	if (!strncmp(name, "0x", 2))
		return; /* nobody knows it */
	if (name[len - 1] != ']')
		stp_text_add(t, " [kernel]", 9);
}

static void function_put(struct stp_text *t, unsigned long pc)
{
	stp_text_printf(t, " 0x%lx : ", pc);
	stp_symdata_put(t, pc);
	stp_text_char(t, '\n');
}

/* at: where the source has it, stp_frame_place() */
static void frame_add(struct stp_text *t, unsigned long pc, unsigned long at)
{
	u32 before = t->len, len;

	function_put(t, pc);
	if (!stp_script.put_inlined)
		return;
	/* the copies come before the function, but only into the room that it leaves */
	len = t->len - before;
	t->len = before;
	stp_script.put_inlined(t, len, pc, at, NULL);
	function_put(t, pc);
}

static int frame_print(struct stp_ctx *c, unsigned long pc, unsigned long at)
{
	struct stp_text t;

	if (!stp_text_print(c, &t))
		return 0;
	if (stp_script.put_inlined)
		stp_script.put_inlined(&t, 0, pc, at, NULL);
	function_put(&t, pc);
	stp_text_printed(&t);
	return 1;
}

struct stp_str stp_fn_backtrace(struct stp_ctx *c)
{
	return stp_fn_callers(c, -1);
}

struct stp_str stp_fn_callers(struct stp_ctx *c, stp_long n)
{
	struct stp_frames f;
	struct stp_text t;
	u32 i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_frames_take(c, &f);
	for (i = f.first; i < f.n && (n < 0 || i - f.first < n); i++)
		stp_text_printf(&t, "%s0x%lx", i > f.first ? " " : "", f.pcs[i]);
	return stp_text_end(c, &t);
}

stp_long stp_fn_stack(struct stp_ctx *c, stp_long n)
{
	struct stp_frames f;

	stp_frames_take(c, &f);
	return n >= 0 && n < f.n - f.first ? f.pcs[f.first + n] : 0;
}

void stp_fn_print_backtrace(struct stp_ctx *c)
{
	struct stp_frames f;
	u32 i;

	stp_frames_take(c, &f);
	for (i = f.first; i < f.n; i++) {
		if (!frame_print(c, f.pcs[i], stp_frame_place(&f, i)))
			return;
	}
}

struct stp_str stp_fn_sprint_backtrace(struct stp_ctx *c)
{
	struct stp_frames f;
	struct stp_text t;
	u32 i;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_frames_take(c, &f);
	for (i = f.first; i < f.n; i++)
		frame_add(&t, f.pcs[i], stp_frame_place(&f, i));
	return stp_text_end(c, &t);
}

/* Lists of addresses are taken for stacks from an event on: callers() makes them. */
void stp_fn_print_syms(struct stp_ctx *c, struct stp_str callers)
{
	int first = 1;
	unsigned long pc;

	while ((pc = stp_next_address(&callers)) != 0) {
		if (!frame_print(c, pc, pc - !first))
			return;
		first = 0;
	}
}

struct stp_str stp_fn_sprint_syms(struct stp_ctx *c, struct stp_str callers)
{
	int first = 1;
	unsigned long pc;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	while ((pc = stp_next_address(&callers)) != 0) {
		frame_add(&t, pc, pc - !first);
		first = 0;
	}
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_symdata(struct stp_ctx *c, stp_long addr)
{
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_symdata_put(&t, addr);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_symname(struct stp_ctx *c, stp_long addr)
{
	char name[KSYM_SYMBOL_LEN];
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	sprint_symbol_no_offset(name, addr);
	stp_text_add(&t, name, strcspn(name, " "));
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_modname(struct stp_ctx *c, stp_long addr)
{
	char name[KSYM_SYMBOL_LEN];
	struct stp_text t;
	char *module;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	sprint_symbol_no_offset(name, addr);
	module = strchr(name, '[');
	if (!strncmp(name, "0x", 2))
		stp_errorf(c, "no module knows the address 0x%llx", addr);
	else if (module)
		stp_text_add(&t, module + 1, strcspn(module + 1, " ]"));
	else
		stp_text_add(&t, "kernel", 6);
	return stp_text_end(c, &t);
}

stp_long stp_fn_caller_addr(struct stp_ctx *c)
{
	return c->caller ? c->caller : stp_fn_stack(c, 1);
}

struct stp_str stp_fn_caller(struct stp_ctx *c)
{
	unsigned long caller = stp_fn_caller_addr(c);
	char name[KSYM_SYMBOL_LEN];
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (caller) {
		sprint_symbol_no_offset(name, caller);
		stp_text_printf(&t, "%s 0x%lx", name, caller);
	}
	return stp_text_end(c, &t);
}
