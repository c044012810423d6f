/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variables a scope has, and where each is: by BTF and the calling convention, and by DWARF
 * when locals are asked for or BTF does not know enough. A scope is filled on first use and then
 * kept.
 */
#include <string.h>

#include "base/similar.h"
#include "target/dwarf.h"
#include "target/syscall.h"
#include "target/tracepoints.h"
#include "target/variables.h"

/* Has the compiler made it from the function of the base name (foo.isra.0)? */
static bool is_clone(const char *name)
{
	return name[symbol_base_length(name)] != '\0';
}

/*
 * Appends PARAMS from FIRST on. Those without a name stay: they have registers in the calling
 * convention.
 */
static void add_named(struct arena *arena, struct variables *vars, struct type_source *src,
		      const struct type_members *params, size_t first)
{
	for (size_t i = first; i < params->n; i++) {
		struct variable v = { .name = params->data[i].name, .is_param = true };

		/* "..." is a last parameter without type */
		if (!params->data[i].ref)
			continue;
		v.type = type_get(src, params->data[i].ref);
		if (v.name && *v.name)
			vec_push(arena, vars, v);
		else
			vec_push(arena, vars,
				 ((struct variable){
					 .name = "", .type = v.type, .is_param = true }));
	}
}

/* ---- system-call wrappers ---- */

/* Nothing when the function is no wrapper of a system call. */
static void add_syscall_parameters(struct target_scope *s)
{
	struct syscall_parameter params[6];
	const struct machine_syscalls *calls;
	int n = syscall_parameters(s->target, s->function.name, params, &calls);

	if (calls && s->types)
		syscall_add_variables(s, calls, params, n, true);
}

/* ---- system calls ---- */

/* Nothing when the kernel has no types. */
static void fill_syscall(struct target_scope *s)
{
	struct syscall_parameter params[6];
	const struct machine_syscalls *calls = &s->target->machine->syscalls[s->syscall.abi];
	int n;

	if (!s->types)
		return;
	if (s->kind == SCOPE_SYSCALL_RETURN)
		syscall_add_result(s, calls);
	if (s->kind == SCOPE_SYSCALL_RETURN && !s->has_entry)
		return;
	n = syscall_parameters(s->target, s->syscall.function, params, &calls);
	syscall_add_variables(s, &s->target->machine->syscalls[s->syscall.abi], params, n, false);
}

/* ---- functions, by BTF and the calling convention ---- */

/* Why the calling convention says nothing of this function's parameters; NULL: it does. */
static const char *why_unreadable(struct target_scope *s)
{
	struct arena *arena = s->arena;

	if (is_clone(s->function.name))
		return arena_printf(arena,
				    "%s is a copy of %s the compiler changed; where its parameters "
				    "are needs debuginfo",
				    s->function.name, s->function.base_name);
	if (!s->function.is_unique)
		return arena_printf(arena,
				    "several functions are named %s; telling their parameters "
				    "apart needs debuginfo",
				    s->function.name);
	return NULL;
}

/* Who describes the scope's functions, for messages. */
static const char *describer(const struct target_scope *s)
{
	return object_is_kernel(s->object)
		       ? "the kernel"
		       : arena_printf(s->target->arena, "module %s", s->object->name);
}

/* The function's type by BTF. NULL: not known, with the scope's problem and hint set. */
static const struct target_type *function_type(struct target_scope *s)
{
	struct arena *arena = s->arena;
	const char *why = object_types_problem(s->object);
	const struct target_type *type = NULL;

	if (!object_types(s->object)) {
		s->problem = arena_printf(arena,
					  "what parameters and result %s has needs "
					  "debuginfo: the kernel was built without BTF "
					  "(CONFIG_DEBUG_INFO_BTF)",
					  s->function.name);
		s->hint = target_debuginfo_hint(s->target);
		return NULL;
	}
	if (!btf_types_function(s->types, s->function.base_name, &type)) {
		s->problem = arena_printf(arena, "%s describes several functions named %s",
					  describer(s), s->function.base_name);
		s->hint = target_debuginfo_hint(s->target);
		return NULL;
	}
	if (!type) {
		s->problem =
			is_clone(s->function.name) && !why
				? arena_printf(
					  arena,
					  "the compiler made %s of %s; which parameters and result it "
					  "has needs debuginfo",
					  s->function.name, s->function.base_name)
				: arena_printf(arena,
					       "%s does not describe the parameters of %s%s%s",
					       describer(s), s->function.name, why ? ": " : "",
					       why ? why : "");
		s->hint = target_debuginfo_hint(s->target);
	}
	return type;
}

