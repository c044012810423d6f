/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options, a row each: adding one is a row in option_table.c, which --help shows too, a member
 * of struct options, and an entry of the manual page, which testsuite/options compares.
 */
#ifndef SPILE_DRIVER_OPTION_TABLE_H
#define SPILE_DRIVER_OPTION_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct arena;
struct options;

/* Says what is wrong, with a newline, on stderr; false. */
bool option_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Reads the options of a command line; optind is then at the first word that is none. Stops with
 * o->done set when all that was asked for has been printed. false: misuse was reported. May be
 * called again for another command line: what it sets is added to *o, or replaces it.
 */
bool options_read(struct arena *arena, int argc, char **argv, struct options *o);

/*
 * Writes to TO what --help says of each option that is not refused, below headings, in the order of
 * the table; errors of writing are for the caller's fflush() to find.
 */
void options_describe(FILE *to);

#endif
