/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which objects' source lines and inlined functions a module carries: those of what the script probes, of the kernel, and of -d. */
#ifndef SPILE_DRIVER_CARRY_LINES_H
#define SPILE_DRIVER_CARRY_LINES_H

#include <stdbool.h>

struct session;

/*
 * Fills the program's list, when a function that it calls needs one. After carry_files(). Lines that are missing are warned of; with --inline-stacks
 * what is missing is an error, reported: false.
 */
bool carry_lines(struct session *s);

#endif
