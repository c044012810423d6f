/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-test: scripts with their expected output, given to a program on this machine, or compiled
 * here and run in a guest.
 *
 * The README beside this file says what a case is and which directives it may have.
 */
#ifndef SPILE_TESTSUITE_RUNNER_H
#define SPILE_TESTSUITE_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct guest;

/* How a text is compared. REGEX and CONTAINS are for standard output only. */
enum test_match { MATCH_EXACT, MATCH_REGEX, MATCH_CONTAINS, MATCH_LINES, MATCH_ANY };

/* How many kernels a case is for; DEFAULT only while its directives are read. */
enum test_kernels { KERNELS_ONE, KERNELS_EACH, KERNELS_ALL, KERNELS_DEFAULT };

struct test_case {
	const char *name;   /* as reported: the path without .stp */
	const char *dir;    /* where it is, absolute */
	const char *script; /* base name */
	const char *out_path, *err_path;
	/* Its directives, see the README. */
	const char *run, *program, *staprun, *shell, *session, *requires, *trigger, *after, *skip;
	bool host, kaslr;
	int status;
	double timeout;
	enum test_match match, errors;
	enum test_kernels kernels;
	const char *mistake; /* what is wrong with its directives, or NULL */
};

static inline bool test_is_for_guest(const struct test_case *tc)
{
	return !tc->host && !tc->shell && !tc->program;
}

struct test_list {
	struct arena *arena;
	VEC(struct test_case *) cases;
};

/* runner_case.c: add the cases below PATH (or the one it is), in order of name. */
struct error *test_list_add(struct test_list *list, const char *path) ERROR_MUST_CHECK;

/*
 * Its name and the words of run:, as a shell would give them, for a program without one; no
 * expansion.
 */
char **test_case_arguments(struct arena *arena, const struct test_case *tc, int *ret_n);

/* runner_directives.c: the directives in TEXT's leading lines, added to TC. Mistakes go to
 * TC->mistake. */
void test_directives_parse(struct arena *arena, struct test_case *tc, const char *text);
/* Once all are read: do they go together? */
void test_directives_check(struct arena *arena, struct test_case *tc);

/* runner_match.c: NULL when ACTUAL is as EXPECTED, else why not, for people; the caller frees. */
char *test_compare(enum test_match how, const char *what, const char *expected, const char *actual);

/* runner_host.c: a shell command in DIR with extra ENV ("NAME=VALUE"); its output is appended to
 * OUT and ERR. */
struct host_command {
	const char *shell, *dir;
	const char *const *env;
	double timeout;
};
enum { HOST_LATE = -1 };
struct error *host_run(const struct host_command *cmd, struct strbuf *out, struct strbuf *err,
		       int *ret_status) ERROR_MUST_CHECK;
/* TEXT quoted for a shell. */
const char *shell_quote(struct arena *arena, const char *text);

/* runner_requires.c: NULL when everything in WORDS holds for the kernel, else the first word that
 * does not. */
struct test_kernel {
	const char *label;     /* as reported */
	const char *name;      /* as given to --kernel and stap -r */
	const char *release;   /* 6.1.0-56-amd64 */
	const char *modules;   /* its /lib/modules/RELEASE on this machine */
	const char *suite;     /* a tree that holds the compiler for it (in-suite), or NULL */
	char *config;          /* its configuration, "" when it cannot be found */
	const char *debuginfo; /* folder for SYSTEMTAP_DEBUGINFO_PATH, or NULL: there is none */
	double slowness; /* every time limit in a guest is so many times as long; 1 for most */
};
const char *test_requires(struct arena *arena, const struct test_kernel *kernel, const char *words);
/* Is WORD one of WORDS? */
bool test_requires_has(const char *words, const char *word);
/* The first of WORDS that is no requirement at all, or NULL. */
const char *test_requires_unknown(struct arena *arena, const char *words);

#endif
