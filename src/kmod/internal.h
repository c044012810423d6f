/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a job of this back end, and its steps, one file each. struct kmod is in the
 * job's arena from open_job() on; its two strbufs are released by close_job(). Each step of a job
 * requires the one before it, in the order below, to have succeeded. Errors returned are the
 * caller's.
 */
#ifndef SPILE_KMOD_INTERNAL_H
#define SPILE_KMOD_INTERNAL_H

#include "backend/backend.h"
#include "base/strbuf.h"
#include "codegen/codegen.h"

/* What a job has come to so far; the strings are in the arena. */
struct kmod {
	struct codegen_limits limits;
	const struct stp_regex *const *regexes; /* tables of the patterns: check */
	struct codegen_carries carries;         /* gather */
	struct strbuf script, guru;   /* pass 3; guru is empty when no embedded C is used */
	const char *source;           /* the text in a file, with -v or -k */
	struct module_kernel *kernel; /* pass 4; what is built for */
	const char *module_name;
	const char *ko;        /* path of the finished module */
	const char *cached_ko; /* where it was taken from, or NULL: it was compiled */
};

/* The state of a job that was opened. */
static inline struct kmod *kmod_of(const struct backend_job *job)
{
	return job->state;
}

/* kernel.c: as struct backend says */
struct error *kmod_kernel_open(const char *spec, struct backend_kernel *ret) ERROR_MUST_CHECK;
const char *kmod_kernel_config(const struct backend_kernel *kernel, const char *name);
struct error *kmod_header_command(const struct backend_kernel *kernel, struct arena *arena,
				  const char *const **ret) ERROR_MUST_CHECK;
void kmod_kernel_close(struct backend_kernel *kernel);
struct error *kmod_clean_cache(const char *dir) ERROR_MUST_CHECK;
/* limits.c */
struct error *kmod_limits(const struct backend_options *options,
			  struct codegen_limits *ret) ERROR_MUST_CHECK;
/* carry.c */
/*
 * Fills the list of files, when a function that the program calls needs one: the files that its
 * points are in, the program of -c or -x, those of -d and what all of them need of libraries. A
 * file of -d that cannot be read, and a module that the kernel has not, is warned of.
 */
void kmod_carry_files(struct backend_job *job);
/* carry_lines.c */
/*
 * Fills the list of lines, when a function that the program calls needs one. After
 * kmod_carry_files(). Lines that are missing are warned of; with --inline-stacks what is missing is
 * told of as an error, and *ok is false.
 */
struct error *kmod_carry_lines(struct backend_job *job, bool *ok) ERROR_MUST_CHECK;
/* lower.c */
struct error *kmod_lower(struct backend_job *job) ERROR_MUST_CHECK;
/* compiler_messages.c: reports TEXT, of a compiler that refused guru.c, to the job's sink */
void kmod_compiler_messages(struct backend_job *job, const char *text);
/*
 * The same of NAME, which guru.c cannot be linked for: nobody defines it, or, DEFINED, the runtime
 * does too. Nothing is reported when no block of embedded C names it.
 */
void kmod_symbol_message(struct backend_job *job, const char *name, bool defined,
			 const struct error *why);
/* build.c */
struct error *kmod_build(struct backend_job *job) ERROR_MUST_CHECK;
/* run.c */
struct error *kmod_run(struct backend_job *job, bool *ok) ERROR_MUST_CHECK;

#endif
