/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members: found by undefined symbols, compiled when the base has not got them, opened for the
 * check and the linking. Several processes may compile the same member at once: each writes its
 * own file, and the last rename stays.
 */
#include "module/member.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/seal.h"
#include "module/kernel.h"
#include "module/versions.h"

struct search {
	struct module_base *base;
	struct members *members;
};

/* ---- which ---- */

/* For object_symbols(): puts the member that defines an undefined name on the list, once. */
static void want(void *arg, const char *name, bool defined)
{
	struct search *s = arg;
	const struct unit *unit;
	struct member member = { 0 };

	if (defined)
		return;
	unit = units_find(&s->base->units, s->base->index, s->base->index_len, name);
	if (!unit)
		return;
	vec_foreach(m, &s->members->list)
		if (m->unit == unit)
			return;
	member.unit = unit;
	member.asked_by = arena_strdup(s->members->arena, name);
	member.path = arena_printf(s->members->arena, "%s/members/%s.o", s->base->dir, unit->stem);
	vec_push(s->members->arena, &s->members->list, member);
}

/* ---- compiling ---- */

/* A member that is being compiled. temp is listed for cleanup until finish(). */
struct job {
	struct member *member;
	const char *temp; /* the object until it is whole */
	int status;
	char *text;
};

static void job_done(void *arg, int status, char *text)
{
	struct job *job = arg;

	job->status = status;
	job->text = text;
}

/* members/STEM.SUFFIX, in the arena. */
static const char *beside(struct search *s, const struct member *member, const char *suffix)
{
	return arena_printf(s->members->arena, "%s/members/%s.%s", s->base->dir, member->unit->stem,
			    suffix);
}

/* Starts the compiler. On failure the job does not count, and finish() is not to be called. */
static struct error *start(struct search *s, struct tool_pool *pool, struct job *job)
{
	struct arena *arena = s->members->arena;
	struct argv argv;
	struct error *err;

	job->temp = arena_printf(arena, "%s.%d", job->member->path, (int)getpid());
	cleanup_hold();
	cleanup_add_path(job->temp);
	cleanup_release();
	argv_init(&argv, arena);
	units_command(&argv, s->base->kernel_flags, s->base->runtime_dir, s->base->dir);
	argv_add_compile(&argv, path_join(arena, s->base->runtime_dir, job->member->unit->source),
			 job->temp);
	err = tool_pool_add(pool, argv_done(&argv), job_done, job);
	if (err)
		cleanup_drop_path(job->temp);
	return err;
}

/* A member that the compiler refuses; not one whose compiler was killed or found the disk full. */
static bool is_final(const struct job *job)
{
	return job->status == 1 && strstr(job->text, "error:") &&
	       !strstr(job->text, "No space left on device");
}

/* What the script wanted the member for, in the arena. A name stp_fn_X is the function X(). */
static const char *wanted(struct search *s, const struct member *member)
{
	return strncmp(member->asked_by, "stp_fn_", 7)
		       ? member->unit->what
		       : arena_printf(s->members->arena, "%s()", member->asked_by + 7);
}

/* The compiler's first error. */
static struct error *failure(struct search *s, const struct member *member, const char *text)
{
	const char *at = strstr(text, "error:"), *line = at ? at : text;

	while (line > text && line[-1] != '\n')
		line--;
	return error_hint(error_create("the script needs the runtime's %s (%s), which does not "
				       "compile for kernel %s: %.*s",
				       member->unit->source, wanted(s, member),
				       s->base->kernel->release, (int)strcspn(line, "\n"), line),
			  "this kernel differs from those known in a way that is not handled yet: "
			  "please report it with this message; scripts that do without run");
}

/* An error when the kernel was built without what the member is about. */
static struct error *check_option(struct search *s, const struct member *member)
{
	const char *config = member->unit->config;

	if (!config || module_kernel_config(s->base->kernel, config))
		return NULL;
	return error_hint(
		error_create("the script needs %s, which kernel %s does not offer: it was "
			     "built without CONFIG_%s",
			     wanted(s, member), s->base->kernel->release, config),
		"scripts that do without run");
}

/* Joins the object with the version table it needs; what that has goes beside it. */
static struct error *add_versions(struct search *s, struct job *job)
{
	const struct module_base *base = s->base;
	const char *table = arena_printf(s->members->arena, "%s.versions", job->temp);
	const char *joined = arena_printf(s->members->arena, "%s.joined", job->temp);
	struct versions v;
	struct object object;
	struct error *err = object_open(job->temp, &object);

