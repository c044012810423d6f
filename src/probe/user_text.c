/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.function and process.statement: entries, returns, inlined instances, labels and lines of
 * functions of programs and shared libraries, by name, file and line, or by address. Where one is,
 * is an offset in its file: the runtime asks no symbol.
 */
#include <string.h>

#include "base/error.h"
#include "base/similar.h"
#include "probe/families.h"
#include "probe/point.h"
#include "probe/process.h"
#include "probe/program.h"
#include "probe/text_pattern.h"
#include "probe/text_point.h"
#include "target/functions.h"
#include "target/objects.h"
#include "target/variables.h"

#define USER_CALL 1u   /* out-of-line instances only */
#define USER_INLINE 2u /* inlined instances only */
#define USER_RETURN 4u
#define USER_EXPORTED 8u /* what the dynamic linker finds by name */
#define USER_LABEL 16u
#define USER_STATEMENT 32u
#define USER_NEAREST 64u /* of statements */
#define USER_CALLEE 128u /* what it calls */

/* Of labels and callees that there are, for a message. */
#define NAMES_TOLD 8

/* What a file is, to probes on returns. */
struct question_file {
	bool is_go;
	bool is_library;  /* of a machine whose instructions are decoded */
	bool needs_exits; /* it would not bear that its return addresses are replaced */
};

/* What one pattern asks of each of its programs. */
struct question {
	struct probe_env *env;
	const struct ast_point *point;
	const struct ast_component *what; /* function or statement */
	unsigned flags;                   /* USER_* */
	struct target_function_query query;
	const struct program *program; /* the one asked last */
	struct question_file file;     /* of it */
	struct target_near_lines near; /* of it */
	const char *no_exits;          /* why the exits of one of its functions are not known */
	/* returns whose address is replaced where that may be met: how many, the first and why */
	unsigned n_replaced;
	const char *replaced, *why_replaced;
	/* of all programs: places with an instruction at which no probe is taken */
	unsigned n_refused;
	const char *refused, *refused_at; /* the first: of which function, and what is there */
	/* the point stands for more than one place: failing to attach one is no error */
	bool several;
	struct probe_points *ret;
};

/* As the script wrote it: a plain function("f") stays so. */
static const char *suffix_of(const struct question *q, const struct target_function *f)
{
	if (q->flags & USER_CALLEE)
		return text_point_callee(q->env, f,
					 q->flags & USER_RETURN ? ".return"
					 : q->flags & USER_CALL ? ".call"
								: "");
	if (q->flags & USER_LABEL)
		return arena_printf(q->env->arena, ".label(\"%s\")", f->label);
	return q->flags & USER_RETURN     ? ".return"
	       : q->flags & USER_INLINE   ? ".inline"
	       : q->flags & USER_EXPORTED ? ".exported"
	       : q->flags & USER_CALL     ? ".call"
	       : q->flags & USER_NEAREST  ? ".nearest"
					  : "";
}

/* A statement by its address keeps that, and a function that has no name. */
static const char *text_of(const struct question *q, const struct target_function *f)
{
	struct arena *arena = q->env->arena;
	const char *word = q->flags & USER_STATEMENT ? "statement" : "function";

	if (q->query.addr && (q->flags & USER_STATEMENT || f->is_nameless))
		return arena_printf(
			arena, "%s.%s(0x%llx)%s", q->program->head, word,
			(unsigned long long)(q->flags & USER_STATEMENT ? q->query.addr : f->addr),
			suffix_of(q, f));
	return arena_concat(arena, q->program->head, ".", word, "(\"",
			    text_point_name(q->env, f->caller ? f->caller : f), "\")",
			    suffix_of(q, f), NULL);
}

static void note_replaced(struct question *q, const struct target_function *f, const char *why)
{
	if (!q->n_replaced++) {
		q->replaced = f->base_name;
		q->why_replaced = why;
	}
}

/*
 * Where calls of F come by, and where they leave when that is by its own instructions: in programs
 * that would not bear another address in the place of the one that F returns to, and in libraries,
 * which may be called by such. false: a Go program, and the exits are not known.
 *
 * Where nothing in the file itself asks for it, a function that may go on elsewhere is not left to
 * its exits: all of its returns are seen by the address.
 */
