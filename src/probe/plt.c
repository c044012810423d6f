/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.plt: calls of a program's functions in shared libraries, at the entries of its procedure
 * linkage table. No argument is described there; $$name is the function's.
 */
#include <string.h>

#include "base/similar.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"
#include "probe/program.h"
#include "target/objects.h"

#define PLT_RETURN 1u

/* What one pattern asks of each of its programs. */
struct entries {
	struct probe_env *env;
	const struct ast_point *point;
	const char *name; /* glob */
	bool is_return;
	/* the point stands for more than one place: failing to attach one is no error */
	bool several;
	struct probe_points *ret;
	/* of the present program */
	unsigned n_added;
	const char *first;
};

/* Appends the point of one entry; nothing when it is at no place of the file. */
static void add(struct entries *e, const struct program *program,
		const struct target_plt_entry *entry)
{
	const char *text = arena_printf(e->env->arena, "%s.plt(\"%s\")%s", program->head,
					entry->name, e->is_return ? ".return" : "");
	struct probe_point *p;

	if (e->is_return && (program_function_never_returns(entry->name) ||
			     program_function_knows_caller(entry->name)))
		return;
	p = program_point_add(e->env, e->ret, e->point, program,
			      e->is_return ? &ir_kind_uretprobe : &ir_kind_uprobe, entry->addr,
			      text, e->several);
	if (!p)
		return;
	p->row.name = entry->name;
	if (!e->n_added++)
		e->first = entry->name;
}

/*
 * What a function of another file returns to is replaced: an entry of the table has no return of
 * its own.
 */
static void warn_replaced(const struct entries *e, const struct target_object *object)
{
	if (!e->is_return || !e->n_added ||
	    !(target_file_throws(object) || target_file_switches_stacks(object)))
		return;
	diag_report(e->env->sink, DIAG_RETURN_REPLACED, e->point->span, e->n_added,
		    e->n_added == 1 ? "" : "s", target_object_row(object)->path, e->first,
		    "a jump to another file");
}

/* Functions that the only program calls, as the text behind "no match". */
static const char *explain_nothing(const struct entries *e, const struct target_object *object)
{
	struct arena *arena = e->env->arena;
	struct target_plt all;
	const char **names, *near[5];
	size_t n = 0;

	if (e->is_return && program_function_never_returns(e->name))
		return arena_printf(arena, " (%s does not return the way it was called)", e->name);
	if (e->is_return && program_function_knows_caller(e->name))
		return arena_printf(arena,
				    " (%s looks at the address it returns to; its return can be "
				    "probed in its library, as function(\"%s\").return)",
				    e->name, e->name);
	target_find_plt(object, "*", &all);
	if (!all.n)
		return arena_printf(arena,
				    " (%s has no procedure linkage table that is understood)",
				    target_object_row(object)->path);
	names = arena_new_array(arena, const char *, all.n);
	vec_foreach(entry, &all)
		names[n++] = entry->name;
	n = similar_names(e->name, names, n, near, 5);
	if (!n)
		return arena_printf(arena, " (%s calls no function of that name in a library)",
				    target_object_row(object)->path);
	return point_similar(e->env, "function", near, n);
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *plt = point_find(point, "plt");
	struct entries e = { .env = env,
			     .point = point,
			     .name = plt->param ? component_string(plt) : "*",
			     .is_return = pattern->flags & PLT_RETURN,
			     .ret = ret };
	struct programs programs = { 0 };
	size_t before = ret->n;

	if (!programs_of_point(env, point, &programs, why))
		return false;
	e.several = programs.n > 1 || is_glob(e.name);
	vec_foreach(program, &programs) {
		struct target_plt found;

		target_find_plt(program->object, e.name, &found);
		e.n_added = 0;
		vec_foreach(entry, &found)
			add(&e, program, entry);
		warn_replaced(&e, program->object);
	}
	if (ret->n == before && programs.n == 1)
		*why = explain_nothing(&e, programs.data[0].object);
	return true;
}

/* clang-format off */
#define FORMS(head)                                                                                \
	{ head ".plt", derive },                                                                   \
	{ head ".plt(string)", derive },                                                           \
	{ head ".plt.return", derive, .flags = PLT_RETURN },                                       \
	{ head ".plt(string).return", derive, .flags = PLT_RETURN }

static const struct probe_pattern patterns[] = { PROGRAM_FORMS(FORMS), { 0 } };
/* clang-format on */

const struct probe_family probe_family_plt = { "plt", patterns };
