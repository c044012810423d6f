/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks of programs and libraries (sys/sdt.h), and where their arguments are.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_MARKS_H
#define SPILE_TARGET_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/fetch.h"

struct target_object;

/*
 * A mark that a program was built with: a note of type 3 and name "stapsdt" (the layout is in
 * <sys/sdt.h>). One place of several may have the same names.
 */
struct target_mark {
	const char *provider, *name;
	const char *arguments; /* as the assembler wrote them: "4@%eax -8@8(%rbp)" */
	uint64_t addr;         /* link-time address of its instruction */
	uint64_t semaphore;    /* of a counter of who looks; 0: there is none */
};
/* A list in the target's arena. */
struct target_marks {
	struct target_mark *data;
	size_t n, cap;
};
/*
 * All marks of a file whose names match the globs; PROVIDER NULL: any. A '-' in a pattern is "__"
 * in names. By provider, name, address.
 */
void target_find_marks(const struct target_object *o, const char *provider, const char *name,
		       struct target_marks *ret);
/* An argument of a mark. */
struct target_mark_argument {
	struct fetch_program load; /* n == 0: it cannot be read */
	const char *problem;       /* then: why */
	uint8_t size;              /* bytes */
	bool is_signed;
};
/* The arguments in their order; returns how many, at most MAX. */
size_t target_mark_arguments(const struct target_object *o, const struct target_mark *mark,
			     struct target_mark_argument *ret, size_t max);

#endif