static bool find_exits(struct question *q, const struct target_function *f, uint64_t *addr,
		       const struct ir_exits **exits)
{
	const struct question_file *file = &q->file;
	bool is_return = q->flags & USER_RETURN;
	struct ir_exits *found;
	const char *problem;

	if (f->pc || f->inline_addr || q->env->names_only ||
	    !(file->is_go || (is_return && (file->needs_exits || file->is_library))))
		return true;
	found = arena_new(q->env->arena, struct ir_exits);
	problem = target_function_exits(f, addr, found);
	if (!is_return)
		return true;
	if (!problem && found->is_partial && !file->is_go && !file->needs_exits)
		problem = "it ends with a jump to a place that is not known";
	if (!problem)
		*exits = found;
	else if (file->is_go)
		q->no_exits = problem;
	else
		note_replaced(q, f, problem);
	return !problem || !file->is_go;
}

static const struct ir_probe_kind *kind_of(const struct question *q, const struct ir_exits *exits)
{
	return exits                    ? &ir_kind_uexit
	       : q->flags & USER_RETURN ? &ir_kind_uretprobe
					: &ir_kind_uprobe;
}

/* Does the kernel take a probe there? */
static bool is_taken(struct question *q, const struct target_function *f, uint64_t addr)
{
	const char *at = target_file_unprobable(f->object, addr);

	if (at && !q->n_refused++) {
		q->refused = f->base_name;
		q->refused_at = at;
	}
	return !at;
}

/* What was left out, where others were not. */
static void warn_refused(const struct question *q)
{
	if (q->n_refused && !q->env->names_only)
		diag_report(q->env->sink, DIAG_UPROBE_REFUSED, q->point->span, q->n_refused,
			    q->n_refused == 1 ? "place is" : "places are", q->refused,
			    q->refused_at);
}

/*
 * Appends one function, copy or place; nothing when it is at no place of the file, or cannot be
 * probed there.
 */
static void add(struct question *q, const struct target_function *f)
{
	uint64_t addr = f->pc ? f->pc : f->inline_addr ? f->inline_addr : f->addr;
	const struct ir_exits *exits = NULL;
	struct probe_point *p;

	if (!find_exits(q, f, &addr, &exits) || !is_taken(q, f, addr))
		return;
	p = program_point_add(q->env, q->ret, q->point, q->program, kind_of(q, exits), addr,
			      text_of(q, f), q->several);
	if (!p)
		return;
	p->row.function = f->base_name;
	p->row.attach.user.exits = exits;
	p->entry_scope = target_scope_entry(q->env->target, f);
	p->admits = f->called_from;
	p->scope = q->flags & USER_RETURN ? target_scope_return(q->env->target, f) : p->entry_scope;
}

/* Does the variant of the point mean this one of the functions found? */
static bool is_meant(const struct question *q, const struct target_function *f)
{
	if (q->flags & USER_INLINE)
		return f->inline_addr;
	if (q->flags & USER_CALLEE && q->flags & (USER_CALL | USER_RETURN) && f->inline_addr)
		return false;
	return !(q->flags & USER_RETURN) ||
	       !(program_function_never_returns(f->name) || target_name_is_of_part(f->name));
}

/* Asks for what the variant means. */
static struct error *ask(struct question *q, struct target_functions *found)
{
	struct target *t = q->env->target;
	const struct ast_component *label = point_find(q->point, "label");

	if (q->flags & USER_STATEMENT)
		return target_find_statements(t, &q->query, q->flags & USER_NEAREST, found,
					      &q->near);
	return label ? target_find_labels(t, &q->query, component_string(label), found)
		     : target_find_functions(t, &q->query, found);
}

static struct question_file file_of(const struct target_object *o)
{
	return (struct question_file){
		.is_go = target_file_is_go(o),
		.is_library = target_file_is_decoded(o) && !target_file_is_program(o),
		.needs_exits = target_file_switches_stacks(o) || target_file_throws(o)
	};
}

