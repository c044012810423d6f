/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running kernel without any file of it: what it tells root about itself. Symbols are in
 * /proc/kallsyms, types in /sys/kernel/btf/vmlinux, what ftrace can trace, what kprobes must not,
 * events and their fields in tracefs and debugfs, the build-id in /sys/kernel/notes. Addresses are
 * those of this boot, less its slide, so they serve like link-time addresses. What is missing
 * (tracefs not mounted) only makes the answer poorer; symbols must be there.
 */
#ifndef SPILE_TARGET_LIVE_H
#define SPILE_TARGET_LIVE_H

#include "target/index.h"
#include "target/internal.h"
#include "target/syscall.h"

/* The machine of the running kernel; NULL: Spile does not know it. */
const struct machine *live_machine(void);
/* NULL when RELEASE is the running kernel and it shows its symbols; else why not, with a hint. */
struct error *live_check(const char *release) ERROR_MUST_CHECK;
/*
 * The index in *index, to be closed, and in *btf the types, on the heap (NULL: the kernel has
 * none). On failure *index is untouched and what *btf pointed to is freed.
 */
struct error *live_open(struct index *index, char **btf, size_t *btf_len) ERROR_MUST_CHECK;
/*
 * The build-id of the running kernel; false, with RET untouched, when it tells none of
 * BUILD_ID_SIZE bytes.
 */
bool live_build_id(unsigned char ret[BUILD_ID_SIZE]);
/* The "print fmt" of an event, in ARENA; NULL: tracefs does not say. */
const char *live_event_format(struct arena *arena, const char *system, const char *name);
/* CALL: "sys_openat". As syscall_parameters(). */
int live_syscall_parameters(struct arena *arena, const char *call, struct syscall_parameter ret[6]);

#endif
