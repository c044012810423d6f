/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of options as getopt_long() wants it, and as --help prints it. Long options are told
 * apart by the index of their row, letters by themselves.
 */
#include "base/option_rows.h"

#include <assert.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#define LONG 256 /* getopt_long()'s value of a long option: this and the index of its row */

static const struct option_name *name_at(const struct option_rows *table, size_t i)
{
	return (const void *)((const char *)table->rows + i * table->size);
}

static int row_of_letter(const struct option_rows *table, int letter)
{
	for (size_t i = 0; i < table->n; i++)
		if (name_at(table, i)->letter == letter)
			return i;
	return OPTION_UNKNOWN;
}

int option_rows_next(const struct option_rows *table, int argc, char **argv)
{
	struct option names[OPTION_ROWS_MAX + 1];
	char letters[3 * OPTION_ROWS_MAX + 1], *to = letters;
	size_t n = 0;
	int c;

	assert(table->n <= OPTION_ROWS_MAX);
	for (size_t i = 0; i < table->n; i++) {
		const struct option_name *row = name_at(table, i);

		if (row->name)
			names[n++] = (struct option){ row->name, row->arg, NULL, LONG + (int)i };
		if (row->letter)
			*to++ = row->letter;
		for (int k = 0; row->letter && k < row->arg; k++)
			*to++ = ':';
	}
	names[n] = (struct option){ 0 };
	*to = '\0';
	c = getopt_long(argc, argv, letters, names, NULL);
	if (c == -1)
		return OPTION_END;
	return c >= LONG ? c - LONG : row_of_letter(table, c);
}

/* The option as it is typed, with its argument, and how many columns that takes. */
static int print_option(FILE *to, const struct option_name *row)
{
	bool optional = row->arg == optional_argument;
	int n = fprintf(to, "  ");

	if (row->letter)
		n += fprintf(to, "-%c", row->letter);
	if (row->name)
		n += fprintf(to, "%s--%s", row->letter ? ", " : "", row->name);
	if (row->value)
		n += fprintf(to, "%s%s%s",
			     optional    ? "[="
			     : row->name ? "="
					 : " ",
			     row->value, optional ? "]" : "");
	return n;
}

/* Each line of the text at COLUMN, the first beside the option where there is room. */
static void print_row(FILE *to, const struct option_name *row, int column)
{
	int at = print_option(to, row);
	size_t len;

	if (at > column - 2) {
		putc('\n', to);
		at = 0;
	}
	for (const char *line = row->help; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		fprintf(to, "%*s%.*s\n", column - at, "", (int)len, line);
		at = 0;
	}
}

void option_rows_print(FILE *to, const struct option_rows *table, int column)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct option_name *row = name_at(table, i);

		if (!row->name && !row->letter)
			fprintf(to, "\n%s:\n", row->help);
		else if (row->help)
			print_row(to, row, column);
	}
}