/* Parameters that cannot be located are listed all the same, with the reason. */
static void fill_entry(struct target_scope *s)
{
	const struct target_type *type;
	struct type_members params = { 0 };
	struct variables vars = { 0 };
	const char *why = why_unreadable(s);

	add_syscall_parameters(s);
	type = function_type(s);
	if (!type)
		return;
	type_parameters(type, &params);
	add_named(s->arena, &vars, type->source, &params, 0);
	convention_locate_parameters(s->target->machine, s->arena, type_result(type), vars.data,
				     vars.n);
	vec_foreach(v, &vars) {
		if (!*v->name)
			continue;
		if (why)
			v->location = (struct location){ .problem = why,
							 .hint = target_debuginfo_hint(s->target) };
		vec_push(s->arena, &s->variables, *v);
	}
}

/*
 * A wrapper of a system call returns a long. BTF leaves out those of calls without parameters,
 * because they are aliases (SYSCALL_DEFINE0, arch/x86/include/asm/syscall_wrapper.h). NULL: it is
 * no wrapper.
 */
static const struct target_type *syscall_result(struct target_scope *s)
{
	const char *call;

	if (!s->types || !object_is_kernel(s->object) ||
	    !machine_syscall(s->target->machine, s->function.name, &call))
		return NULL;
	return type_parse(&s->types->source, "long");
}

/* Only $return, unless the function is void. */
static void fill_return(struct target_scope *s)
{
	const struct target_type *result = syscall_result(s), *type = NULL;
	struct variable v = { .name = "return" };
	const char *suffix = s->function.name + symbol_base_length(s->function.name);

	if (!result && (type = function_type(s)))
		result = type_result(type);
	if (!result || result->kind == TARGET_TYPE_VOID)
		return;
	v.type = result;
	v.location = convention_locate_result(s->target->machine, s->arena, result);
	/* .isra and .part may have lost their result; .constprop keeps it */
	if (strstr(suffix, ".isra") || strstr(suffix, ".part") || !s->function.is_unique) {
		v.location = (struct location){ .problem = why_unreadable(s),
						.hint = target_debuginfo_hint(s->target) };
	}
	vec_push(s->arena, &s->variables, v);
}

/* ---- tracepoints ---- */

/*
 * Functions the kernel's macros make for tracepoint NAME, all with its parameters behind a void *.
 */
static const char *const tracepoint_functions[] = { "__traceiter_%s", "__probestub_%s",
						    "trace_event_raw_event_%s", "perf_trace_%s" };

static bool parameters_by(struct target_scope *s, struct btf_types *types, const char *function,
			  struct variables *ret)
{
	const struct target_type *type = NULL;
	struct type_members params = { 0 };

	if (!types || !btf_types_function(types, function, &type) || !type)
		return false;
	type_parameters(type, &params);
	add_named(s->arena, ret, type->source, &params, 1);
	return true;
}

/* One of them in BTF, with its parameters behind the void *. */
static bool parameters_by_btf(struct target_scope *s, const char *function, struct variables *ret)
{
	return parameters_by(s, s->types, function, ret);
}

/* The same by the header that declares the tracepoint. */
static bool parameters_by_header(struct target_scope *s, struct variables *ret)
{
	return s->event_system &&
	       parameters_by(s, headers_tracepoints(s->target, s->event_system),
			     arena_printf(s->arena, tracepoint_functions[0], s->where), ret);
}

/* The same by debug information. */
static bool parameters_by_dwarf(struct target_scope *s, const char *function, struct variables *ret)
{
	struct dwarf *d = dwarf_get(s->object);
	struct variables all = { 0 };

	if (!d || !dwarf_function_parameters(d, s, function, &all))
		return false;
	for (size_t i = 1; i < all.n; i++) {
		if (!all.data[i].name)
			all.data[i].name = "";
		vec_push(s->arena, ret, all.data[i]);
	}
	return true;
}

/* By the first of the functions that LOOK knows. */
static bool find_parameters(struct target_scope *s,
			    bool (*look)(struct target_scope *s, const char *function,
					 struct variables *ret))
{
	for (size_t i = 0; i < sizeof(tracepoint_functions) / sizeof(*tracepoint_functions); i++)
		if (look(s, arena_printf(s->arena, tracepoint_functions[i], s->where),
			 &s->variables))
			return true;
	return false;
}

