// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers by name, and arguments and results written (guru).
 *
 * Context: any handler.
 */
#include <linux/kernel.h>
#include "access/access.h"
#include "arch/arch.h"
#include "tapset/argument.h"
#include "tapset/functions.h"

/* A name of a register, or of its lowest bytes. */
struct register_name {
	const char *name;
	u16 offset; /* in struct stp_regs */
	u16 size;   /* bytes */
};

#define WHOLE(number, text, member, entry)                                                         \
	{                                                                                          \
		text, offsetof(struct stp_regs, member), sizeof(unsigned long)                     \
	}
#define PART(text, member, bytes)                                                                  \
	{                                                                                          \
		text, offsetof(struct stp_regs, member), bytes                                     \
	}
static const struct register_name whole[] = { STP_REGISTERS(WHOLE) };
static const struct register_name parts[] = { STP_ARCH_REGISTER_PARTS(PART) };

static const struct register_name *find(const struct register_name *list, u32 n,
					struct stp_str name)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (strlen(list[i].name) == name.len && !memcmp(list[i].name, name.s, name.len))
			return &list[i];
	return NULL;
}

/* Bytes of a name that is none; vsnprintf() warns of a precision above 32767. */
#define NAME_SAID 64

/* NULL with the error set. */
static const struct register_name *register_find(struct stp_ctx *c, struct stp_str name)
{
	const struct register_name *r;

	if (!c->regs) {
		stp_error(c, "No registers available in this context");
		return NULL;
	}
	r = find(whole, ARRAY_SIZE(whole), name);
	if (!r)
		r = find(parts, ARRAY_SIZE(parts), name);
	if (!r)
		stp_errorf(c, "Unknown register: %.*s", (int)min_t(u32, name.len, NAME_SAID),
			   name.s);
	return r;
}

stp_long stp_fn_u_register(struct stp_ctx *c, struct stp_str name)
{
	const struct register_name *r = register_find(c, name);
	u64 value = 0;

	if (r)
		memcpy(&value, (const char *)c->regs + r->offset, r->size);
	return value;
}

stp_long stp_fn_register(struct stp_ctx *c, struct stp_str name)
{
	const struct register_name *r = register_find(c, name);
	u32 shift;
	u64 value = 0;

	if (!r)
		return 0;
	shift = 64 - 8 * r->size;
	memcpy(&value, (const char *)c->regs + r->offset, r->size);
	return (s64)(value << shift) >> shift;
}

#define PER_LINE 4

void stp_fn_print_regs(struct stp_ctx *c)
{
	struct stp_text t;
	u32 i;

	if (!c->regs) {
		stp_error(c, "No registers available in this context");
		return;
	}
	if (!stp_text_print(c, &t))
		return;
	for (i = 0; i < ARRAY_SIZE(whole); i++) {
		const void *at = (const char *)c->regs + whole[i].offset;
		int last = i % PER_LINE == PER_LINE - 1 || i == ARRAY_SIZE(whole) - 1;

		stp_text_printf(&t, "%6s: %016lx%c", whole[i].name, *(const unsigned long *)at,
				last ? '\n' : ' ');
	}
	stp_text_printed(&t);
}

/* ---- written: the registers that the probe's own frame is restored from, or the stack ---- */

static void arg_set(struct stp_ctx *c, stp_long n, u64 value)
{
	struct stp_argument arg;

	if (!stp_argument_find(c, n, &arg))
		return;
	if (arg.in)
		*arg.in = value;
	else if (c->flags & STP_CTX_USER_REGS)
		stp_write_user(c, arg.at, arg.size, value);
	else
		stp_write_kernel(c, arg.at, arg.size, value);
}

stp_long stp_fn_set_int_arg(struct stp_ctx *c, stp_long n, stp_long v)
{
	arg_set(c, n, (int)v);
	return (int)v;
}

stp_long stp_fn_set_uint_arg(struct stp_ctx *c, stp_long n, stp_long v)
{
	arg_set(c, n, (unsigned int)v);
	return (unsigned int)v;
}

stp_long stp_fn_set_long_arg(struct stp_ctx *c, stp_long n, stp_long v)
{
	arg_set(c, n, v);
	return v;
}

void stp_fn_set_returnval(struct stp_ctx *c, stp_long v)
{
	if (!c->regs || !(c->flags & STP_CTX_RETURN)) {
		stp_error(c, "set_returnval() not defined in this context");
		return;
	}
	*stp_arch_result_at((struct stp_regs *)c->regs) = v;
}
