/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * POSIX extended regular expressions to deterministic automata.
 *
 * A pattern is bytes; ^ and $ are the ends of the string, wherever they stand; . is any byte. What
 * is asked of the tables: does the pattern match somewhere (one forward run that stops at the first
 * sight of a match), and, when groups are wanted, where: of all matches the one that begins first,
 * of those the longest, and inside of it each part as long as it can be, from the left. How, is
 * told in runtime/uapi/dfa.h, which has the tables.
 *
 * The stages: parse.c (text to tree), nfa.c (a tree, or several in a row, to a nondeterministic
 * automaton), dfa.c (that to the smallest deterministic one), compile.c (the search), captures.c
 * (the automata of the groups).
 *
 * Everything lives in the arena. regex_parse() tells a mistake in the pattern by a fault,
 * regex_compile() by a text that its tables would be too large; there are no other errors. No I/O.
 */
#ifndef SPILE_REGEX_REGEX_H
#define SPILE_REGEX_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/uapi/dfa.h"

struct arena;
struct regex;

#define REGEX_MAX_COUNT 255       /* in braces */
#define REGEX_MAX_STATES 4096     /* of one automaton */
#define REGEX_MAX_CELLS (1 << 18) /* transitions of all automata of a pattern */

/* Why a pattern was refused. Strings are static. */
struct regex_fault {
	const char *what; /* "unexpected end of regex" */
	size_t at;        /* byte of the pattern, from 0; its length for the end */
	const char *hint; /* what to write instead, or NULL */
};

/*
 * The tree of the pattern, LEN bytes at TEXT, which need not be terminated and may not hold NUL.
 * quoted[i] says that byte i stands for itself, as if behind a backslash; NULL: none does. NULL
 * with *fault set when it is no pattern; otherwise *fault is untouched.
 */
struct regex *regex_parse(struct arena *arena, const char *text, const bool *quoted, size_t len,
			  struct regex_fault *fault);

/*
 * With tables for the groups or without. NULL with *needs set ("more than 4096 states", in the
 * arena) when they would be too large; on success *needs is NULL.
 */
const struct stp_regex *regex_compile(struct arena *arena, const struct regex *regex, bool groups,
				      const char **needs);

#endif