	if (err)
		return err;
	versions_init(&v);
	err = versions_add_object(&v, base->kernel, base->provided, &object);
	object_close(&object);
	if (!err)
		err = seal_write_data(beside(s, job->member, "provided"), strbuf_cstr(&v.names),
				      v.names.len);
	if (!err && v.entries.len && module_kernel_config(base->kernel, "MODVERSIONS")) {
		cleanup_hold();
		cleanup_add_path(table);
		cleanup_add_path(joined);
		cleanup_release();
		err = versions_assemble(base->kernel, base->as, v.entries.s, table);
		if (!err)
			err = tool_must((const char *const[]){ base->ld, "-r", "-m",
							       base->kernel->arch->ld_emulation,
							       "-z", "noexecstack", "-o", joined,
							       job->temp, table, NULL },
					NULL);
		if (!err && rename(joined, job->temp))
			err = error_create_errno(errno, "cannot create %s", job->temp);
		if (err)
			unlink(joined);
		unlink(table);
		cleanup_drop_path(table);
		cleanup_drop_path(joined);
	}
	versions_deinit(&v);
	return err;
}

/*
 * What follows compiling: objtool, versions, seal, rename. Also clears up after a compiler that
 * failed, and notes a final refusal.
 */
static struct error *finish(struct search *s, struct job *job)
{
	struct error *err = NULL;

	if (job->status) {
		err = failure(s, job->member, job->text);
		if (is_final(job))
			error_destroy(file_write_atomic(beside(s, job->member, "failed"), job->text,
							strlen(job->text), 0644));
	}
	if (!err)
		err = base_objtool(s->base, job->temp);
	if (!err)
		err = add_versions(s, job);
	if (!err)
		err = seal_write_one(job->member->path, job->temp);
	if (!err && rename(job->temp, job->member->path))
		err = error_create_errno(errno, "cannot create %s", job->member->path);
	if (err)
		unlink(job->temp);
	cleanup_drop_path(job->temp);
	free(job->text);
	return err;
}

static struct error *keep_first(struct error *first, struct error *err)
{
	if (!first)
		return err;
	error_destroy(err);
	return first;
}

/* It is there, and as it was made. */
static bool is_whole(struct search *s, const struct member *member)
{
	return seal_holds(member->path) && seal_holds(beside(s, member, "provided"));
}

/* Those from number `from` on that are not there yet. */
static struct error *compile_missing(struct search *s, size_t from)
{
	struct members *members = s->members;
	struct job *jobs = arena_new_array(members->arena, struct job, members->list.n);
	struct tool_pool pool = { 0 };
	struct error *err = NULL;
	size_t n = 0;

	for (size_t i = from; !err && i < members->list.n; i++) {
		struct member *member = &members->list.data[i];
		const char *failed = beside(s, member, "failed");
		char *text;
		size_t len;

		err = check_option(s, member);
		if (err)
			break;
		if (is_whole(s, member))
			continue;
		if (file_exists(failed)) {
			err = file_read(failed, &text, &len);
			if (!err) {
				err = failure(s, member, text);
				free(text);
			}
			break;
		}
		if (!n)
			err = base_check_headers(s->base);
		/* build.c made it, but caches are tidied by hand, too */
		if (!n && !err)
			err = dir_create_all(path_join(members->arena, s->base->dir, "members"));
		if (err)
			break;
		jobs[n].member = member;
		err = start(s, &pool, &jobs[n]);
		n += !err;
	}
	err = keep_first(err, tool_pool_wait(&pool));
	for (size_t i = 0; i < n; i++)
		err = keep_first(err, finish(s, &jobs[i]));
	return err;
}

/* ---- all of them ---- */

/* Opens the members from number `from` on, and lists what they need. */
static struct error *take(struct search *s, size_t from, size_t to)
{
	struct members *members = s->members;

	for (size_t i = from; i < to; i++) {
		/* the list may move while it grows, the object's own data does not */
		struct object object;
		struct error *err = object_open(members->list.data[i].path, &object);
		char *provided;
		size_t len;

		if (err)
			return err;
		members->list.data[i].object = object;
		members->list.data[i].open = true;
		err = file_read(beside(s, &members->list.data[i], "provided"), &provided, &len);
		if (err)
			return err;
		strbuf_add(&members->provided, provided, len);
		free(provided);
		object_symbols(&object, want, s);
	}
	return NULL;
}

struct error *members_find(struct module_base *base, const struct object *objects, unsigned n,
			   struct arena *arena, struct members *ret)
{
	struct search s = { .base = base, .members = ret };
	struct error *err = NULL;

	memset(ret, 0, sizeof(*ret));
	ret->arena = arena;
	strbuf_init(&ret->provided);
	strbuf_adds(&ret->provided, base->provided);
	for (unsigned i = 0; i < n; i++)
		object_symbols(&objects[i], want, &s);
	for (size_t done = 0; !err && done < ret->list.n;) {
		size_t to = ret->list.n;

		err = compile_missing(&s, done);
		if (!err)
			err = take(&s, done, to);
		done = to;
	}
	if (err) {
		members_close(ret);
		ret->list.n = 0;
	}
	return err;
}

void members_close(struct members *members)
{
	vec_foreach(member, &members->list) {
		if (member->open)
			object_close(&member->object);
		member->open = false;
	}
	strbuf_deinit(&members->provided);
}
