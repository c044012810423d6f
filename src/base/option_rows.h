/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of a command line as rows of a table: read by getopt_long(), told of by --help. A
 * program's own row begins with a struct option_name, and goes on with who sets what by it.
 */
#ifndef SPILE_BASE_OPTION_ROWS_H
#define SPILE_BASE_OPTION_ROWS_H

#include <stddef.h>
#include <stdio.h>

/* Without a name and a letter it is a heading of --help. */
struct option_name {
	const char *name;  /* long, or NULL */
	char letter;       /* or 0 */
	int arg;           /* as getopt_long has it */
	const char *value; /* what --help calls its argument; NULL: it has none */
	const char *help;  /* its lines; NULL: --help does not tell of it */
};

#define OPTION_ROWS_MAX 256

/*
 * A table: n rows (at most OPTION_ROWS_MAX) of size bytes each, the first member of each a struct
 * option_name.
 */
struct option_rows {
	const void *rows;
	size_t n, size;
};

/* Instead of the index of a row. */
#define OPTION_END -1     /* argv[optind] is the first word that is no option */
#define OPTION_UNKNOWN -2 /* getopt_long() has said on stderr what is wrong */

/* The row of the next option of argv, whose argument is in optarg; optind is getopt_long()'s. */
int option_rows_next(const struct option_rows *table, int argc, char **argv);

/*
 * What --help says of each row, in their order: the option as it is typed, its lines of text from
 * COLUMN on. Errors of writing are for the caller's fflush() to find.
 */
void option_rows_print(FILE *to, const struct option_rows *table, int column);

#endif
