/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running the tables of uapi/dfa.h. Portable: the compiler's tests run it too. Nothing here
 * allocates, recurses or fails but by the bound on its steps; its memory is the caller's.
 *
 * Context: any.
 */
#ifndef STP_REGEX_MATCH_H
#define STP_REGEX_MATCH_H

#include "../uapi/dfa.h"
#include "../uapi/script.h"

/*
 * Bytes looked at while groups are found: about a millisecond. Only repeats that look far ahead
 * each time come near, and only in strings longer than 512 bytes.
 */
#define STP_REGEX_STEPS (1u << 18)

#define STP_SPAN_UNSET 0xffffffffu
/* A part of a string by byte offsets. */
struct stp_span {
	stp_u32 start, end; /* start is STP_SPAN_UNSET for a group that took no part */
};

/* A node whose part of the string is known and not yet divided. */
struct stp_regex_task {
	stp_u32 start, end;
	stp_u16 node;
};

struct stp_regex_work {
	struct stp_span *spans;       /* groups->n_groups */
	struct stp_regex_task *tasks; /* groups->n_nodes */
	stp_u16 *trace;               /* one more than the string has bytes */
};

/*
 * Where the match is and its groups: w->spans. The regex has groups. Returns 1; 0 when the string
 * does not match; -1 after STP_REGEX_STEPS.
 */
int stp_regex_spans(const struct stp_regex *re, struct stp_str s, struct stp_regex_work *w);

#endif
