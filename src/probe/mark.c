/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.mark and process.provider().mark: marks that a program was built with. Their arguments
 * are $arg1, $arg2 and so on; a mark with a semaphore has it raised in each process while the point
 * is attached.
 */
#include <string.h>

#include "base/similar.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"
#include "probe/program.h"
#include "target/marks.h"
#include "target/objects.h"

/* <sys/sdt.h> has macros for so many. */
#define MAX_ARGUMENTS 12

/* What one pattern asks of each of its programs. */
struct marks {
	struct probe_env *env;
	const struct ast_point *point;
	const char *provider, *name; /* provider NULL: any */
	/* the point stands for more than one place: failing to attach one is no error */
	bool several;
	const char *astray; /* one that is at no place of its file: how that is told */
	struct probe_points *ret;
};

/* The type of an argument is known by its size and sign only; an address is as good as a number. */
static void set_variables(struct probe_env *env, const struct target_object *object,
			  const struct target_mark *mark, struct probe_point *p)
{
	struct target_mark_argument arguments[MAX_ARGUMENTS];
	size_t n = target_mark_arguments(object, mark, arguments, MAX_ARGUMENTS);
	struct probe_variable *list = arena_new_array(env->arena, struct probe_variable, n + 1);

	for (size_t i = 0; i < n; i++)
		list[i] =
			(struct probe_variable){ .name = arena_printf(env->arena, "arg%zu", i + 1),
						 .ctype = "long",
						 .type = IR_LONG,
						 .load = arguments[i].load,
						 .problem = arguments[i].problem,
						 .size = arguments[i].size,
						 .is_signed = arguments[i].is_signed };
	p->variables = list;
	p->n_variables = n;
}

/*
 * Appends the point of one mark, by its provider if the script names one; nothing when it is at no
 * place of the file.
 */
static void add(struct marks *m, const struct program *program, const struct target_mark *mark)
{
	const struct target_object *object = program->object;
	struct arena *arena = m->env->arena;
	const char *by =
		m->provider ? arena_printf(arena, ".provider(\"%s\")", mark->provider) : "";
	const char *text = arena_printf(arena, "%s%s.mark(\"%s\")", program->head, by, mark->name);
	struct probe_point *p;
	uint64_t semaphore = 0;

	if (mark->semaphore && !target_file_offset(object, mark->semaphore, &semaphore)) {
		m->astray = arena_printf(arena, "the semaphore of mark %s is at 0x%llx", mark->name,
					 (unsigned long long)mark->semaphore);
		return;
	}
	p = program_point_add(m->env, m->ret, m->point, program, &ir_kind_uprobe, mark->addr, text,
			      m->several);
	if (!p) {
		m->astray = arena_printf(arena, "mark %s is at 0x%llx", mark->name,
					 (unsigned long long)mark->addr);
		return;
	}
	p->row.name = mark->name;
	p->row.system = mark->provider;
	p->row.attach.user.semaphore = semaphore;
	set_variables(m->env, object, mark, p);
}

/* Marks that the only program has, as the text behind "no match". */
static const char *explain_nothing(const struct marks *m, const struct target_object *object)
{
	struct arena *arena = m->env->arena;
	struct target_marks all;
	const char **names, *near[5];
	size_t n = 0;

	if (m->astray)
		return arena_printf(arena, " (%s, which is no place in %s)", m->astray,
				    target_object_row(object)->path);
	target_find_marks(object, NULL, "*", &all);
	if (!all.n)
		return arena_printf(arena, " (%s has no marks)", target_object_row(object)->path);
	names = arena_new_array(arena, const char *, all.n);
	for (size_t i = 0; i < all.n; i++)
		if (!n || strcmp(names[n - 1], all.data[i].name))
			names[n++] = all.data[i].name;
	n = similar_names(m->name, names, n, near, 5);
	return point_similar(m->env, "mark", near, n);
}

static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	const struct ast_component *provider = point_find(point, "provider");
	struct marks m = { .env = env,
			   .point = point,
			   .provider = provider ? component_string(provider) : NULL,
			   .name = component_string(point_find(point, "mark")),
			   .ret = ret };
	struct programs programs = { 0 };
	size_t before = ret->n;

	if (!programs_of_point(env, point, &programs, why))
		return false;
	m.several = programs.n > 1 || is_glob(m.name) || (m.provider && is_glob(m.provider));
	vec_foreach(program, &programs) {
		struct target_marks found;

		target_find_marks(program->object, m.provider, m.name, &found);
		vec_foreach(mark, &found)
			add(&m, program, mark);
	}
	if (ret->n == before && programs.n == 1)
		*why = explain_nothing(&m, programs.data[0].object);
	return true;
}

/* clang-format off */
#define FORMS(head)                                                                                \
	{ head ".mark(string)", derive },                                                          \
	{ head ".provider(string).mark(string)", derive }

static const struct probe_pattern patterns[] = { PROGRAM_FORMS(FORMS), { 0 } };
/* clang-format on */

const struct probe_family probe_family_mark = { "mark", patterns };
