/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-test: scripts with their expected output, compiled on this machine and run in a guest.
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

enum test_match { MATCH_EXACT, MATCH_REGEX, MATCH_CONTAINS, MATCH_LINES };

struct test_case {
	const char *name;   /* as reported: the path without .stp */
	const char *dir;    /* where it is, absolute */
	const char *script; /* base name */
	const char *out_path, *err_path;
	const char *run, *staprun, *shell, *session, *requires, *trigger, *after, *skip;
	bool host;
	int status;
	double timeout;
	enum test_match match, errors;
	const char *mistake; /* what is wrong with its directives, or NULL */
};

struct test_list {
	struct arena *arena;
	VEC(struct test_case *) cases;
};

/* runner_case.c: add the cases below PATH (or the one it is), in order of name. */
struct error *test_list_add(struct test_list *list, const char *path) ERROR_MUST_CHECK;

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
	const char *name;    /* as given to --kernel and stap -r */
	const char *release; /* 6.1.0-56-amd64 */
	const char *modules; /* its /lib/modules/RELEASE on this machine */
	const char *suite;   /* a tree that holds the compiler for it (in-suite), or NULL */
	char *config;        /* its configuration, "" when it cannot be found */
};
const char *test_requires(struct arena *arena, const struct test_kernel *kernel, const char *words);

#endif
