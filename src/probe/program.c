/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the files that the head of a process point names (process.h) to objects. A library path of
 * another distribution stands for the same name in the directories of this one.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/glob.h"
#include "machine/machine.h"
#include "probe/library.h"
#include "probe/point.h"
#include "probe/process.h"
#include "probe/program.h"
#include "target/objects.h"
#include "target/target.h"

/*
 * Where other distributions have what Debian has in a directory of the machine's
 * (machine.triplet).
 */
static const char *const moved[] = { "/lib64", "/usr/lib64", "/lib", "/usr/lib" };

/* Does DIR, perhaps a pattern, mean one of these? */
static bool is_moved(const char *dir)
{
	for (size_t i = 0; i < sizeof(moved) / sizeof(*moved); i++)
		if (!fnmatch(dir, moved[i], FNM_PATHNAME))
			return true;
	return false;
}

static bool any_is_for(const struct process_files *files, const struct machine *machine)
{
	vec_foreach(file, files)
		if (process_file_is_for(*file, machine))
			return true;
	return false;
}

/*
 * The files that NAME is found as, or what stands for them, with a warning; none with *why. For a
 * file that is not in its directory, the one of its name where libraries are here; for a pattern
 * that finds no program of this machine, the same pattern in the machine's directory.
 */
static void find_named(struct probe_env *env, const struct ast_point *point, const char *name,
		       struct process_files *ret, const char **why)
{
	const char *base = path_base(name), *here;
	const struct machine *machine;

	process_find_files(env, name, ret, why);
	if (base - name < 2 || !is_moved(arena_strndup(env->arena, name, base - name - 1)))
		return;
	machine = target_system_machine(env->target);
	if (!machine || any_is_for(ret, machine))
		return;
	if (is_glob(name)) {
		struct process_files more = { 0 };

		here = arena_printf(env->arena, "/usr/lib/%s/%s", machine->triplet, base);
		process_find_files(env, here, &more, why);
		if (more.n)
			diag_report(env->sink, DIAG_PATTERN_MOVED, point->span, name, machine->name,
				    here);
		vec_foreach(file, &more)
			vec_push(env->arena, ret, *file);
		return;
	}
	here = ret->n ? NULL : library_in_system(env, machine, base);
	if (!here)
		return;
	diag_report(env->sink, DIAG_PATH_MOVED, point->span, name, here);
	process_find_files(env, here, ret, why);
}

/* What one point means. */
struct search {
	struct probe_env *env;
	const struct ast_point *point;
	struct programs *ret;
	const char **why;
};

/*
 * Appends a file; what is meant by name must be a program, among what a pattern matches others are
 * passed over.
 */
static bool add_file(const struct search *s, const char *file, bool pattern)
{
	struct program p = { .scope = process_scope(s->env, NULL, 0) };
	struct error *err = target_open_file(s->env->target, file, &p.object);

	if (err && !pattern)
		return point_world_failed(s->env, s->point, err);
	if (!err) {
		p.head = arena_printf(s->env->arena, "process(\"%s\")", file);
		vec_push(s->env->arena, s->ret, p);
	}
	error_destroy(err);
	return true;
}

static bool add_named(const struct search *s, const char *name)
{
	struct process_files files = { 0 };

	find_named(s->env, s->point, name, &files, s->why);
	vec_foreach(file, &files)
		if (!add_file(s, *file, is_glob(name)))
			return false;
	return true;
}

/* The program of -c or -x. */
static bool add_target(const struct search *s)
{
	const char *file;

	if (!s->env->command && !s->env->target_pid) {
		diag_report(s->env->sink, DIAG_PROCESS_UNSPECIFIED, s->point->span);
		return false;
	}
	file = process_target_file(s->env, s->why);
	return !file || add_file(s, file, false);
}

/* The program that a process runs now, in that process. */
static bool add_process(const struct search *s, int64_t pid)
{
	struct program *p;
	const char *file;

	if (s->env->is_remote || !process_exists(s->env, pid)) {
		*s->why = arena_printf(s->env->arena, " (there is no process %lld here)",
				       (long long)pid);
		return true;
	}
	file = process_file(s->env, pid, "exe", s->why);
	if (!file)
		return true;
	if (!add_file(s, file, false))
		return false;
	p = &s->ret->data[s->ret->n - 1];
	p->scope = process_scope(s->env, NULL, pid);
	p->head = arena_printf(s->env->arena, "process(%lld)", (long long)pid);
	return true;
}

static bool add_head(const struct search *s)
{
	const struct ast_component *head = &s->point->parts.data[0];

	if (!head->param)
		return add_target(s);
	if (head->param->kind == AST_EXPR_NUMBER)
		return add_process(s, component_number(head));
	return add_named(s, component_string(head));
}

