/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files' tables a module carries, so that user stacks and addresses can be told of: -d, --ldd, and what the script probes. */
#ifndef SPILE_DRIVER_CARRY_H
#define SPILE_DRIVER_CARRY_H

struct session;

/*
 * Fills the program's list, when a function that it calls needs one: the files that its points are in, the program of -c or -x, those of -d and what all
 * of them need of libraries. After sema; a file of -d that cannot be read, and a module that the kernel has not, is warned of.
 */
void carry_files(struct session *s);

#endif
