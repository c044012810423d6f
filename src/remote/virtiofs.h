/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's files for a guest whose kernel has no 9p (Debian's cloud flavours): virtiofsd, read
 * only. It needs root, and a guest that has it cannot be saved: QEMU does not migrate vhost-user
 * devices.
 */
#ifndef SPILE_REMOTE_VIRTIOFS_H
#define SPILE_REMOTE_VIRTIOFS_H

#include <sys/types.h>

#include "base/error.h"

struct arena;

/* The program, wherever a distribution puts it, a static text; the error names the package. */
struct error *virtiofs_find(struct arena *arena, const char **ret) ERROR_MUST_CHECK;
/*
 * Start PROGRAM serving / over a socket, whose other end is for QEMU and the caller's to close. It
 * ends with that socket, with us, or when killed; its messages go to ERRORS, a descriptor that
 * stays the caller's.
 */
struct error *virtiofs_start(const char *program, int errors, pid_t *ret_pid,
			     int *ret_socket) ERROR_MUST_CHECK;

#endif