/* Its points are meant in processes that run the program. */
static bool add_library(const struct search *s, const struct program *program, const char *file)
{
	struct program *p;

	if (!add_file(s, file, false))
		return false;
	p = &s->ret->data[s->ret->n - 1];
	p->scope = program->scope->pid
			   ? program->scope
			   : process_scope(s->env, target_object_row(program->object)->path, 0);
	p->listed = arena_printf(s->env->arena, "%s.library(\"%s\")", program->head, file);
	return true;
}

/* The process that the point names, itself or as that of -x; 0: none. */
static int64_t process_of(const struct search *s, const struct program *program)
{
	bool is_target = !s->point->parts.data[0].param && !s->env->command;

	return program->scope->pid ? program->scope->pid : is_target ? s->env->target_pid : 0;
}

/* Where a process' dynamic linker was told to look first; what --sysenv says comes before. */
static void take_library_path(struct probe_env *env, int64_t pid)
{
	static const char name[] = "LD_LIBRARY_PATH=";
	const char **all = arena_new_array(env->arena, const char *, env->n_variables + 1);
	char *text = NULL;
	size_t len = 0;
	struct error *err = file_read(
		arena_printf(env->arena, "/proc/%lld/environ", (long long)pid), &text, &len);

	for (const char *p = text; !err && p < text + len; p += strlen(p) + 1)
		if (!strncmp(p, name, sizeof(name) - 1))
			all[0] = arena_strdup(env->arena, p);
	error_destroy(err);
	free(text);
	if (!all[0])
		return;
	for (size_t i = 0; i < env->n_variables; i++)
		all[i + 1] = env->variables[i];
	env->variables = all;
	env->n_variables++;
}

/* What a process has mapped it found in its own name space, with its own environment. */
static struct probe_env env_of(const struct search *s, const struct program *program)
{
	struct probe_env ret = *s->env;
	int64_t pid = process_of(s, program);

	if (!pid || ret.sysroot || ret.is_remote)
		return ret;
	ret.sysroot = process_root(s->env, pid);
	take_library_path(&ret, pid);
	return ret;
}

/*
 * The libraries of each program that NAME means, a path or a name or pattern among those it needs.
 */
static bool add_libraries(const struct search *s, const struct programs *of, const char *name)
{
	vec_foreach(program, of) {
		struct process_files files = { 0 };
		struct probe_env env = env_of(s, program);

		if (strchr(name, '/'))
			find_named(&env, s->point, name, &files, s->why);
		else
			library_find(&env, program->object, name, &files, s->why);
		vec_foreach(file, &files)
			if (!add_library(s, program, *file))
				return false;
	}
	return true;
}

bool programs_of_point(struct probe_env *env, const struct ast_point *point, struct programs *ret,
		       const char **why)
{
	const struct ast_component *library = point_find(point, "library");
	struct programs heads = { 0 };
	struct search s = { .env = env, .point = point, .ret = library ? &heads : ret, .why = why };

	if (!point_need_target(env, point) || !add_head(&s))
		return false;
	s.ret = ret;
	return !library || add_libraries(&s, &heads, component_string(library));
}

struct probe_point *program_point_add(struct probe_env *env, struct probe_points *ret,
				      const struct ast_point *point, const struct program *program,
				      const struct ir_probe_kind *kind, uint64_t addr,
				      const char *text, bool several)
{
	struct probe_point *p;
	uint64_t offset;

	if (!target_file_offset(program->object, addr, &offset))
		return NULL;
	p = point_add(env, ret, point, kind, text);
	p->named_by_point = true;
	if (program->listed)
		p->row.pn = arena_concat(env->arena, program->listed, text + strlen(program->head),
					 NULL);
	p->row.optional = several || point->optional;
	p->row.wild = several;
	p->row.scope = program->scope;
	p->row.attach.user.object = target_object_row(program->object);
	p->row.attach.user.addr = addr;
	p->row.attach.user.offset = offset;
	return p;
}

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

bool program_function_never_returns(const char *name)
{
	/*
	 * _start has no caller, nor has the end of a stack of makecontext(); setjmp() and its like
	 * keep the return address for later, and setcontext() returns to one; what the dynamic
	 * linker jumps through finds other things on the stack
	 */
	static const char *const names[] = { "_start",       "__start_context", "setjmp",
					     "_setjmp",      "sigsetjmp",       "__sigsetjmp",
					     "getcontext",   "swapcontext",     "setcontext",
					     "__setcontext", "__getcontext",    "__swapcontext" };

	return is_one_of(name, names, sizeof(names) / sizeof(*names)) ||
	       !strncmp(name, "_dl_runtime_resolve", 19) || !strncmp(name, "_dl_tlsdesc", 11);
}

bool program_function_knows_caller(const char *name)
{
	/* which library asks decides what is found */
	static const char *const names[] = { "dlsym", "dlvsym", "dlopen", "dlmopen" };

	return is_one_of(name, names, sizeof(names) / sizeof(*names));
}
