/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a script names and where it is: a variable of a scope, a global, or what an operand points
 * to. From there walk.h takes the path.
 */
#include <inttypes.h>
#include <string.h>

#include "base/similar.h"
#include "target/dwarf.h"
#include "target/objects.h"
#include "target/thread_local.h"
#include "target/walk.h"

/*
 * Where the variable was sought, for the message: by DWARF "dieoffset 0x12 in kernel, near pc 0x34
 * in vfs_read fs/read_write.c", else the name of the function or tracepoint, or "".
 */
static const char *sought_in(struct walk *w, const struct target_scope *scope)
{
	const struct target_function *f = &scope->function;
	const struct function_info *info = f->priv;
	uint64_t pc = f->pc ? f->pc : f->inline_addr ? f->inline_addr : f->addr;

	if (!scope->where)
		return "";
	if (!info || !info->die || !f->file)
		return arena_printf(w->arena, " in %s", scope->where);
	return arena_printf(w->arena,
			    " dieoffset 0x%" PRIx64 " in %s, near pc 0x%" PRIx64 " in %s %s",
			    info->die, scope->object->name, pc, f->base_name, f->file);
}

/* Reports that the scope has no such variable, with what it has and what may help. */
static bool no_variable(struct walk *w, const struct target_scope *scope,
			const struct variables *vars)
{
	const char **names = arena_new_array(w->arena, const char *, vars->n + 1), *near;
	const char *hint = scope->hint;
	const char *text;
	size_t n = 0;

	if (!strcmp(w->query->name, "return") && scope->kind == SCOPE_RETURN && !scope->problem)
		return walk_fail(w, TARGET_NO_RETURN, NULL, DIAG_NO_RETURN_VALUE,
				 scope->function.base_name);
	text = arena_printf(w->arena, ", [man error::dwarf]%s", sought_in(w, scope));
	if (vars->n) {
		text = arena_printf(w->arena, "%s (alternatives:", text);
		vec_foreach(v, vars) {
			if (!*v->name || v->is_unlisted)
				continue;
			text = arena_printf(w->arena, "%s $%s", text, v->name);
			names[n++] = v->name;
		}
		text = arena_printf(w->arena, "%s)", text);
	} else if (scope->problem) {
		text = arena_printf(w->arena, "%s (%s)", text, scope->problem);
	}
	if (!hint && scope->kind == SCOPE_ENTRY && !dwarf_get(scope->object))
		hint = object_debuginfo_hint(scope->object);
	/* a near name is the likelier cause, so it comes before the package */
	if (similar_names(w->query->name, names, n, &near, 1))
		hint = arena_printf(w->arena, "did you mean $%s?%s%s", near,
				    hint ? " If not: " : "", hint ? hint : "");
	return walk_fail(w, TARGET_NO_VARIABLE, hint, DIAG_NO_LOCAL, w->query->name, text);
}

/* The named variable, or NULL; parameters without a name are never meant. */
static const struct variable *find_variable(const struct variables *vars, const char *name)
{
	vec_foreach(v, vars)
		if (*name && !strcmp(v->name, name))
			return v;
	return NULL;
}

/*
 * Of a module, whose per-CPU data the module loader allocates elsewhere (kernel/module/main.c,
 * percpu_modalloc), and to which its symbols lead. The copy is chosen before members are added: a
 * module that is not loaded has address 0, and must not be read as this CPU's first variable.
 */
static void module_address_space(struct arena *arena, struct fetch_program *address)
{
	const char *section = address->insns->section->name; /* NULL: of a program */
	struct fetch_program prog = { 0 };

	if (!section || strcmp(section, ".data..percpu"))
		return;
	for (size_t i = 0; i < address->n; i++) {
		fetch_push(arena, &prog, address->insns[i]);
		if (i == 0)
			fetch_push(arena, &prog, (struct fetch_insn){ .op = FETCH_THIS_CPU });
	}
	*address = prog;
}

/*
 * A variable that each CPU has a copy of: its section is linked at 0 (x86-64 before 6.15, commit
 * 9d7de2aa8b41), where no code ever is, or lies between these symbols and moves with the kernel.
 */
