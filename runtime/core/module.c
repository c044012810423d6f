// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loading and unloading. The module parameters are described in wire.h.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stringify.h>
#include <asm/ptrace.h>
#include "arch/arch.h"
#include "core/enter.h"
#include "relay/relay.h"
#include "wire.h"

/* Registers are handed to generated code as they are. */
#define SAME(member)                                                                               \
	_Static_assert(offsetof(struct stp_regs, member) == offsetof(struct pt_regs, member),      \
		       #member);
STP_ARCH_REGS_SAME(SAME)

static char *args; /* "name=value" items, see wire.h */
module_param(args, charp, 0);
module_param_named(_uid, stp_owner, uint, 0);
module_param_named(_ring_kb, stp_relay_kb, uint, 0);
module_param_named(_cookie, stp_cookie, ullong, 0400);

/* One "name=value" onto the script's parameter of that name. */
static int arg_apply(struct stp_ctx *c, char *item)
{
	char *value = strchr(item, '=');
	u32 i;

	if (value)
		*value++ = '\0';
	for (i = 0; value && i < stp_script.n_params; i++) {
		const struct stp_param *p = &stp_script.params[i];
		stp_long v;

		if (strcmp(p->name, item))
			continue;
		if (p->string) {
			stp_string_set(c, p->string, stp_cstr(value));
			return 0;
		}
		if (kstrtoll(value, 0, &v)) {
			pr_err("%s: %s=%s: not a number\n", THIS_MODULE->name, item, value);
			return -EINVAL;
		}
		if (p->value)
			*p->value = v;
		else
			stp_counter_set(c, p->counter, v);
		return 0;
	}
	pr_err("%s: %s: the script has no such global\n", THIS_MODULE->name, item);
	return -EINVAL;
}

static int args_apply(struct stp_ctx *c)
{
	char separator[] = { STP_ARGS_SEPARATOR, '\0' };
	char *copy = kstrdup(args ? args : "", GFP_KERNEL), *rest = copy, *item;
	int err = copy ? 0 : -ENOMEM;

	while (!err && (item = strsep(&rest, separator)) != NULL) {
		if (*item)
			err = arg_apply(c, item);
	}
	kfree(copy);
	return err;
}

static int globals_init(void)
{
	struct stp_ctx *c = stp_ctx_process();
	int err = 0;

	c->flags = STP_CTX_SLEEP | STP_CTX_ALONE | STP_CTX_PROCESS;
	if (stp_script.init)
		err = stp_script.init(c);
	if (!err)
		err = args_apply(c);
	c->error = NULL;
	return err;
}

static u32 n_members; /* initialised */

static int members_init(void)
{
	int err = 0;

	while (!err && n_members < stp_script.n_members) {
		const struct stp_member *m = stp_script.members[n_members];

		err = m->init ? m->init() : 0;
		n_members += !err;
	}
	return err;
}

static void members_exit(void)
{
	while (n_members) {
		const struct stp_member *m = stp_script.members[--n_members];

		if (m->exit)
			m->exit();
	}
}

/* Calls a hook of all members that have it. */
#define CALL_MEMBERS(hook)                                                                         \
	do {                                                                                       \
		u32 i;                                                                             \
                                                                                                   \
		for (i = 0; i < stp_script.n_members; i++) {                                       \
			if (stp_script.members[i]->hook)                                           \
				stp_script.members[i]->hook();                                     \
		}                                                                                  \
	} while (0)

/**
 * stp_members_opened - somebody opens cmd
 *
 * Context: process, may sleep: whoever opens it, several at once.
 */
void stp_members_opened(void)
{
	CALL_MEMBERS(opened);
}

/**
 * stp_members_start - the target is known: let members begin
 *
 * Returns 0, or a negative errno with stp_arm_text filled. Context: process, may sleep: the
 * session's worker.
 */
int stp_members_start(void)
{
	int err = 0;
	u32 i;

	for (i = 0; i < stp_script.n_members && !err; i++) {
		if (stp_script.members[i]->start)
			err = stp_script.members[i]->start();
	}
	return err;
}

/**
 * stp_members_armed - probes were attached, or could not be
 *
 * Context: process, may sleep. The lock of arming is held.
 */
void stp_members_armed(void)
{
	CALL_MEMBERS(armed);
}

/**
 * stp_members_running - all is armed, and hits run
 *
 * Context: process, may sleep: the session's worker.
 */
void stp_members_running(void)
{
	CALL_MEMBERS(running);
}

/**
 * stp_members_stop - the session has ended
 *
 * Context: process, may sleep: the session's worker.
 */
void stp_members_stop(void)
{
	CALL_MEMBERS(stop);
}

/* In the reverse order of init; each accepts that its init never ran. */
static void unwind(void)
{
	stp_session_finish();
	stp_control_exit();
	stp_session_exit();
	stp_probes_release();
	stp_relay_exit();
	members_exit();
	stp_stacks_exit();
	stp_contexts_exit();
}

static int __init runtime_init(void)
{
	u64 began = stp_timing_now();
	int err;

	if (stp_script.abi != STP_SCRIPT_ABI) {
		pr_err("%s: script and runtime disagree: ABI %u, not %u\n", THIS_MODULE->name,
		       stp_script.abi, STP_SCRIPT_ABI);
		return -EINVAL;
	}
	err = stp_contexts_init();
	if (!err)
		stp_stacks_init();
	if (!err)
		err = members_init();
	if (!err)
		err = stp_relay_init();
	if (!err)
		err = globals_init();
	if (!err)
		err = stp_probes_prepare();
	if (!err)
		err = stp_session_init();
	if (!err)
		err = stp_control_init();
	if (err) {
		unwind();
		return err;
	}
	stp_timing_loading = stp_timing_now() - began;
	pr_info("%s (%s): %u probes, %u kB of output buffer per CPU\n", THIS_MODULE->name,
		stp_script.script_name ? stp_script.script_name : "-", stp_script.n_probes,
		stp_relay_len >> 10);
	return 0;
}

static void __exit runtime_exit(void)
{
	unwind();
}

module_init(runtime_init);
module_exit(runtime_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("compiled script");
MODULE_INFO(stap_wire, __stringify(STP_WIRE_VERSION)); /* staprun loads what has this */
