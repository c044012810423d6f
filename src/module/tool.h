/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compilers and their like as child processes: argument lists, output caught, several at once.
 * Children run with LC_ALL=C, because their messages are read by us, and without make's variables.
 */
#ifndef SPILE_MODULE_TOOL_H
#define SPILE_MODULE_TOOL_H

#include <sys/types.h>

#include "base/error.h"
#include "base/vec.h"

/* A NULL-terminated argument list under construction; strings belong to the arena or live longer. */
struct argv {
	struct arena *arena;
	VEC(const char *) args; /* without the NULL until argv_done */
};

void argv_init(struct argv *a, struct arena *arena);
void argv_add(struct argv *a, const char *arg);
void argv_addf(struct argv *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void argv_add_all(struct argv *a, const char *const *args); /* NULL-terminated, NULL allowed */
const char *const *argv_done(struct argv *a);

/* An anonymous file holding TEXT, at offset 0; for a child's input or output. */
struct error *tool_memory_file(const char *text, int *ret) ERROR_MUST_CHECK;
/* All of an anonymous file as heap text; the descriptor is closed. */
char *tool_collect(int fd);

/*
 * Run, with stdout and stderr together in *text (heap, caller frees; never NULL on success). *status is the exit status, or 128 +
 * signal. A program that cannot be started is an error.
 */
struct error *tool_run(const char *const *argv, const char *cwd, char **text,
		       int *status) ERROR_MUST_CHECK;
/* The same when success is all that matters: a failure becomes an error with the tool's first lines. */
struct error *tool_must(const char *const *argv, const char *cwd) ERROR_MUST_CHECK;
/* Start with the given descriptors (SUBPROCESS_* allowed); wait with tool_wait. */
struct error *tool_start(const char *const *argv, const char *cwd, int in, int out, int err,
			 pid_t *ret) ERROR_MUST_CHECK;
struct error *tool_wait(pid_t pid, int *status) ERROR_MUST_CHECK;

/* A message made of what a tool printed: error lines first, cut to a readable length; heap. */
char *tool_digest(const char *text);

/* ---- as many at once as there are processors, TOOL_JOBS_MAX at most ---- */
#define TOOL_JOBS_MAX 64

struct tool_pool {
	struct tool_job {
		pid_t pid; /* 0: free */
		int err;
		void (*done)(void *arg, int status, char *text); /* text: heap, the callee frees */
		void *arg;
	} jobs[TOOL_JOBS_MAX];
	unsigned next, size; /* 0 at first: not known yet */
};

/* argv may die after the call. done runs from a later tool_pool call, in the order of adding. */
struct error *tool_pool_add(struct tool_pool *pool, const char *const *argv,
			    void (*done)(void *arg, int status, char *text),
			    void *arg) ERROR_MUST_CHECK;
struct error *tool_pool_wait(struct tool_pool *pool) ERROR_MUST_CHECK;

#endif