/* Each parameter is one word of the tracepoint's arguments. Modules of some kernels have no BTF. */
static void fill_tracepoint(struct target_scope *s)
{
	struct arena *arena = s->arena;
	size_t word = 0;

	if (!find_parameters(s, parameters_by_btf) && !find_parameters(s, parameters_by_dwarf) &&
	    !parameters_by_header(s, &s->variables)) {
		s->problem = arena_printf(
			arena, "the kernel does not describe the parameters of tracepoint %s",
			s->where);
		s->hint = object_debuginfo_hint(s->object);
		return;
	}
	vec_foreach(v, &s->variables) {
		struct fetch_program p = { 0 };

		fetch_push(arena, &p, (struct fetch_insn){ .op = FETCH_TPARG, .number = word++ });
		v->location = location_word(arena, p);
		/* names outlive lists, as those in BTF and DWARF do */
		if (s->by_number)
			v->name = arena_printf(s->target->arena, "arg%zu", word);
	}
}

/* Is it a place behind the entry? */
static bool is_inside(const struct target_function *f)
{
	return f->pc && f->pc != f->addr;
}

/* Is it about a system call, whose words are where its ABI has them? */
static bool is_of_syscall(const struct target_scope *s)
{
	const char *call;

	return s->kind == SCOPE_SYSCALL || s->kind == SCOPE_SYSCALL_RETURN ||
	       (s->function.name && object_is_kernel(s->object) &&
		machine_syscall(s->target->machine, s->function.name, &call));
}

/* A kernel without BTF has types by name all the same, which is enough for system calls. */
static void find_types(struct target_scope *s)
{
	if (s->kind == SCOPE_NONE || s->types)
		return;
	s->types = object_types(s->object);
	if (!s->types && is_of_syscall(s))
		s->types = kernel_named_types(s->target);
}

/* Fills the scope by BTF, once. */
static void fill(struct target_scope *s)
{
	s->ready = true;
	if (s->object->kind == OBJECT_FILE) {
		s->problem = s->object->dwarf_problem;
		if (s->problem)
			return;
		s->problem = "no debug information was found";
		s->hint = object_debuginfo_hint(s->object);
		return;
	}
	find_types(s);
	switch (s->kind) {
	case SCOPE_NONE:
		break;
	case SCOPE_ENTRY:
		/* further in, registers are no longer what the calling convention says */
		if (!s->function.inline_addr && !is_inside(&s->function))
			fill_entry(s);
		break;
	case SCOPE_RETURN:
		fill_return(s);
		break;
	case SCOPE_TRACEPOINT:
		fill_tracepoint(s);
		break;
	case SCOPE_SYSCALL:
	case SCOPE_SYSCALL_RETURN:
		fill_syscall(s);
		break;
	}
}

/*
 * DWARF knows all BTF does and more: it begins anew, in the order of declaration. false: it does
 * not know the function.
 */
static bool fill_by_dwarf(struct target_scope *s)
{
	bool is_function = s->kind == SCOPE_ENTRY || s->kind == SCOPE_RETURN;
	struct dwarf *d = is_function ? dwarf_get(s->object) : NULL;
	struct variables by_btf = s->variables;

	s->has_locals = true;
	if (!d)
		return false;
	s->variables = (struct variables){ 0 };
	if (s->kind == SCOPE_ENTRY && !is_inside(&s->function))
		add_syscall_parameters(s);
	if (!(s->kind == SCOPE_RETURN ? dwarf_fill_return(d, s) : dwarf_fill_entry(d, s))) {
		s->variables = by_btf;
		return false;
	}
	s->problem = s->hint = NULL;
	return true;
}

struct error *scope_load(const struct target_scope *scope)
{
	return scope->object->kind == OBJECT_FILE ? object_load(scope->object)
						  : target_load(scope->target);
}

/* The scope is const to its users; what is missing is filled in here. */
const struct variables *scope_variables(const struct target_scope *scope, bool locals)
{
	struct target_scope *s = (struct target_scope *)scope;

	if (!object_try_load(s->object))
		return &s->variables;
	if (!s->ready)
		fill(s);
	if (locals && !s->has_locals)
		fill_by_dwarf(s);
	return &s->variables;
}

/* A scope of the kernel image; others set object themselves. */
static struct target_scope *create(struct target *t, enum scope_kind kind, const char *where)
{
	struct target_scope *s = arena_new(t->arena, struct target_scope);

	*s = (struct target_scope){ .target = t,
				    .arena = t->arena,
				    .object = &t->kernel,
				    .kind = kind,
				    .where = arena_strdup(t->arena, where) };
	return s;
}

const struct target_scope *target_scope_entry(struct target *t, const struct target_function *f)
{
	struct target_scope *s = create(t, SCOPE_ENTRY, f->name);

	s->function = *f;
	if (f->object)
		s->object = (struct target_object *)f->object;
	return s;
}

