/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of C++ functions as a person writes them against those that symbols decode to, which have
 * all there is: "text(std::string const&)" for
 * "text(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)".
 */
#ifndef SPILE_TARGET_SOURCE_NAME_H
#define SPILE_TARGET_SOURCE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* How far a name is made like others of the same meaning. */
enum source_form {
	/* as it stands */
	SOURCE_VERBATIM,
	/*
	 * no blanks but between words, const behind what it is of, no inline namespaces of standard
	 * libraries and no tags of an ABI
	 */
	SOURCE_PLAIN,
	/* std::string besides, for what it is short for */
	SOURCE_SHORT,
};

/* Bytes before the parentheses with the parameters; all when there are none. */
size_t source_parameters(const char *text);
/* TEXT in FORM, in the arena. */
const char *source_name(struct arena *arena, const char *text, enum source_form form);
/*
 * Does the list PATTERN, "(int, *)", mean LIST, "(int, char const*) const"? '*' is any text where a
 * parameter begins, and a pointer elsewhere. What stands behind the parentheses is compared if
 * PATTERN has it.
 */
bool source_parameters_match(struct arena *arena, const char *pattern, const char *list);

#endif
