/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "The world failed": a file, an ELF image, a child process. Functions return NULL for success or a
 * struct error that the caller must look at; results go through a last parameter named ret,
 * untouched on failure. Context is added on the way up; programs, driver/, the back ends and
 * remote/ print. User mistakes are diagnostics (diag/), our bugs are asserts.
 */
#ifndef SPILE_BASE_ERROR_H
#define SPILE_BASE_ERROR_H

/*
 * An error belongs to whoever holds the pointer: it is passed up, shown and destroyed, or
 * destroyed. text and hint are heap texts of the error itself, except in error_no_memory.
 */
struct error {
	int errnum;       /* errno value, 0 when none applies */
	const char *text; /* one line: what was found, what was expected */
	const char *hint; /* what to try, or NULL */
};

#define ERROR_MUST_CHECK __attribute__((warn_unused_result))

/* Errors are heap objects; error_destroy accepts NULL and the static out-of-memory error. */
struct error *error_create(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* text becomes "FMT: strerror(errnum)" */
struct error *error_create_errno(int errnum, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Prepends "FMT: " to the text, which stays as it is when there is no memory; returns err. NULL and
 * error_no_memory pass unchanged.
 */
struct error *error_context(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Sets the hint, in place of one that was there; returns err. NULL and error_no_memory pass
 * unchanged.
 */
struct error *error_hint(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Frees the error and its texts. It must not be used again. */
void error_destroy(struct error *err);

/*
 * Given in place of an error that could not be allocated, and for any other failed allocation.
 * Never freed or changed.
 */
extern struct error error_no_memory;

#endif
