// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers do that a script without strings, functions, division and try does not: a member,
 * so that it has none of it.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "core/enter.h"
#include "core/scratch.h"

/**
 * stp_scratch - bytes that live until the generated code resets c->top
 *
 * Context: any handler. NULL with the error set when scratch is used up.
 */
char *stp_scratch(struct stp_ctx *c, stp_u32 n)
{
	char *p = PTR_ALIGN(c->top, 8);

	if (unlikely(p > c->limit || n > c->limit - p)) {
		stp_error(c, "string scratch space exceeded");
		return NULL;
	}
	c->top = p + n;
	return p;
}

/**
 * stp_string_get - a copy of a string global
 *
 * Context: any handler; the global's lock is held where it needs one.
 */
struct stp_str stp_string_get(struct stp_ctx *c, const struct stp_string *g)
{
	return stp_scratch_copy(c, g->text, min(g->len, g->size - 1));
}

/**
 * stp_call_enter - may another script function be entered?
 *
 * Returns 1 with the error set when not; the depth is counted only on success.
 *
 * Context: any handler.
 */
int stp_call_enter(struct stp_ctx *c)
{
	if (unlikely(c->depth >= (int)stp_script.max_nesting || !stp_stack_fits(stp_cpu_of(c)))) {
		stp_error(c, "MAXNESTING exceeded");
		return 1;
	}
	c->depth++;
	return 0;
}

/**
 * stp_div - a / b as the script means it
 *
 * Context: any handler.
 */
stp_long stp_div(struct stp_ctx *c, stp_long a, stp_long b)
{
	if (unlikely(!b)) {
		stp_error(c, "division by 0");
		return 0;
	}
	if (unlikely(b == -1))
		return (stp_long)(0 - (stp_u64)a);
	return a / b;
}

/**
 * stp_mod - a % b as the script means it
 *
 * Context: any handler.
 */
stp_long stp_mod(struct stp_ctx *c, stp_long a, stp_long b)
{
	if (unlikely(!b)) {
		stp_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

/**
 * stp_error_str - raise a soft error with a script's own text
 *
 * Context: any handler.
 */
void stp_error_str(struct stp_ctx *c, struct stp_str s)
{
	struct stp_cpu *cpu = stp_cpu_of(c);
	u32 len = min(s.len, cpu->message_size - 1);

	if (c->error)
		return;
	memmove(cpu->message, s.s, len);
	cpu->message[len] = '\0';
	stp_error(c, cpu->message);
}

/**
 * stp_catch - hand the error to a catch block
 *
 * Returns the message in scratch. Context: any handler.
 */
struct stp_str stp_catch(struct stp_ctx *c)
{
	const char *text = c->error ?: "";

	c->error = NULL;
	return stp_scratch_copy(c, text, min_t(u32, strlen(text), stp_script.max_string - 1));
}

/**
 * stp_condition_failed - a probe's condition could not be computed: it counts as false
 *
 * Its caller counts the hit as one that the condition turned away, unless it is a skip already.
 *
 * Context: any handler, before it runs. Returns 0.
 */
stp_long stp_condition_failed(struct stp_ctx *c)
{
	stp_error_report(c);
	return 0;
}
