/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command of -c: what is executed directly, and what only a shell can run. Nothing is executed
 * here.
 */
#ifndef SPILE_BASE_COMMAND_WORDS_H
#define SPILE_BASE_COMMAND_WORDS_H

#include <stdbool.h>
#include <wordexp.h>

/*
 * The words of a simple command, as a shell would split them: quotes and escapes are undone,
 * $NAME, ~ and file name patterns are expanded; to be given back with wordfree(). False when only
 * a shell can run text: for |, &, ;, <, >, (, ), {, } and new lines outside quotes, command
 * substitution, an assignment or a reserved word in front, comments, and quotes without end.
 */
bool command_words(const char *text, wordexp_t *ret);

#endif