static void set_address_space(struct walk *w)
{
	struct target *t = w->target;
	struct location *l = &w->location;
	struct fetch_insn *first = l->address.insns;
	uint64_t addr;

	if (l->kind != LOCATION_MEMORY || !l->address.n || first->op != FETCH_ADDRESS)
		return;
	if (first->section) {
		module_address_space(w->arena, &l->address);
		return;
	}
	addr = (uint64_t)first->value;
	if (addr < target_symbol(t, "_stext"))
		first->op = FETCH_CONST;
	else if (addr < target_symbol(t, "__per_cpu_start") ||
		 addr >= target_symbol(t, "__per_cpu_end"))
		return;
	l->space = FETCH_PERCPU;
}

/* Of an inlined copy, which of them it is: " in the copy at vfs_read+0x12"; else "". */
static const char *which_copy(struct walk *w)
{
	struct target_function f = { 0 };

	if (w->scope)
		f = w->scope->function;
	if (!f.inline_addr || !target_function_set_holder(&f, f.pc ? f.pc : f.inline_addr))
		return "";
	return arena_printf(w->arena, ", in the copy at %s+0x%x", f.holder, f.holder_offset);
}

/* The walk begins at variable V. */
static bool start_at(struct walk *w, const struct variable *v)
{
	const struct location *l = &v->location;

	w->ret->type = v->type;
	w->ret->lost = l->kind == LOCATION_NONE ? v->name : NULL;
	w->space = v->type->source->space;
	if (l->kind == LOCATION_NONE)
		return walk_fail(w, TARGET_UNREADABLE, l->hint, DIAG_UNREADABLE, v->name,
				 arena_concat(w->arena,
					      l->problem ? l->problem : "it was optimised out",
					      which_copy(w), NULL));
	w->location = *l;
	w->location.address = fetch_copy(w->arena, &l->address);
	set_address_space(w);
	w->type = v->type;
	return walk_path(w);
}

/* BTF describes few globals; DWARF all. Of several, that of the file of SCOPE's function. */
static bool find_global(struct walk *w, struct target_object *o, const struct target_scope *scope,
			struct variable *ret)
{
	struct btf_types *types = &o->types;
	struct dwarf *d = dwarf_get(o);
	uint64_t addr = object_symbol(o, w->query->name);
	const char *file = w->query->file;
	uint32_t id;

	if (d && dwarf_global(d, w->query->name, file, o == scope->object ? &scope->function : NULL,
			      ret))
		return true;
	if (file || !addr || !o->has_types ||
	    !btf_types_find_ids(types, w->query->name, 1u << BTF_KIND_VAR, &id, 1))
		return false;
	*ret = (struct variable){ .name = w->query->name,
				  .type = type_get(&types->source, btf_type(&types->btf, id)->type),
				  .location =
					  location_relocate(o, location_linked(w->arena, addr)) };
	return true;
}

/* A variable of the scope; in a function else a global of that name that its own file knows. */
static bool resolve_local(struct walk *w, const struct target_scope *scope)
{
	const struct variable *v = find_variable(scope_variables(scope, false), w->query->name);
	const struct variables *all;
	struct dwarf *d;
	struct variable global;

	/* DWARF is opened only for what BTF does not know */
	if (v && v->location.kind != LOCATION_NONE)
		return start_at(w, v);
	all = scope_variables(scope, true);
	v = find_variable(all, w->query->name);
	if (v)
		return start_at(w, v);
	d = scope->kind == SCOPE_ENTRY ? dwarf_get(scope->object) : NULL;
	if (d && dwarf_global_seen(d, w->query->name, &scope->function, &global))
		return start_at(w, &global);
	return no_variable(w, scope, all);
}

/* A program or library by its path; NULL: there is none, and the walk has failed. */
static struct target_object *named_file(struct walk *w)
{
	const struct target_object *o;
	struct error *err = target_open_program(w->target, w->query->module, &o);

	if (!err)
		return (struct target_object *)o;
	walk_fail(w, TARGET_NO_VARIABLE, NULL, DIAG_NO_GLOBAL, w->query->name,
		  arena_printf(w->arena, ": %s", err->text));
	error_destroy(err);
	return NULL;
}

/* The object that @var names; NULL: none, and the walk has failed. */
static struct target_object *named_object(struct walk *w, const struct target_scope *scope)
{
	const char *module = w->query->module;
	struct target_object *o;

