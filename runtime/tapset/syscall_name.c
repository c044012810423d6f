// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names and numbers of system calls, by the table of the kind of program that the current task is.
 *
 * Context: any handler. All rows are walked.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "access/access.h"
#include "arch/arch.h"
#include "tapset/functions.h"

struct call {
	u16 abi, number;
	const char *name;
};

#define NATIVE(number, name, entries) { 0, number, #name },
#define COMPAT(number, name, entries, like, n) { 1, number, #name },
static const struct call calls[] = {
#include STP_ARCH_SYSCALLS
};

/* Outside of system calls it is the kind of the last. */
struct stp_str stp_fn_syscall_name(struct stp_ctx *c, stp_long num)
{
	unsigned long number = stp_arch_syscall_number(num);
	u32 abi = stp_arch_syscall_abi(), i;
	struct stp_text t;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (calls[i].abi == abi && calls[i].number == number)
			return stp_cstr(calls[i].name);
	}
	if (!stp_text_begin(c, &t))
		return stp_empty();
	stp_text_printf(&t, "%lld", num);
	return stp_text_end(c, &t);
}

stp_long stp_fn_syscall_num(struct stp_ctx *c, struct stp_str name)
{
	u32 abi = stp_arch_syscall_abi(), i;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (calls[i].abi == abi && strlen(calls[i].name) == name.len &&
		    !memcmp(calls[i].name, name.s, name.len))
			return calls[i].number;
	}
	return -1;
}