static void warn_replaced(const struct question *q)
{
	if (q->n_replaced)
		diag_report(q->env->sink, DIAG_RETURN_REPLACED, q->point->span, q->n_replaced,
			    q->n_replaced == 1 ? "" : "s",
			    target_object_row(q->program->object)->path, q->replaced,
			    q->why_replaced);
}

/* All of one program; false, with a diagnostic, when it cannot be looked into. */
static bool find_in(struct question *q, const struct program *program)
{
	struct target_functions found = { 0 };
	struct error *err;

	q->program = program;
	q->query.object = program->object;
	q->file = file_of(program->object);
	q->n_replaced = 0;
	if (q->flags & USER_CALLEE) {
		if (!text_point_callees(q->env, q->point, &q->query, &found, &err))
			return false;
	} else {
		err = ask(q, &found);
	}
	if (err)
		return point_world_failed(q->env, q->point, err);
	q->several |= found.n > 1;
	vec_foreach(f, &found)
		if (is_meant(q, f))
			add(q, f);
	warn_replaced(q);
	return true;
}

/* Where lines around have code. */
static const char *explain_lines(const struct question *q)
{
	struct arena *arena = q->env->arena;
	const struct target_near_lines *near = &q->near;

	if (near->problem)
		return arena_printf(arena, " (it is not known what begins at 0x%llx: %s)",
				    (unsigned long long)q->query.addr, near->problem);
	if (near->is_instruction)
		return arena_printf(arena,
				    " (0x%llx is within the instruction at 0x%llx; try that, or "
				    ".nearest)",
				    (unsigned long long)q->query.addr,
				    (unsigned long long)near->addr);
	if (q->query.addr && near->addr)
		return arena_printf(arena,
				    " (address 0x%llx does not match the beginning of a statement; "
				    "the one before begins at 0x%llx)",
				    (unsigned long long)q->query.addr,
				    (unsigned long long)near->addr);
	if (near->before && near->after)
		return arena_printf(arena,
				    " (no code at this line of %s; try line %u or %u, or "
				    ".nearest)",
				    near->file, near->before, near->after);
	if (near->before || near->after)
		return arena_printf(arena,
				    " (no code at this line of %s; try line %u, or .nearest)",
				    near->file, near->before + near->after);
	return NULL;
}

/* "traceme has no label 'x'", and which there are. A copy of a function counts as the function. */
static const char *explain_part(const struct question *q, const char *what, const char *name,
				const struct target_functions *all)
{
	struct arena *arena = q->env->arena;
	const char **names = arena_new_array(arena, const char *, all->n + 1);
	size_t n = 0;

	vec_foreach(f, all) {
		const char *one = f->label ? f->label : f->base_name;
		bool told = false;

		for (size_t i = 0; i < n && !told; i++)
			told = !strcmp(names[i], one);
		if (!told)
			names[n++] = one;
	}
	if (!n)
		return arena_printf(arena, " (%s has no %ss that are known)", q->query.name, what);
	return arena_printf(arena, " (%s has no %s '%s'; it has %s%s)", q->query.name, what, name,
			    similar_join(arena, names, n > NAMES_TOLD ? NAMES_TOLD : n),
			    n > NAMES_TOLD ? " and more" : "");
}

/*
 * The same of callees, which are known by the call sites in debug information: of code that is not
 * optimised compilers write none.
 */
static const char *explain_callee(const struct question *q,
				  const struct target_function_query *callers)
{
	const struct target_function_query any = { .name = "*" };
	const struct ast_component *callee = point_find(q->point, "callee");
	struct target_functions found = { 0 }, elsewhere = { 0 };
	const struct target_function_query all = { .name = "*",
						   .object = callers->object,
						   .inlines = true };
	struct target *t = q->env->target;

	error_destroy(target_find_callees(t, callers, &any, 1, &found));
	if (found.n)
		return explain_part(q, "callee", callee ? component_string(callee) : "*", &found);
	error_destroy(target_find_callees(t, &all, &any, 1, &elsewhere));
	/* copies inlined somewhere are known without call sites */
	vec_foreach(f, &elsewhere)
		if (!f->inline_addr)
			return arena_printf(q->env->arena,
					    " (%s calls nothing, other than through a pointer or "
					    "as its last action)",
					    q->query.name);
	return arena_printf(q->env->arena,
			    " (%s has no call sites, by which callees are known: built with -O0?)",
			    target_object_row(callers->object)->path);
}