	if (!module)
		return scope->object;
	if (target_names_kernel(module) || !strcmp(module, "vmlinux"))
		return &w->target->kernel;
	if (strchr(module, '/') && !strstr(module, ".ko"))
		return named_file(w);
	o = object_module(w->target, module);
	if (!o)
		walk_fail(w, TARGET_NO_VARIABLE, NULL, DIAG_NO_GLOBAL, w->query->name,
			  arena_printf(w->arena, " in '%s': there is no such module", module));
	return o;
}

static void look_up_address(struct target_object *o, struct fetch_program *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i].op == FETCH_ADDRESS && p->insns[i].section == &o->as_linked)
			p->insns[i].section = &o->as_mapped;
}

/*
 * The point that is hit is in another file, or in the kernel: it does not tell where the process
 * has this one, which it runs.
 */
static void look_up_in(struct target_object *o, struct location *l)
{
	look_up_address(o, &l->address);
	for (size_t i = 0; i < l->n_pieces; i++)
		look_up_address(o, &l->pieces[i].prog);
}

/* The same of a file that not every process has that comes there. */
static void look_it_up(struct target_object *o, struct location *l)
{
	thread_local_require_mapped(o, &l->address);
	for (size_t i = 0; i < l->n_pieces; i++)
		thread_local_require_mapped(o, &l->pieces[i].prog);
	look_up_in(o, l);
}

/*
 * Globals of O near to what is asked for, best first; by its DWARF, else, of the kernel, by its
 * symbols. At most MAX, returns how many.
 */
static size_t similar_globals(struct walk *w, struct target_object *o, const char **ret, size_t max)
{
	struct dwarf *d = dwarf_get(o);
	const char **names;

	if (!d && object_is_kernel(o))
		return target_similar_data(w->target, w->query->name, ret, max);
	if (!d)
		return 0;
	names = arena_new_array(w->arena, const char *, d->index.n_variables + 1);
	for (size_t i = 0; i < d->index.n_variables; i++)
		names[i] = dwarf_index_string(&d->index, d->index.variables[i].name);
	return similar_names(w->query->name, names, d->index.n_variables, ret, max);
}

/* What would help who asked for a global that O does not have; NULL: nothing is known. */
static const char *global_hint(struct walk *w, struct target_object *o)
{
	const char *package = dwarf_get(o) ? NULL : object_debuginfo_hint(o), *near;

	/*
	 * as of a local: a near name comes before the package; not where it is this name, which is
	 * in another file, or not described
	 */
	if (!similar_globals(w, o, &near, 1) || !strcmp(near, w->query->name))
		return package;
	return arena_printf(w->arena, "did you mean @var(\"%s\")?%s%s", near,
			    package ? " If not: " : "", package ? package : "");
}

/*
 * @var: in the object named or the scope's; when none is named, also in the kernel, unless what the
 * probe stands at is a function of a program.
 */
static bool resolve_global(struct walk *w, const struct target_scope *scope)
{
	struct target_object *o = named_object(w, scope), *kernel = &w->target->kernel;
	struct variable v;

	if (!o)
		return false;
	if (find_global(w, o, scope, &v)) {
		if (o->kind == OBJECT_FILE && o != scope->object)
			look_it_up(o, &v.location);
		else if (scope->is_elsewhere)
			look_up_in(o, &v.location);
		return start_at(w, &v);
	}
	if (!w->query->module && o != kernel &&
	    (o->kind == OBJECT_MODULE || scope->kind == SCOPE_NONE) &&
	    find_global(w, kernel, scope, &v))
		return start_at(w, &v);
	return walk_fail(w, TARGET_NO_VARIABLE, global_hint(w, o), DIAG_NO_GLOBAL, w->query->name,
			 arena_printf(w->arena, "%s%s%s%s", w->query->file ? " in " : "",
				      w->query->file ? w->query->file : "",
				      object_is_kernel(o)        ? ""
				      : o->kind == OBJECT_MODULE ? " of module "
								 : " of ",
				      object_is_kernel(o) ? "" : o->name));
}

/* A C int, of a process: of what no debug information describes. */
static bool int_node(struct type_source *src, uint64_t ref, struct type_node *ret)
{
	*ret = (struct type_node){ .tag = TYPE_INT, .name = "int", .size = 4, .is_signed = true };
	return true;
}

static const struct target_type *type_of_errno(struct target *t)
{
	static const struct type_ops ops = { .node = int_node };

	if (!t->errno_types.ops) {
		type_source_init(&t->errno_types, &ops, t->arena, t, NULL);
		t->errno_types.space = FETCH_USER;
	}
	return type_get(&t->errno_types, 1);
}

