/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same work on many objects, on all CPUs: in children, since targets and arenas are of one
 * thread, and a damaged file may bring a reader down.
 */
#ifndef SPILE_TARGET_WORKERS_H
#define SPILE_TARGET_WORKERS_H

#include <stddef.h>

struct target;

/*
 * Calls WORK with each number below N, in some child, and returns when all children have ended.
 * What a child does to memory is lost, but for what ARG leads to when that is from
 * workers_memory(); the target's progress, notice and warning are not called. Children that cannot
 * be made, or die, leave numbers out: the caller sees by what is missing.
 */
void workers_run(struct target *t, size_t n, void (*work)(void *arg, size_t i), void *arg);
/* Zeroed memory that children share; NULL: there is none. workers_free() gives it back. */
void *workers_memory(size_t size);
void workers_free(void *memory, size_t size);

#endif
