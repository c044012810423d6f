/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions as tables: made by the compiler (src/regex), run by runtime/regex.
 *
 * A byte is mapped to its class first: bytes that no part of the pattern tells apart are one. A
 * state is a number, a table of transitions has a row of n_classes states for each. State 0 is
 * dead: nothing can match any more.
 *
 * Context: any; constant data of the script.
 */
#ifndef STP_UAPI_DFA_H
#define STP_UAPI_DFA_H

#include "types.h"

struct stp_ctx;

#define STP_REGEX_DEAD 0u
#define STP_REGEX_FOUND 1u /* of the search only: a match has ended, whatever follows */

/*
 * An automaton over a part of the string, for the groups. It runs forward, or backward from the end
 * of the part. A run starts in start[1] when it starts at that end of the string it comes from (^
 * holds there, or $), else in start[0].
 *
 * Each state has n_marks bits, which say what has matched when the run stops there; twice: in
 * marks[2 * state] for a stop inside of the string, in marks[2 * state + 1] for one at its other
 * end. A row has (n_marks + 7) / 8 bytes.
 */
struct stp_dfa {
	const stp_u16 *next;
	const stp_u8 *marks;
	stp_u16 n_states, n_marks;
	stp_u16 start[2];
};

enum stp_regex_kind {
	STP_REGEX_GROUP = 1, /* the span is that of group n; then parts[first], if it has a node */
	/*
	 * parts[first .. first + n): each as long as it can be, from the left. dfa runs backward
	 * over all of them: mark i is set where parts i + 1 and up match to the end.
	 */
	STP_REGEX_SEQUENCE,
	/*
	 * parts[first .. first + n): the first that matches. dfa runs forward: mark i is set when
	 * part i has matched.
	 */
	STP_REGEX_CHOICE,
	/*
	 * parts[first], again and again, each time as long as it can be; its groups are those of
	 * the last time. dfa runs
	 * backward: mark i is set where i + 1 times can have ended, so that what is left is matched
	 * by the times to come. There are n marks: that many times at most, or, when loop is set,
	 * any number of times, which the last mark stands for; at least min.
	 */
	STP_REGEX_REPEAT,
};

struct stp_regex_node {
	stp_u8 kind; /* enum stp_regex_kind */
	stp_u8 loop;
	stp_u16 n, min;
	stp_u16 first;
	stp_u16 dfa;
};

#define STP_REGEX_NONE 0xffffu

struct stp_regex_part {
	stp_u16 dfa;  /* forward, mark 0: this part alone; STP_REGEX_NONE where nobody asks */
	stp_u16 node; /* where its groups are; STP_REGEX_NONE: it has none */
};

/* How the groups of a match are found. */
struct stp_regex_groups {
	const struct stp_dfa *dfas;
	const struct stp_regex_node *nodes; /* nodes[0] is group 0, the whole match */
	const struct stp_regex_part *parts;
	stp_u16 n_dfas, n_nodes, n_parts;
	stp_u16 n_groups; /* group 0 counted */
	stp_u16 first;    /* dfa that runs backward over the string: mark 0 where a match begins */
	stp_u16 whole;    /* dfa that runs forward from there: mark 0 where it ends */
};

struct stp_regex {
	const stp_u8 *classes; /* of the 256 bytes */
	const stp_u16 *next;   /* the search, from the start of the string */
	const stp_u8
		*at_end; /* 1 for the states in which the end of the string completes a match */
	stp_u16 n_classes, n_states;
	stp_u16 start;
	const struct stp_regex_groups *groups; /* NULL: the script never asks */
};

int stp_regex_test(const struct stp_regex *re, struct stp_str s); /* 1: it matches somewhere */
/*
 * The same; a string that matches is kept for matched(). re has groups and is in
 * stp_script.regexes.
 */
int stp_regex_match(struct stp_ctx *c, const struct stp_regex *re, struct stp_str s);

#endif