/* By its symbol: what it is the C standard says. */
static bool resolve_errno(struct walk *w)
{
	struct target_object *o = (struct target_object *)w->query->object;
	struct variable v = { .name = w->query->name, .type = type_of_errno(w->target) };
	struct fetch_program address = { 0 };
	const char *problem = "it has no symbol";
	uint64_t offset;

	if (file_thread_local(&o->image, v.name, &offset))
		problem = thread_local_push(o, offset, &address);
	v.location =
		problem ? location_none(problem) : location_relocate(o, location_memory(address));
	if (w->query->is_run)
		look_up_in(o, &v.location);
	else if (!w->query->is_here)
		look_it_up(o, &v.location);
	return start_at(w, &v);
}

/* The operand is the address of a struct, or the value of anything else; a scalar type that is
 * subscripted is what the operand points to. */
static bool resolve_cast(struct walk *w, const struct target_scope *scope)
{
	const struct target_query *q = w->query;
	struct fetch_program operand = { 0 };
	struct target_type_result found;
	const struct target_type *type = q->type;
	bool subscripted = q->n_path && !q->path[0].member && !q->path[0].number, in_memory;

	if (q->name) {
		type_find(scope, q->name, q->module, &found);
		type = found.type;
	}
	if (!type) {
		w->ret->status = TARGET_NO_TYPE;
		w->ret->tag = found.tag;
		w->ret->message = found.message;
		w->ret->hint = found.hint;
		return false;
	}
	if (type->kind != TARGET_TYPE_POINTER && type->kind != TARGET_TYPE_ARRAY && subscripted)
		type = type_pointer_to(type);
	w->type = type;
	w->space = type->source->space;
	in_memory = type_is_aggregate(type->canonical) || type->kind == TARGET_TYPE_ARRAY ||
		    type->kind == TARGET_TYPE_FUNCTION || q->address_of;
	fetch_push(w->arena, &operand, (struct fetch_insn){ .op = FETCH_OPERAND });
	w->location = in_memory && type->kind != TARGET_TYPE_POINTER
			      ? location_memory(operand)
			      : location_word(w->arena, operand);
	return walk_path(w);
}

/* All that a program of a process' variable loads is memory of that process. */
static void read_user(struct arena *arena, struct fetch_program *p)
{
	*p = fetch_copy(arena, p);
	for (size_t i = 0; i < p->n; i++)
		if (p->insns[i].op == FETCH_LOAD && p->insns[i].space == FETCH_KERNEL)
			p->insns[i].space = FETCH_USER;
}

/* What cannot be resolved is in ret->status, with its text. */
struct error *target_resolve(struct target *t, const struct target_scope *scope,
			     const struct target_query *q, struct target_value *ret)
{
	struct walk w = { .target = t, .arena = t->arena, .query = q, .ret = ret };
	struct error *err = scope_load(scope);

	if (err)
		return err;
	*ret = (struct target_value){ 0 };
	switch (q->base) {
	case TARGET_LOCAL:
		w.scope = scope;
		resolve_local(&w, scope);
		break;
	case TARGET_GLOBAL:
		resolve_global(&w, scope);
		break;
	case TARGET_CAST:
		resolve_cast(&w, scope);
		break;
	case TARGET_ERRNO:
		resolve_errno(&w);
		break;
	}
	if (w.space == FETCH_USER) {
		read_user(w.arena, &ret->load);
		read_user(w.arena, &ret->address);
	}
	/* a return probe has the result registers besides the arguments' */
	ret->full_regs =
		scope->kind != SCOPE_RETURN && fetch_needs_full_regs(&ret->load, t->machine);
	return NULL;
}

bool target_enumerator(const struct target_scope *scope, const char *name, int64_t *value)
{
	struct target *t = scope->target;
	struct dwarf *d = scope->object->kind == OBJECT_FILE ? dwarf_get(scope->object) : NULL;
	struct btf_types *types;

	if (d && dwarf_enumerator(d, name, value))
		return true;
	types = kernel_named_types(t);
	return types && (btf_types_enumerator(types, name, value) ||
			 (scope->types && scope->types != types &&
			  btf_types_enumerator(scope->types, name, value)));
}
