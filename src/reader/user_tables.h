/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of files that user stacks met and that the module carries none of (`tables` in
 * runtime/uapi/wire.h): made one at a time by stap-table, which stands where stapio does, in a
 * process beside this one, so that records are printed meanwhile.
 *
 * What reads the file runs as root, so of files only those are read that nobody but root decides
 * upon: regular ones of root's, which nobody else may write, in a file system that is not mounted
 * nosuid, as those of users and of removable media are. The module asks for no other; here it is
 * asked again of what the file is by the mount it was opened by. The descriptor is the module's, of
 * what is mapped: nobody can put another file in its place.
 */
#ifndef SPILE_READER_USER_TABLES_H
#define SPILE_READER_USER_TABLES_H

#include <limits.h>
#include <sys/types.h>

#include "reader/messages.h"
#include "runtime/uapi/wire.h"

#define USER_TABLE_CPU_MAX 120 /* seconds that one file may take */

/* Begun by user_tables_open(), ended by user_tables_close(). Descriptors are its own. */
struct user_tables {
	int fd;      /* `tables`; -1: the module asks for none */
	int said;    /* what the maker says, and by its end that it has ended; -1: none runs */
	int made;    /* the table, behind room for struct stp_table_given */
	pid_t maker; /* leads a process group of its own; reaped by whoever reaps children */
	stp_u32 slot;
	char path[256]; /* of the file, for messages */
	char why[256];  /* the maker's words */
	char program[PATH_MAX];
};

/* DIR: the module's files. That there is nothing to do is no error. */
void user_tables_open(struct user_tables *u, const char *dir);
/* What is to be polled for reading; -1: nothing. */
int user_tables_poll(const struct user_tables *u);
/* It was readable. Does not block. */
void user_tables_serve(struct user_tables *u, struct messages *messages);
/*
 * A maker that runs is told to end, and is left to be reaped. Accepts one that was never opened,
 * with -1 for descriptors.
 */
void user_tables_close(struct user_tables *u);

#endif
