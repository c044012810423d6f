// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets of signals, and struct sigaction, as system calls get them in user memory. A set is said as
 * the fewer of what is in it and, behind ~, what is not.
 *
 * Context: any handler.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/signal.h>
#include <linux/string.h>

#include "access/access.h"
#include "arch/arch.h"
#include "tapset/functions.h"

#define SIGNALS 64

/*
 * Of signals 1 to 31 (arch/x86/include/uapi/asm/signal.h, the same on Arm); those above are
 * real-time ones.
 */
static const char *const names[] = {
	"HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1", "SEGV",
	"USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN", "TTOU",
	"URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS",
};

/**
 * stp_signal_name - append HUP for 1, RTMIN for the kernel's first of POSIX.1b, 32, RT_1 for 33
 * @number: 1 to 64
 * Context: any.
 */
void stp_signal_name(struct stp_text *t, u32 number)
{
	if (number <= ARRAY_SIZE(names))
		stp_text_printf(t, "%s", names[number - 1]);
	else
		stp_text_printf(t, number > 32 ? "RT_%u" : "RTMIN", number - 32);
}

static void add_set(struct stp_text *t, u64 set)
{
	const char *blank = "";
	u32 i;

	if (hweight64(set) > SIGNALS / 2) {
		stp_text_char(t, '~');
		set = ~set;
	}
	stp_text_char(t, '[');
	for (i = 0; i < SIGNALS; i++) {
		if (!(set & BIT_ULL(i)))
			continue;
		stp_text_printf(t, "%s", blank);
		stp_signal_name(t, i + 1);
		blank = " ";
	}
	stp_text_char(t, ']');
}

struct stp_str stp_fn_sigset_str(struct stp_ctx *c, stp_long mask)
{
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	add_set(&t, mask);
	return stp_text_end(c, &t);
}

struct stp_str stp_fn_sigset_u_str(struct stp_ctx *c, stp_long uaddr, stp_long size)
{
	struct stp_text t;
	u64 set = 0;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (!uaddr || size < 1 ||
	    stp_copy_from(STP_USER, &set, uaddr, min_t(stp_long, size, sizeof(set))))
		stp_text_printf(&t, "0x%llx", uaddr);
	else
		add_set(&t, set);
	return stp_text_end(c, &t);
}

/*
 * struct sigaction of the kernel: handler, flags, restorer, mask (include/linux/signal_types.h), in
 * words of the caller.
 */
static int read_action(stp_long uaddr, u64 *handler, u64 *flags, u64 *mask)
{
	u64 wide[4];
	u32 narrow[5];

	if (!stp_arch_syscall_abi()) {
		if (stp_copy_from(STP_USER, wide, uaddr, sizeof(wide)))
			return -EFAULT;
		*handler = wide[0];
		*flags = wide[1];
		*mask = wide[3];
		return 0;
	}
	if (stp_copy_from(STP_USER, narrow, uaddr, sizeof(narrow)))
		return -EFAULT;
	*handler = narrow[0];
	*flags = narrow[1];
	*mask = narrow[3] | (u64)narrow[4] << 32;
	return 0;
}

static const struct {
	u32 bit;
	const char *name;
} flag_names[] = {
	{ SA_NOCLDSTOP, "SA_NOCLDSTOP" }, { SA_NOCLDWAIT, "SA_NOCLDWAIT" },
	{ SA_SIGINFO, "SA_SIGINFO" },     { 0x04000000, "SA_RESTORER" },
	{ SA_ONSTACK, "SA_ONSTACK" },     { SA_RESTART, "SA_RESTART" },
	{ SA_NODEFER, "SA_NODEFER" },     { SA_RESETHAND, "SA_RESETHAND" },
};

static void add_flags(struct stp_text *t, u64 flags)
{
	const char *bar = "";
	u32 i;

	for (i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (!(flags & flag_names[i].bit))
			continue;
		stp_text_printf(t, "%s%s", bar, flag_names[i].name);
		flags &= ~(u64)flag_names[i].bit;
		bar = "|";
	}
	if (flags || !*bar)
		stp_text_printf(t, flags ? "%s0x%llx" : "%s0", bar, flags);
}

struct stp_str stp_fn_sigaction_str(struct stp_ctx *c, stp_long uaddr)
{
	u64 handler, flags, mask;
	struct stp_text t;

	if (!stp_text_begin(c, &t))
		return stp_empty();
	if (!uaddr || read_action(uaddr, &handler, &flags, &mask)) {
		stp_text_printf(&t, "0x%llx", uaddr);
		return stp_text_end(c, &t);
	}
	if (handler > 1)
		stp_text_printf(&t, "{sa_handler=0x%llx, sa_mask=", handler);
	else
		stp_text_printf(&t, "{sa_handler=%s, sa_mask=", handler ? "SIG_IGN" : "SIG_DFL");
	add_set(&t, mask);
	stp_text_printf(&t, ", sa_flags=");
	add_flags(&t, flags);
	stp_text_char(&t, '}');
	return stp_text_end(c, &t);
}
