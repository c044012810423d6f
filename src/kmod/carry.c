/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files' tables a module carries, so that user stacks and addresses can be told of: -d,
 * --ldd, and what the script probes. Libraries are carried even without --ldd: nearly every stack
 * begins or ends in one, and Debian's have no frame pointers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/builtins.h"
#include "ir/kind.h"
#include "kmod/internal.h"
#include "probe/library.h"
#include "target/objects.h"
#include "target/target.h"

static struct probe_env *env_of(const struct backend_job *job)
{
	return job->environment.probe_env;
}

/* A row of carries.files for the file, once. */
static struct error *add(struct backend_job *job, const struct target_object *o)
{
	struct codegen_carries *carries = &kmod_of(job)->carries;
	const struct ir_object *row = target_object_row(o);
	struct codegen_carried carried = { .object = row };
	const char *why;

	vec_foreach(c, &carries->files)
		if (c->object == row)
			return NULL;
	carried.table = target_user_table(o, &why);
	if (!carried.table)
		return error_create("%s", why);
	vec_push(job->arena, &carries->files, carried);
	return NULL;
}

/* What cannot be opened is left out; then *why says why, and is the caller's to destroy. */
static bool add_path(struct backend_job *job, const char *path, struct error **why)
{
	const struct target_object *o;

	*why = target_open_file(env_of(job)->target, path, &o);
	if (!*why)
		*why = add(job, o);
	return !*why;
}

/*
 * A file that the user did not ask for by name: without it stacks have addresses instead of names.
 * PATH NULL: nothing.
 */
static void add_quietly(struct backend_job *job, const char *path)
{
	struct error *err;

	if (path && !add_path(job, path, &err))
		error_destroy(err);
}

static void tell_missing(const char *name, const char *why)
{
	fprintf(stderr, "WARNING: missing unwind/symbol data for '%s': %s\n", name, why);
}

/* Nothing is told when the kernel's files are not here: which modules it has is not known then. */
static void check_module(struct backend_job *job, const char *name)
{
	struct target *target = env_of(job)->target;

	if (target_names_kernel(name))
		return;
	if (target && !target_has_module(target, name))
		tell_missing(name, "no module of that name (a file has a slash in its name)");
}

/*
 * A name without a slash is the kernel or one of its modules, whose stacks and symbols need
 * nothing. What is not there is told of even when the program has no use for it: the user meant
 * another.
 */
static void add_named(struct backend_job *job, const char *name, bool wanted)
{
	struct error *err = NULL;
	char real[PATH_MAX];

	if (!strchr(name, '/')) {
		check_module(job, name);
		return;
	}
	if (!process_resolve(env_of(job), name, real)) {
		tell_missing(name, strerror(errno));
	} else if (wanted && !add_path(job, real, &err)) {
		tell_missing(name, err->text);
		error_destroy(err);
	}
}

/* The files that points are in, and those whose processes points are about. */
static void add_probed(struct backend_job *job)
{
	const struct ir_object *last = NULL;

	vec_foreach(probe, &job->program->probes)
		vec_foreach(point, &(*probe)->points) {
			const struct ir_object *file = ir_attach_file(&point->attach);

			if (point->scope)
				add_quietly(job, point->scope->file);
			if (!file || file == last)
				continue;
			last = file;
			add_quietly(job, file->path);
		}
}

/* Those of the files there are so far, with what they need in turn. */
static void add_libraries(struct backend_job *job)
{
	const struct codegen_carries *carries = &kmod_of(job)->carries;
	size_t n = carries->files.n;

	for (size_t i = 0; i < n; i++) {
		const char *path = carries->files.data[i].object->path, *why;
		struct process_files libraries = { 0 };
		const struct target_object *o;
		struct error *err = target_open_file(env_of(job)->target, path, &o);

		if (!err)
			library_find(env_of(job), o, "*", &libraries, &why);
		error_destroy(err);
		vec_foreach(library, &libraries)
			add_quietly(job, *library);
	}
}

void kmod_carry_files(struct backend_job *job)
{
	/* without a function that looks into the code of processes nothing is carried */
	bool wanted = env_of(job)->target && ir_program_needs(job->program) & IR_NEEDS_USER_MAP;
	const char *why;

	if (wanted)
		add_probed(job);
	if (wanted && (job->options.command || job->options.target_pid))
		add_quietly(job, process_target_file(env_of(job), &why));
	for (size_t i = 0; i < job->options.n_carried; i++)
		add_named(job, job->options.carried[i], wanted);
	if (wanted)
		add_libraries(job);
}
