// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was hit: probe point and function names, registers, arguments, return values.
 *
 * Context: any handler.
 */
#include <linux/kallsyms.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include "access/access.h"
#include "arch/arch.h"
#include "probes/probes.h"
#include "tapset/argument.h"
#include "tapset/functions.h"

struct stp_str stp_fn_pp(struct stp_ctx *c)
{
	const struct stp_point *point = stp_ctx_point(c);

	return stp_cstr(point ? point->pp : c->probe->pn);
}

struct stp_str stp_fn_pn(struct stp_ctx *c)
{
	const struct stp_point *point = c->probe->points->pn ? stp_ctx_point(c) : NULL;

	if (point && point->pn)
		return stp_cstr(point->pn);
	return c->probe->flags & STP_PROBE_NAMED_BY_POINT ? stp_fn_pp(c) : stp_cstr(c->probe->pn);
}

struct stp_str stp_fn_ppfunc(struct stp_ctx *c)
{
	const struct stp_point *point = stp_ctx_point(c);

	return point && point->function ? stp_cstr(point->function) : stp_empty();
}

static struct stp_str symbol_at(struct stp_ctx *c, unsigned long addr)
{
	char *text = stp_scratch(c, KSYM_SYMBOL_LEN);
	u32 len;

	if (!text)
		return stp_empty();
	sprint_symbol_no_offset(text, addr);
	len = strcspn(text, " "); /* " [module]" */
	text[len] = '\0';
	return (struct stp_str){ text, len };
}

struct stp_str stp_fn_probefunc(struct stp_ctx *c)
{
	const struct stp_point *point = stp_ctx_point(c);

	if (point && point->function)
		return stp_cstr(point->function);
	if (c->regs && !(c->flags & STP_CTX_USER_REGS))
		return symbol_at(c, stp_arch_pc(c->regs));
	return stp_empty();
}

struct stp_str stp_fn_probemod(struct stp_ctx *c)
{
	const struct stp_point *point = stp_ctx_point(c);

	return stp_cstr(point && point->module ? point->module : "kernel");
}

struct stp_str stp_fn_probe_type(struct stp_ctx *c)
{
	return stp_cstr(c->probe->family->type);
}

stp_long stp_fn_addr(struct stp_ctx *c)
{
	return c->point_addr ? c->point_addr : c->regs ? stp_arch_pc(c->regs) : 0;
}

stp_long stp_fn_uaddr(struct stp_ctx *c)
{
	if (c->flags & (STP_CTX_PROCESS | STP_CTX_TASK))
		return 0;
	if (c->regs && (c->flags & STP_CTX_USER_REGS))
		return stp_arch_pc(c->regs);
	if (current->flags & PF_KTHREAD)
		return 0;
	return instruction_pointer(task_pt_regs(current));
}

stp_long stp_fn_is_return(struct stp_ctx *c)
{
	return !!(c->flags & STP_CTX_RETURN);
}

stp_long stp_fn_user_mode(struct stp_ctx *c)
{
	return !!(c->flags & STP_CTX_USER_REGS);
}

stp_long stp_fn_registers_valid(struct stp_ctx *c)
{
	return !!c->regs;
}

/* The nth word argument of the function just entered, by the C calling convention; without sign. */
static stp_long arg_word(struct stp_ctx *c, stp_long n)
{
	struct stp_argument arg;

	if (!stp_argument_find(c, n, &arg))
		return 0;
	if (arg.in)
		return *arg.in;
	return c->flags & STP_CTX_USER_REGS ? stp_read_user(c, arg.at, arg.size, 0)
					    : stp_read_kernel(c, arg.at, arg.size, 0);
}

stp_long stp_fn_int_arg(struct stp_ctx *c, stp_long n)
{
	return (int)arg_word(c, n);
}

stp_long stp_fn_uint_arg(struct stp_ctx *c, stp_long n)
{
	return (unsigned int)arg_word(c, n);
}

/* What a word of the program that hit, or of the kernel, is as a signed number. */
static stp_long with_sign(const struct stp_ctx *c, stp_long word)
{
	return c->flags & STP_CTX_USER_REGS && stp_arch_user_word(c->regs) == 4 ? (int)word : word;
}

stp_long stp_fn_ulong_arg(struct stp_ctx *c, stp_long n)
{
	return arg_word(c, n);
}

stp_long stp_fn_long_arg(struct stp_ctx *c, stp_long n)
{
	stp_long word = arg_word(c, n);

	return c->regs ? with_sign(c, word) : word;
}

/* Of a program of 32 bits it is in two words, the lower one first. */
stp_long stp_fn_longlong_arg(struct stp_ctx *c, stp_long n)
{
	stp_long low = arg_word(c, n);

	if (!c->regs || !(c->flags & STP_CTX_USER_REGS) || stp_arch_user_word(c->regs) != 4)
		return low;
	return (low & 0xffffffff) | arg_word(c, n + 1) << 32;
}

stp_long stp_fn_returnval(struct stp_ctx *c)
{
	if (!c->regs || !(c->flags & STP_CTX_RETURN)) {
		stp_error(c, "returnval() not defined in this context");
		return 0;
	}
	return with_sign(c, stp_arch_result(c->regs));
}

struct stp_str stp_fn_returnstr(struct stp_ctx *c, stp_long format)
{
	if (!c->regs || !(c->flags & STP_CTX_RETURN))
		return stp_cstr("N/A");
	return stp_fn_return_str(c, format, stp_arch_result(c->regs));
}

struct stp_str stp_fn_return_str(struct stp_ctx *c, stp_long format, stp_long value)
{
	struct stp_str name = stp_empty();
	struct stp_text t;

	if (format < 1 || format > 3)
		return stp_cstr("N/A");
	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (value < 0 && value >= -4095)
		name = stp_fn_errno_str(c, value);
	if (name.len)
		stp_text_printf(&t, "%lld (%.*s)", value, (int)name.len, name.s);
	else if (format == 1)
		stp_text_printf(&t, "%lld", value);
	else
		stp_text_printf(&t, format == 2 ? "0x%llx" : "%#llo", value);
	return stp_text_end(c, &t);
}
