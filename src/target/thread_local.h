/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local variables of programs and libraries: from a place in the block that every thread has
 * of a file's to a fetch program for the address. Programs are in the target's arena. What is known
 * when a script is translated is the file alone; a library's block is found by words in the memory
 * of the process, whose addresses are those of the file, to be relocated like any
 * (location_relocate()).
 */
#ifndef SPILE_TARGET_THREAD_LOCAL_H
#define SPILE_TARGET_THREAD_LOCAL_H

#include <stdint.h>

#include "ir/fetch.h"

struct target_object;

/*
 * Appends what pushes the address, in the thread that hit, of the byte OFFSET of O's block. NULL:
 * done; else why it cannot, to follow a name and a colon, and PROG is as it was.
 */
const char *thread_local_push(const struct target_object *o, uint64_t offset,
			      struct fetch_program *prog);

/*
 * PROG, for a variable of the program O, is used at points that are not in O: it gives an address
 * that can be read only in a process that runs O. PROG, if it is changed, becomes another one. Of a
 * library's variable it stays: the address of a word of a library that is not mapped cannot be
 * read.
 */
void thread_local_require_mapped(struct target_object *o, struct fetch_program *prog);

#endif
