/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that a kernel serves, by the names and numbers of its machine.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_SYSCALLS_H
#define SPILE_TARGET_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct target;

/* A call by its number, as programs of one kind make it. */
struct target_syscall {
	const char *name;     /* __NR_name */
	const char *function; /* symbol that serves it: "__x64_sys_openat" */
	uint32_t abi, number; /* abi: 0: the machine's own programs; see struct machine */
	bool is_compat;       /* of 32-bit programs */
};
/* A list in the target's arena. */
struct target_syscalls {
	struct target_syscall *data;
	size_t n, cap;
	bool known; /* the machine's table has the name, served or not */
};
/* The calls of that name that this kernel serves, the machine's own first; no pattern. */
struct error *target_find_syscalls(struct target *t, const char *name,
				   struct target_syscalls *ret) ERROR_MUST_CHECK;
/* Names of calls near to NAME, best first, at most MAX; returns how many. */
size_t target_similar_syscalls(struct target *t, const char *name, const char **ret, size_t max);

#endif
