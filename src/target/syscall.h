/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameters of system calls, by the descriptions that the kernel's image has of them
 * (struct syscall_metadata), and where the caller's registers have their values.
 */
#ifndef SPILE_TARGET_SYSCALL_H
#define SPILE_TARGET_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

struct machine_syscalls;
struct target;
struct target_scope;

/* System calls of the image, by struct syscall_metadata. */
struct syscall_parameter {
	const char *name, *type;
};
/*
 * FUNCTION: "__x64_sys_openat". -1: no wrapper, or unknown; else how many (at most 6), and *calls
 * says in which registers of the caller they are.
 */
int syscall_parameters(struct target *t, const char *function, struct syscall_parameter ret[6],
		       const struct machine_syscalls **calls);
/*
 * Appends the parameters to the scope's variables, those of the first N of them that have names by
 * their names, and all six words as $arg1 to $arg6, unlisted: of 32-bit callers a number in two
 * words counts as one, so that $argN means the same as in the machine's own call. at_wrapper: the
 * probe is at the entry of a wrapper; else at the system call itself, where registers are the
 * caller's.
 */
void syscall_add_variables(struct target_scope *s, const struct machine_syscalls *calls,
			   const struct syscall_parameter *params, int n, bool at_wrapper);
/* Appends $return, as the caller gets it, when a system call is over. */
void syscall_add_result(struct target_scope *s, const struct machine_syscalls *calls);

/* A description of an entry in the image: struct syscall_metadata. */
struct syscall_metadata {
	const char *name; /* "sys_openat" */
	uint64_t addr;
};

#endif
