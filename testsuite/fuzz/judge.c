/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "judge.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/subprocess.h"
#include "base/vec.h"

static bool matches(const char *pattern, const char *text)
{
	regex_t re;
	bool found;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB))
		abort(); /* our own pattern */
	found = !regexec(&re, text, 0, NULL, 0);
	regfree(&re);
	return found;
}

static bool is_empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	bool empty = true;

	while (d && (e = readdir(d)))
		empty &= !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	if (d)
		closedir(d);
	return empty;
}

/* What status and words break, NULL: nothing. */
static const char *find_fault(int status, const char *err)
{
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU ? "takes too long"
										  : "crashes";
	if (matches("AddressSanitizer|runtime error:|LeakSanitizer", err))
		return "is reported by a sanitizer";
	if (WEXITSTATUS(status) == 124 || WEXITSTATUS(status) == 137)
		return "takes too long";
	if (WEXITSTATUS(status) > 1)
		return "ends with a status that is neither 0 nor 1";
	if (matches("(^|\n)Pass [345]:.*failed", err))
		return "passes pass 2 and fails later";
	if (WEXITSTATUS(status) && !matches("[a-z>]:[0-9]+:[0-9]+", err) &&
	    !matches("no probes found|is empty|saw: .* EOF", err))
		return "fails without saying where";
	return NULL;
}

static const char *const *command(struct arena *a, const struct judge *j, const char *script)
{
	VEC(const char *) argv = { 0 };

	vec_push(a, &argv, "timeout");
	vec_push(a, &argv, "-s");
	vec_push(a, &argv, "KILL");
	vec_push(a, &argv, arena_printf(a, "%u", j->seconds));
	vec_push(a, &argv, j->stap);
	for (size_t i = 0; j->arguments[i]; i++)
		vec_push(a, &argv, j->arguments[i]);
	vec_push(a, &argv, script);
	vec_push(a, &argv, NULL);
	return argv.data;
}

static char *describe(const char *fault, const char *err)
{
	char *text;

	if (asprintf(&text, "%s\n%s", fault, err) < 0)
		arena_out_of_memory();
	return text;
}

struct error *judge_script(const struct judge *j, const char *text, size_t len, char **verdict)
{
	struct arena *a = arena_create();
	const char *script = path_join(a, j->dir, "script.stp"), *tmp = path_join(a, j->dir, "tmp");
	const char *const env[] = { arena_printf(a, "TMPDIR=%s", tmp), NULL };
	struct subprocess sp = { .argv = command(a, j, script), .env = env, .in = SUBPROCESS_NULL };
	char *out = NULL, *words = NULL;
	const char *fault;
	struct error *err;
	size_t out_len;
	int status;

	*verdict = NULL;
	err = dir_create_all(tmp);
	if (!err)
		err = file_write_atomic(script, text, len, 0644);
	if (!err)
		err = subprocess_capture(&sp, &out, &out_len, &words, &status);
	if (!err) {
		fault = find_fault(status, words);
		if (!fault && !is_empty(tmp))
			fault = "leaves files in TMPDIR";
		if (fault)
			*verdict = describe(fault, words);
		if (!is_empty(tmp))
			err = dir_remove_all(tmp);
	}
	free(out);
	free(words);
	arena_destroy(a);
	return err;
}
