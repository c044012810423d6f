/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arguments of marks are written as parameters of C are: a type, perhaps with a name. */
#ifndef SPILE_DTRACE_DECLARATOR_H
#define SPILE_DTRACE_DECLARATOR_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Appends a declaration of NAME with the type of ARGUMENT, whose own name it takes the place of:
 * "int (*f)(long)" with "x" is "int (*x)(long)". D's string is a char *. false: ARGUMENT has no
 * type ("..."), and nothing is appended.
 */
bool dtrace_declare(const char *argument, const char *name, struct strbuf *out);

#endif
