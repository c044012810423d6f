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

/*
 * A NULL-terminated argument list under construction; strings belong to the arena or live longer.
 */
struct argv {
	struct arena *arena;
	VEC(const char *) args; /* without the NULL until argv_done */
};

/*
 * An empty list; its memory and that of formatted arguments is the arena's. The texts given to
 * argv_add() are borrowed.
 */
void argv_init(struct argv *a, struct arena *arena);
void argv_add(struct argv *a, const char *arg);
void argv_addf(struct argv *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void argv_add_all(struct argv *a, const char *const *args); /* NULL-terminated, NULL allowed */
/*
 * The compiler driver's last arguments: SOURCE ("-" is standard input) to OBJECT. With pipes
 * between its passes, so that a driver that is killed leaves no temporary file.
 */
void argv_add_compile(struct argv *a, const char *source, const char *object);
/* The list with its NULL. It may be added to afterwards, and is then to be asked for again. */
const char *const *argv_done(struct argv *a);

/*
 * An anonymous file holding TEXT, at offset 0, close-on-exec; for a child's input or output. The
 * caller closes it.
 */
struct error *tool_memory_file(const char *text, int *ret) ERROR_MUST_CHECK;
/* All of an anonymous file as heap text, never NULL; the descriptor is closed. */
char *tool_collect(int fd);

/*
 * Run, with stdout and stderr together in *text (heap, caller frees; never NULL on success).
 * *status is the exit status, or 128 + signal. A program that cannot be started is an error.
 */
struct error *tool_run(const char *const *argv, const char *cwd, char **text,
		       int *status) ERROR_MUST_CHECK;
/*
 * The same when success is all that matters: a failure becomes an error with the tool's first
 * lines.
 */
struct error *tool_must(const char *const *argv, const char *cwd) ERROR_MUST_CHECK;
/* Start with the given descriptors (SUBPROCESS_* allowed); wait with tool_wait. */
struct error *tool_start(const char *const *argv, const char *cwd, int in, int out, int err,
			 pid_t *ret) ERROR_MUST_CHECK;
/* *status is the exit status, or 128 + signal; untouched on failure. */
struct error *tool_wait(pid_t pid, int *status) ERROR_MUST_CHECK;

/*
 * A message made of what a tool printed: its lines with "error" or "undefined", or its first
 * lines when there are none, eight at most; heap.
 */
char *tool_digest(const char *text);

/* ---- as many at once as there are processors, TOOL_JOBS_MAX at most ---- */
#define TOOL_JOBS_MAX 64

/*
 * A ring of children, zeroed at first. One that is added waits for the one started size places
 * before it.
 */
struct tool_pool {
	struct tool_job {
		pid_t pid; /* 0: free */
		int err;
		void (*done)(void *arg, int status, char *text); /* text: heap, the callee frees */
		void *arg;
	} jobs[TOOL_JOBS_MAX];
	unsigned next, size; /* 0 at first: not known yet */
};

/*
 * argv may die after the call. done runs from a later tool_pool call, in the order of adding,
 * once for each child that was started and could be waited for. After an error tool_pool_wait()
 * is still to be called.
 */
struct error *tool_pool_add(struct tool_pool *pool, const char *const *argv,
			    void (*done)(void *arg, int status, char *text),
			    void *arg) ERROR_MUST_CHECK;
/* Waits for all that still run. The first error of waiting, if any. */
struct error *tool_pool_wait(struct tool_pool *pool) ERROR_MUST_CHECK;

#endif
