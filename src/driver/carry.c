/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See carry.h. Libraries are carried even without --ldd: nearly every stack begins or ends in one, and Debian's have no frame pointers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/carry.h"
#include "driver/session.h"
#include "ir/builtins.h"
#include "ir/kind.h"
#include "probe/library.h"

/* A row of program.carried for the file, once. */
static struct error *add(struct session *s, const struct target_object *o)
{
	const struct ir_object *row = target_object_row(o);
	struct ir_carried carried = { .object = row };
	const char *why;

	vec_foreach(c, &s->program->carried)
		if (c->object == row)
			return NULL;
	carried.table = target_user_table(o, &why);
	if (!carried.table)
		return error_create("%s", why);
	vec_push(s->arena, &s->program->carried, carried);
	return NULL;
}

/* What cannot be opened is left out; then *why says why, and is the caller's to destroy. */
static bool add_path(struct session *s, const char *path, struct error **why)
{
	const struct target_object *o;

	*why = target_open_file(s->target, path, &o);
	if (!*why)
		*why = add(s, o);
	return !*why;
}

/* A file that the user did not ask for by name: without it stacks have addresses instead of names. PATH NULL: nothing. */
static void add_quietly(struct session *s, const char *path)
{
	struct error *err;

	if (path && !add_path(s, path, &err))
		error_destroy(err);
}

static void tell_missing(const char *name, const char *why)
{
	fprintf(stderr, "WARNING: missing unwind/symbol data for '%s': %s\n", name, why);
}

/* Nothing is told when the kernel's files are not here: which modules it has is not known then. */
static void check_module(struct session *s, const char *name)
{
	if (!strcmp(name, "kernel"))
		return;
	session_need_target(s);
	if (s->target && !target_has_module(s->target, name))
		tell_missing(name, "no module of that name (a file has a slash in its name)");
}

/*
 * A name without a slash is the kernel or one of its modules, whose stacks and symbols need nothing. What is not there is told
 * of even when the program has no use for it: the user meant another.
 */
static void add_named(struct session *s, const char *name, bool wanted)
{
	struct error *err = NULL;
	char real[PATH_MAX];

	if (!strchr(name, '/')) {
		check_module(s, name);
		return;
	}
	if (!process_resolve(&s->probe_env, name, real)) {
		tell_missing(name, strerror(errno));
	} else if (wanted && !add_path(s, real, &err)) {
		tell_missing(name, err->text);
		error_destroy(err);
	}
}

/* The files that points are in, and those whose processes points are about. */
static void add_probed(struct session *s)
{
	const struct ir_object *last = NULL;

	vec_foreach(probe, &s->program->probes)
		vec_foreach(point, &(*probe)->points) {
			const struct ir_attach *at = &point->attach;

			if (point->scope)
				add_quietly(s, point->scope->file);
			if (at->tag != IR_ATTACH_USER || at->user.object == last)
				continue;
			last = at->user.object;
			add_quietly(s, last->path);
		}
}

/* Those of the files there are so far, with what they need in turn. */
static void add_libraries(struct session *s)
{
	size_t n = s->program->carried.n;

	for (size_t i = 0; i < n; i++) {
		const char *path = s->program->carried.data[i].object->path, *why;
		struct process_files libraries = { 0 };
		const struct target_object *o;
		struct error *err = target_open_file(s->target, path, &o);

		if (!err)
			library_find(&s->probe_env, o, "*", &libraries, &why);
		error_destroy(err);
		vec_foreach(library, &libraries)
			add_quietly(s, *library);
	}
}

void carry_files(struct session *s)
{
	/* without a function that looks into the code of processes nothing is carried */
	bool wanted = s->target && ir_program_needs(s->program) & IR_NEEDS_USER_MAP;
	const char *why;

	if (wanted)
		add_probed(s);
	if (wanted && (s->options.command || s->options.target_pid))
		add_quietly(s, process_target_file(&s->probe_env, &why));
	for (size_t i = 0; i < s->options.carried.n; i++)
		add_named(s, s->options.carried.data[i], wanted);
	if (wanted)
		add_libraries(s);
}
