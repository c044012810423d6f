/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --semantic-keep-going: the errors of pass 2 once more, for programs. */
#ifndef SPILE_DRIVER_KEEP_GOING_H
#define SPILE_DRIVER_KEEP_GOING_H

#include <stdio.h>

struct diag_sink;

/*
 * "SEMANTIC_ERRORS: N", a line
 * "SEMANTIC_ERROR<TAB>file<TAB>line<TAB>column<TAB>token<TAB>message" each,
 * "SEMANTIC_ERRORS_END". Tabs and newlines in file and message are blanks. An error without a
 * place has an empty file and token, and 0 for line and column.
 */
void keep_going_print(const struct diag_sink *sink, FILE *to);

#endif