const struct target_scope *target_scope_return(struct target *t, const struct target_function *f)
{
	struct target_scope *s = create(t, SCOPE_RETURN, f->name);

	s->function = *f;
	if (f->object)
		s->object = (struct target_object *)f->object;
	return s;
}

bool target_scope_has_result(const struct target_scope *scope, const char *name)
{
	const struct variables *vars;

	if (scope->kind != SCOPE_RETURN || !scope->object->is_go)
		return false;
	vars = scope_variables(scope, true);
	vec_foreach(v, vars)
		if (!strcmp(v->name, name))
			return true;
	return false;
}

const struct target_scope *target_scope_tracepoint(struct target *t,
						   const struct target_tracepoint *tp)
{
	struct target_scope *s = create(t, SCOPE_TRACEPOINT, tp->name);

	s->object = (struct target_object *)tp->object;
	s->event_system = tp->system;
	s->event_format = tp->format;
	return s;
}

const struct target_scope *target_scope_tracepoint_by_number(struct target *t,
							     const struct target_tracepoint *tp)
{
	struct target_scope *s = create(t, SCOPE_TRACEPOINT, tp->name);

	s->object = (struct target_object *)tp->object;
	s->event_system = tp->system;
	s->by_number = true;
	return s;
}

const struct target_scope *target_scope_syscall(struct target *t, const struct target_syscall *call)
{
	struct target_scope *s = create(t, SCOPE_SYSCALL, call->name);

	s->syscall = *call;
	return s;
}

const struct target_scope *
target_scope_syscall_return(struct target *t, const struct target_syscall *call, bool has_entry)
{
	struct target_scope *s = create(t, SCOPE_SYSCALL_RETURN, call->name);

	s->syscall = *call;
	s->has_entry = has_entry;
	return s;
}

const struct target_scope *target_scope_none(struct target *t)
{
	return &t->none;
}

const struct target_scope *target_scope_file(const struct target_object *object, bool is_here)
{
	struct target *t = object->target;
	struct target_scope *s = arena_new(t->arena, struct target_scope);

	*s = t->none;
	s->object = (struct target_object *)object;
	s->is_elsewhere = !is_here;
	return s;
}

const struct target_object *target_scope_object(const struct target_scope *scope, bool *is_here)
{
	*is_here = !scope->is_elsewhere;
	return scope->object->kind == OBJECT_KERNEL ? NULL : scope->object;
}

const char *target_readable_at(const struct target_scope *scope, const char *name)
{
	const struct target_function *f = &scope->function;
	struct dwarf *d = scope->kind == SCOPE_ENTRY ? dwarf_get(scope->object) : NULL;
	unsigned line = d && f->file ? dwarf_readable_line(d, f, name) : 0;

	return line ? arena_printf(scope->target->arena, "%s@%s:%u", f->base_name, f->file, line)
		    : NULL;
}

/* Has it a value there that can be shown, if only a part of it? */
static bool is_shown(const struct variable *v)
{
	return location_has_value(&v->location) && !(v->type && type_fits_no_number(v->type));
}

/* Appends what a list has of each variable, or READABLE: of each that can be read there. */
static void describe(struct arena *arena, const struct variables *vars, bool readable,
		     struct target_variables *ret)
{
	vec_foreach(v, vars) {
		if (v->is_unlisted || (readable && !is_shown(v)))
			continue;
		vec_push(arena, ret,
			 ((struct target_variable){ .name = v->name,
						    .ctype = target_type_name(v->type),
						    .is_param = v->is_param,
						    .readable = location_has_value(&v->location),
						    .type = v->type }));
	}
}

struct error *target_variables(struct target *t, const struct target_scope *scope,
			       struct target_variables *ret)
{
	struct error *err = scope_load(scope);

	if (err)
		return err;
	*ret = (struct target_variables){ 0 };
	describe(t->arena, scope_variables(scope, true), false, ret);
	return NULL;
}

struct error *target_variable_names(const struct target_scope *scope, struct arena *arena,
				    struct target_variables *ret)
{
	struct target_scope own = *scope;
	struct error *err = scope_load(scope);

	if (err)
		return err;
	*ret = (struct target_variables){ 0 };
	own.arena = arena;
	own.names_only = true;
	own.ready = own.has_locals = false;
	own.variables = (struct variables){ 0 };
	if (object_try_load(own.object)) {
		find_types(&own);
		if (!fill_by_dwarf(&own))
			fill(&own);
	}
	describe(arena, &own.variables, true, ret);
	return NULL;
}
