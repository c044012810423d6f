/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-test: scripts with their expected output, compiled on this machine and run in a guest.
 *
 * A case is NAME.stp with directives in its leading comment, NAME.out (expected standard output)
 * and, when standard error matters too, NAME.err. A directive is a line "# name: value":
 *
 *   run: ARGUMENTS       for stap, as a shell reads them; %s stands for the script. Without it the
 * script goes after options (a first word that starts with '-') and before anything else staprun:
 * ARGUMENTS   the same for staprun and the module host: 1              run stap here, without a
 * guest (-p1 to -p4, -l, -L, errors) shell: COMMAND       run this here instead of stap; $STAP and
 * $KERNEL are set status: N            expected exit status; 0 when not given requires: WORDS each
 * must hold, or the case is skipped: btf, fprobe, debuginfo, CONFIG_NAME, program:NAME, kernel>=6.1
 * (also > < <= =); !WORD negates trigger: COMMAND     what the session runs as -c timeout: SECONDS
 * for the part in the guest; 30 when not given match: HOW           exact; regex: each line of the
 * expected text is an extended regular expression for the line in its place; contains: each of its
 * lines occurs errors: HOW          for the .err file: lines (each is an extended regular
 * expression to be found somewhere; the default) or exact after: COMMAND       run in the guest
 * afterwards, must succeed skip: REASON
 *
 * Commands run in the case's own folder, so that messages name scripts without one.
 *
 * One guest serves all cases. A case fails when its output, status or time is wrong, when the
 * kernel complains, or when it leaves its module behind; after the last three the guest is
 * replaced.
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
	const char *run, *staprun, *shell, *requires, *trigger, *after, *skip;
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