/*
 * Why a variant finds nothing of a function that is there: it has no such label or callee, is there
 * in copies alone, or is not for others to call. NULL: the function is not there.
 */
static const char *explain_variant(const struct question *q)
{
	const struct ast_component *label = point_find(q->point, "label");
	struct target_functions found = { 0 }, parts = { 0 };
	struct target *t = q->env->target;
	struct target_function_query query = q->query;

	query.inlines = true;
	query.exported = false;
	error_destroy(target_find_functions(t, &query, &found));
	if (!found.n || q->flags & USER_STATEMENT)
		return NULL;
	if (label) {
		error_destroy(target_find_labels(t, &query, "*", &parts));
		return explain_part(q, "label", component_string(label), &parts);
	}
	if (q->flags & USER_CALLEE)
		return explain_callee(q, &query);
	if (q->flags & USER_EXPORTED)
		return arena_printf(q->env->arena,
				    " (%s is there, but is not what the dynamic linker finds by "
				    "name: leave out .exported)",
				    q->query.name);
	if (q->flags & USER_INLINE)
		return arena_printf(q->env->arena, " (%s is not inlined anywhere)", q->query.name);
	vec_foreach(f, &found)
		if (!f->inline_addr)
			return NULL;
	return arena_printf(q->env->arena,
			    " (%s is inlined wherever it is called: %zu place%s, .inline)",
			    q->query.name, found.n, found.n > 1 ? "s" : "");
}

static const char *explain_name(const struct question *q, const struct target_object *object)
{
	const char *near[5];
	size_t n = target_similar_in_file(object, q->query.name, near, 5);

	if (!n && !target_file_has_dwarf(object))
		return arena_printf(
			q->env->arena,
			" (%s has no debug information, and no symbol of that name; install its "
			"-dbgsym package or compile it with -g)",
			target_object_row(object)->path);
	return point_similar(q->env, "function", near, n);
}

/* "; FILE is of another build", when that has the place of the object's debug file; else "". */
static const char *refused_file(const struct question *q, const struct target_object *object)
{
	const char *why = target_file_has_dwarf(object) ? NULL : target_file_refused(object);

	return why ? arena_printf(q->env->arena, "; %s", why) : "";
}

/* Why the only program has none of them, as the text behind "no match"; NULL: nothing to add. */
static const char *explain_nothing(const struct question *q, const struct target_object *object)
{
	struct arena *arena = q->env->arena;
	const char *path = target_object_row(object)->path, *text;
	bool needs_dwarf = !q->query.addr &&
			   (q->flags & (USER_STATEMENT | USER_LABEL | USER_INLINE | USER_CALLEE) ||
			    q->query.file);

	if (!q->query.addr && !target_file_has_symbols(object))
		return arena_printf(arena, " (%s has no symbols and no debug information%s)", path,
				    refused_file(q, object));
	if (needs_dwarf && !target_file_has_dwarf(object))
		return arena_printf(arena, " (this needs debug information of %s%s)", path,
				    refused_file(q, object));
	if (q->n_refused)
		return arena_printf(arena,
				    " (the kernel takes no probe where %s has %s; try a statement "
				    "behind it)",
				    q->refused, q->refused_at);
	text = q->flags & USER_STATEMENT ? explain_lines(q) : NULL;
	if (text)
		return text;
	if (!q->query.name)
		return arena_printf(arena, " (no function of %s holds 0x%llx)", path,
				    (unsigned long long)q->query.addr);
	if (q->no_exits)
		return arena_printf(arena, " (the return of this Go function cannot be probed: %s)",
				    q->no_exits);
	if (q->flags & USER_RETURN && target_name_is_of_part(q->query.name))
		return text_point_explain_part(q->env, q->query.name);
	if (q->flags & USER_RETURN && program_function_never_returns(q->query.name))
		return arena_printf(arena, " (%s does not return the way it was called)",
				    q->query.name);
	text = explain_variant(q);
	if (text)
		return text;
	if (q->query.file && target_file_missing_part(object))
		return arena_printf(arena, " (no such function in a file %s is known; %s)",
				    q->query.file, target_file_missing_part(object));
	if (q->query.file)
		return arena_printf(arena, " (no such function in a file %s)", q->query.file);
	return explain_name(q, object);
}

/*
 * Why the program has none of them that a point without a path means: it may not be the one that
 * was meant.
 */
static const char *explain_program(const struct question *q, const struct target_object *object)
{
	const struct ast_component *process = point_find(q->point, "process");

	if (!process || process->param || !process_is_shell(q->env))
		return explain_nothing(q, object);
	return arena_printf(q->env->arena,
			    " (the command of -c is run by a shell, so process is that shell, %s; "
			    "name the program: process(\"PATH\"))",
			    target_object_row(object)->path);
}

/* Resolves a number as an address, a string by text_pattern_parse(). */
static bool derive(struct probe_env *env, const struct ast_point *point,
		   const struct probe_pattern *pattern, struct probe_points *ret, const char **why)
{
	struct programs programs = { 0 };
	struct question q = {
		.env = env,
		.point = point,
		.what = point_find(point,
				   pattern->flags & USER_STATEMENT ? "statement" : "function"),
		.flags = pattern->flags,
		.query.inlines = pattern->flags & USER_CALLEE ||
				 !(pattern->flags & (USER_CALL | USER_RETURN | USER_EXPORTED)),
		.query.exported = pattern->flags & USER_EXPORTED,
		.ret = ret
	};
	size_t before = ret->n;

	if (!programs_of_point(env, point, &programs, why))
		return false;
	if (q.what->param->kind == AST_EXPR_NUMBER)
		q.query.addr = component_number(q.what);
	else if (!text_pattern_parse(env, q.what, &q.query))
		return false;
	q.several = programs.n > 1 || (q.query.name && is_glob(q.query.name));
	vec_foreach(program, &programs)
		if (!find_in(&q, program))
			return false;
	if (ret->n > before)
		warn_refused(&q);
	else if (programs.n == 1)
		*why = explain_program(&q, programs.data[0].object);
	return true;
}

/* The variants below one head. The same derive() serves all; flags say what it keeps. */
/* clang-format off */
#define FORMS(head)                                                                                \
	{ head ".function(string)", derive },                                                      \
	{ head ".function(number)", derive },                                                      \
	{ head ".function(string).call", derive, .flags = USER_CALL },                             \
	{ head ".function(number).call", derive, .flags = USER_CALL },                             \
	{ head ".function(string).exported", derive, .flags = USER_EXPORTED },                     \
	{ head ".function(string).inline", derive, .flags = USER_INLINE },                         \
	{ head ".function(string).label(string)", derive, .flags = USER_LABEL },                   \
	{ head ".function(string).callee(string)", derive, .flags = USER_CALLEE },                 \
	{ head ".function(string).callee(string).call", derive, .flags = USER_CALLEE | USER_CALL },\
	{ head ".function(string).callee(string).return", derive,                                  \
	  .flags = USER_CALLEE | USER_RETURN },                                                    \
	{ head ".function(string).callees", derive, .flags = USER_CALLEE, .by_name = true }, \
	{ head ".function(string).callees(number)", derive, .flags = USER_CALLEE },                \
	{ head ".function(string).return", derive, .flags = USER_RETURN },                         \
	{ head ".function(number).return", derive, .flags = USER_RETURN },                         \
	{ head ".statement(string)", derive, .flags = USER_STATEMENT },                            \
	{ head ".statement(number)", derive, .flags = USER_STATEMENT },                            \
	{ head ".statement(string).nearest", derive, .flags = USER_STATEMENT | USER_NEAREST },     \
	{ head ".statement(number).nearest", derive, .flags = USER_STATEMENT | USER_NEAREST }

static const struct probe_pattern patterns[] = { PROGRAM_FORMS(FORMS), { 0 } };
/* clang-format on */

const struct probe_family probe_family_user_text = { "user text", patterns };
