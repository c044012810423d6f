/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel of a few functions, for tests of pass 2 without one. It answers for target/: linked instead of it.
 *
 *   long vfs_read(struct file *file, char *buf, unsigned long count)
 *   long vfs_write(struct file *file, char *buf, unsigned long count)    registers as in vfs_read
 *   int  vfs_fsync(struct file *file, int datasync)                      file in another register; a local "inner" of a block
 *   void vfs_nothing(void)
 *   struct file a_file, watched and not read
 *   tracepoint sched:sched_switch(struct task_struct *prev, struct task_struct *next)
 *   struct file { unsigned f_flags; struct { struct dentry *dentry; } f_path; long f_pos; char f_name[16]; struct { int u; }; }
 *   struct dentry { int d_count; char *d_name; }   struct task_struct { int pid; struct task_struct *parent; }
 *   struct endless { int n; struct endless; }    struct variant { one variant: struct variant inner }, which no compiler writes
 *   enumerator ANSWER = 42; enum colour { RED, GREEN, CRIMSON = 0, BLUE = -1 }
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <fnmatch.h>
#include <string.h>

#include "machine/machine.h"
#include "base/arena.h"
#include "target/event_names.h"
#include "target/functions.h"
#include "target/marks.h"
#include "target/objects.h"
#include "target/syscalls.h"
#include "target/target.h"
#include "target/tracepoints.h"
#include "target/types.h"
#include "target/variables.h"

struct target_type {
	enum target_type_kind kind;
	const char *name;
	unsigned size;
	bool is_signed;
	const struct target_type *pointee;
	unsigned count;
	const struct target_member *members;
	size_t n_members;
};

struct parameter {
	const char *name;
	const struct target_type *type;
	uint16_t reg;
	bool unreadable;
};

struct target_scope {
	const char *function;
	bool is_return, is_trace;
	const struct target_type *returns;
	const struct parameter *parameters;
	size_t n;
};

struct target {
	struct arena *arena;
};

static const struct target_type t_colour = { TARGET_TYPE_ENUM, "enum colour", 4, true };
static const struct target_type t_int = { TARGET_TYPE_INT, "int", 4, true };
static const struct target_type t_uint = { TARGET_TYPE_INT, "unsigned int", 4, false };
static const struct target_type t_long = { TARGET_TYPE_INT, "long int", 8, true };
static const struct target_type t_ulong = { TARGET_TYPE_INT, "unsigned long", 8, false };
static const struct target_type t_char = { TARGET_TYPE_CHAR, "char", 1, true };
static const struct target_type t_text = { TARGET_TYPE_POINTER, "char*", 8, false, &t_char };
static const struct target_type t_name = { TARGET_TYPE_ARRAY, "char[16]", 16, false, &t_char, 16 };

static const struct target_member dentry_members[] = { { "d_count", &t_int, 0 },
						       { "d_name", &t_text, 64 } };
static const struct target_type t_dentry = {
	TARGET_TYPE_STRUCT, "struct dentry", 16, false, NULL, 0, dentry_members, 2
};
static const struct target_type t_dentry_p = { TARGET_TYPE_POINTER, "struct dentry*", 8, false,
					       &t_dentry };
static const struct target_member path_members[] = { { "dentry", &t_dentry_p, 0 } };
static const struct target_type t_path = {
	TARGET_TYPE_STRUCT, "struct path", 8, false, NULL, 0, path_members, 1
};
static const struct target_member anonymous_members[] = { { "u", &t_int, 0 } };
static const struct target_type t_anonymous = {
	TARGET_TYPE_STRUCT, "struct {...}", 4, false, NULL, 0, anonymous_members, 1
};
static const struct target_member file_members[] = {
	{ "f_flags", &t_uint, 0 },  { "f_path", &t_path, 64 }, { "f_pos", &t_long, 128 },
	{ "f_name", &t_name, 192 }, { "", &t_anonymous, 320 },
};
static const struct target_type t_file = {
	TARGET_TYPE_STRUCT, "struct file", 48, false, NULL, 0, file_members, 5
};
static const struct target_type t_file_p = { TARGET_TYPE_POINTER, "struct file*", 8, false,
					     &t_file };

extern const struct target_type t_task;
static const struct target_type t_task_p = { TARGET_TYPE_POINTER, "struct task_struct*", 8, false,
					     &t_task };
static const struct target_member task_members[] = { { "pid", &t_int, 0 },
						     { "parent", &t_task_p, 64 } };
const struct target_type t_task = {
	TARGET_TYPE_STRUCT, "struct task_struct", 16, false, NULL, 0, task_members, 2
};

extern const struct target_type t_endless, t_variant;
static const struct target_member endless_members[] = { { "n", &t_int, 0 }, { "", &t_endless, 0 } };
const struct target_type t_endless = {
	TARGET_TYPE_STRUCT, "struct endless", 8, false, NULL, 0, endless_members, 2
};
static const struct target_member variant_members[] = { { "inner", &t_variant, 0, 0,
							  MEMBER_OTHERWISE, 0 } };
const struct target_type t_variant = {
	TARGET_TYPE_STRUCT, "struct variant", 8, false, NULL, 0, variant_members, 1
};

static const struct parameter rw_parameters[] = { { "file", &t_file_p, 5 },
						  { "buf", &t_text, 4 },
						  { "count", &t_ulong, 1 } };
static const struct parameter fsync_parameters[] = { { "file", &t_file_p, 4 },
						     { "datasync", &t_int, 5, true } };
static const struct parameter switch_parameters[] = { { "prev", &t_task_p, 0 },
						      { "next", &t_task_p, 1 } };

static const struct target_function functions[] = {
	{ .name = "vfs_fsync",
	  .base_name = "vfs_fsync",
	  .addr = 0x300,
	  .file = "fs/sync.c",
	  .line = 30,
	  .traceable = true,
	  .is_unique = true },
	{ .name = "vfs_nothing",
	  .base_name = "vfs_nothing",
	  .addr = 0x400,
	  .file = "fs/nothing.c",
	  .line = 40,
	  .traceable = true,
	  .is_unique = true },
	{ .name = "vfs_read",
	  .base_name = "vfs_read",
	  .addr = 0x100,
	  .file = "fs/read_write.c",
	  .line = 10,
	  .traceable = true,
	  .is_unique = true },
	{ .name = "vfs_write",
	  .base_name = "vfs_write",
	  .addr = 0x200,
	  .file = "fs/read_write.c",
	  .line = 20,
	  .traceable = true,
	  .is_unique = true },
};
static const struct target_scope scopes[] = {
	{ "vfs_fsync", false, false, &t_int, fsync_parameters, 2 },
	{ "vfs_nothing", false, false, NULL, NULL, 0 },
	{ "vfs_read", false, false, &t_long, rw_parameters, 3 },
	{ "vfs_write", false, false, &t_long, rw_parameters, 3 },
	{ "vfs_fsync", true, false, &t_int, NULL, 0 },
	{ "vfs_nothing", true, false, NULL, NULL, 0 },
	{ "vfs_read", true, false, &t_long, NULL, 0 },
	{ "vfs_write", true, false, &t_long, NULL, 0 },
};
static const struct target_scope trace_scope = { "sched_switch",    false, true, NULL,
						 switch_parameters, 2 };
static const struct target_scope no_scope;

struct target *fake_target_create(struct arena *arena);
struct target *fake_target_create(struct arena *arena)
{
	struct target *t = arena_new(arena, struct target);

	t->arena = arena;
	return t;
}

bool target_has_dwarf(struct target *t, const char *module)
{
	return true;
}

const char *target_debuginfo_refused(struct target *t, const char *module)
{
	return NULL;
}

const char *target_debuginfo_package(struct target *t)
{
	return "linux-image-fake-dbg";
}

struct error *target_find_functions(struct target *t, const struct target_function_query *q,
				    struct target_functions *ret)
{
	if (!strcmp(q->name, "vfs_damaged"))
		return error_hint(error_create("the fake kernel is damaged here"),
				  "look elsewhere");
	for (size_t i = 0; i < 4; i++)
		if (q->name && !fnmatch(q->name, functions[i].name, 0) &&
		    (!q->exported || !strcmp(functions[i].name, "vfs_read")) &&
		    (!q->file || !fnmatch(q->file, functions[i].file, 0)))
			vec_push(t->arena, ret, functions[i]);
	return NULL;
}

/*
 * One place in each function that matches, 4 bytes behind the entry, at the first line asked for. The address 0x101
 * begins no statement.
 */
struct error *target_find_statements(struct target *t, const struct target_function_query *q,
				     bool nearest, struct target_functions *ret,
				     struct target_near_lines *near)
{
	struct error *err = q->name ? target_find_functions(t, q, ret) : NULL;

	*near = (struct target_near_lines){ .file = "fs/read_write.c", .before = 12, .after = 14 };
	if (q->addr == 0x101)
		near->addr = 0x100;
	if (q->addr == 0x101 && q->unaligned)
		vec_push(t->arena, ret, functions[2]);
	if (q->lines.n && q->lines.ranges[0].first == 13 && !nearest)
		ret->n = 0;
	for (size_t i = 0; i < ret->n; i++) {
		ret->data[i].pc = ret->data[i].addr + 4;
		ret->data[i].holder = ret->data[i].name;
		ret->data[i].holder_offset = 4;
		if (q->lines.n)
			ret->data[i].line = q->lines.ranges[0].first;
	}
	return err;
}

/* Each function has the label "out". */
struct error *target_find_labels(struct target *t, const struct target_function_query *q,
				 const char *label, struct target_functions *ret)
{
	struct error *err = target_find_functions(t, q, ret);

	if (fnmatch(label, "out", 0))
		ret->n = 0;
	for (size_t i = 0; i < ret->n; i++) {
		ret->data[i].pc = ret->data[i].addr + 8;
		ret->data[i].holder = ret->data[i].name;
		ret->data[i].holder_offset = 8;
		ret->data[i].label = "out";
	}
	return err;
}

/* Each function calls itself, from code at 7. */
struct error *target_find_callees(struct target *t, const struct target_function_query *q,
				  const struct target_function_query *callee, unsigned depth,
				  struct target_functions *ret)
{
	struct error *err = target_find_functions(t, q, ret);

	for (size_t i = 0; i < ret->n; i++) {
		struct target_function *caller = arena_new(t->arena, struct target_function);
		struct ir_text_ranges *codes = arena_new(t->arena, struct ir_text_ranges);

		*caller = ret->data[i];
		ret->data[i].caller = caller;
		vec_push(t->arena, codes, ((struct ir_text_range){ .addr = 7, .size = 16 }));
		ret->data[i].callers = codes;
	}
	return err;
}

size_t target_similar_functions(struct target *t, const char *module, const char *name,
				const char **ret, size_t max)
{
	ret[0] = "vfs_read";
	return 1;
}

size_t target_similar_data(struct target *t, const char *name, const char **ret, size_t max)
{
	ret[0] = "jiffies";
	return !strncmp(name, "jif", 3);
}

const char *target_readable_at(const struct target_scope *scope, const char *name)
{
	return strcmp(name, "datasync") && strcmp(name, "inner") ? NULL : "vfs_fsync@fs/sync.c:34";
}

const char *target_function_successor(struct target *t, const char *name)
{
	return strcmp(name, "vfs_older") ? NULL : "vfs_read is there in its place";
}

const char *target_function_forbidden(struct target *t, const char *module, const char *name)
{
	return strcmp(name, "vfs_atomic") ? NULL : "vfs_atomic is there, but it is noinstr";
}

const char *target_function_in_module(struct target *t, const char *name)
{
	return strcmp(name, "toy_read") ? NULL : "toy";
}

const char *target_module_absent(struct target *t, const char *name)
{
	return strcmp(name, "toi") ? NULL : "kernel fake has no module toi; did you mean toy?";
}

const struct ir_object *target_kernel_row(struct target *t)
{
	return NULL;
}

struct target_address target_address_in(const struct target_object *object, uint64_t addr)
{
	return (struct target_address){ .offset = addr };
}

bool fake_target_has_anchor = true;

struct error *target_anchor(struct target *t, const char **symbol, uint64_t *addr)
{
	if (!fake_target_has_anchor)
		return error_create("the fake kernel has no such symbol");
	*symbol = "_printk";
	*addr = 0x1000;
	return NULL;
}

uint64_t target_symbol(struct target *t, const char *name)
{
	return 0;
}

struct error *target_find_tracepoints(struct target *t, const char *module, const char *pattern,
				      struct target_tracepoints *ret)
{
	if (!fnmatch(pattern, "sched_switch", 0) || !fnmatch(pattern, "sched:sched_switch", 0))
		vec_push(t->arena, ret,
			 ((struct target_tracepoint){ .system = "sched", .name = "sched_switch" }));
	return NULL;
}

bool target_has_tracepoints(struct target *t)
{
	return true;
}

size_t target_similar_tracepoints(struct target *t, const char *name, const char **ret, size_t max)
{
	return 0;
}

static const struct target_scope *find_scope(const char *name, bool is_return)
{
	for (size_t i = 0; i < 8; i++)
		if (!strcmp(scopes[i].function, name) && scopes[i].is_return == is_return)
			return &scopes[i];
	return &no_scope;
}

const struct target_scope *target_scope_entry(struct target *t, const struct target_function *f)
{
	return find_scope(f->name, false);
}

bool target_scope_has_result(const struct target_scope *scope, const char *name)
{
	return false;
}

const struct target_scope *target_scope_return(struct target *t, const struct target_function *f)
{
	return find_scope(f->name, true);
}

const struct target_scope *target_scope_tracepoint(struct target *t,
						   const struct target_tracepoint *tp)
{
	return &trace_scope;
}

const struct target_scope *target_scope_tracepoint_by_number(struct target *t,
							     const struct target_tracepoint *tp)
{
	return &trace_scope;
}

/* "read" of both kinds of programs and "write" of the machine's own, with the parameters of vfs_*. */
static const struct target_syscall syscalls[] = {
	{ "read", "__x64_sys_read", 0, 0, false },
	{ "read", "__ia32_sys_read", 1, 3, true },
	{ "write", "__x64_sys_write", 0, 1, false },
};

struct error *target_find_syscalls(struct target *t, const char *name, struct target_syscalls *ret)
{
	for (size_t i = 0; i < sizeof(syscalls) / sizeof(syscalls[0]); i++)
		if (!strcmp(syscalls[i].name, name))
			vec_push(t->arena, ret, syscalls[i]);
	return NULL;
}

size_t target_similar_syscalls(struct target *t, const char *name, const char **ret, size_t max)
{
	ret[0] = "read";
	return !strcmp(name, "raed");
}

const struct target_scope *target_scope_syscall(struct target *t, const struct target_syscall *call)
{
	return find_scope("vfs_read", false);
}

const struct target_scope *
target_scope_syscall_return(struct target *t, const struct target_syscall *call, bool has_entry)
{
	return find_scope("vfs_read", true);
}

const struct target_scope *target_scope_none(struct target *t)
{
	return &no_scope;
}

const struct target_scope *target_scope_file(const struct target_object *object, bool is_here)
{
	return &no_scope;
}

const struct target_object *target_scope_object(const struct target_scope *scope, bool *is_here)
{
	*is_here = true;
	return NULL;
}

struct error *target_variable_names(const struct target_scope *scope, struct arena *arena,
				    struct target_variables *ret)
{
	for (size_t i = 0; i < scope->n; i++) {
		const struct parameter *p = &scope->parameters[i];

		vec_push(arena, ret,
			 ((struct target_variable){ p->name, p->type->name, true, !p->unreadable,
						    p->type }));
	}
	if (scope->is_return && scope->returns)
		vec_push(arena, ret,
			 ((struct target_variable){ "return", scope->returns->name, false, true,
						    scope->returns }));
	return NULL;
}

struct error *target_variables(struct target *t, const struct target_scope *scope,
			       struct target_variables *ret)
{
	return target_variable_names(scope, t->arena, ret);
}

/* ---- resolving ---- */

static void push(struct target *t, struct fetch_program *p, struct fetch_insn insn)
{
	if (p->n == p->cap)
		p->insns = vec_grow(t->arena, p->insns, p->n, &p->cap, sizeof(*p->insns));
	p->insns[p->n++] = insn;
}

static const struct target_member *find_member(const struct target_type *type, const char *name)
{
	for (size_t i = 0; i < type->n_members; i++) {
		if (!strcmp(type->members[i].name, name))
			return &type->members[i];
		if (!*type->members[i].name && find_member(type->members[i].type, name))
			return &type->members[i];
	}
	return NULL;
}

static bool is_object(const struct target_type *type)
{
	return type->kind == TARGET_TYPE_STRUCT || type->kind == TARGET_TYPE_ARRAY;
}

/* The answer is no value: the row that says why, whose arguments follow; returns false. */
static bool fail(struct target *t, struct target_value *ret, enum target_status status,
		 enum diag_tag tag, ...)
{
	va_list ap;

	va_start(ap, tag);
	ret->status = status;
	ret->tag = tag;
	ret->message = diag_vtext(t->arena, tag, ap);
	va_end(ap);
	return false;
}

/* One step. The program leaves the value of a scalar, the address of an aggregate. */
static bool step(struct target *t, const struct target_access *a, const struct target_type **type,
		 struct target_value *ret)
{
	const struct target_type *object = *type;
	const struct target_member *m;

	if (object->kind == TARGET_TYPE_POINTER || object->kind == TARGET_TYPE_ARRAY)
		object = object->pointee;
	if (a->number) {
		m = &object->members[a->number - 1];
		if (m->bit_offset)
			push(t, &ret->load,
			     (struct fetch_insn){ .op = FETCH_ADD,
						  .value = (int64_t)m->bit_offset / 8 });
		object = m->type;
	} else if (!a->member) {
		if (a->operand >= 0)
			push(t, &ret->load,
			     (struct fetch_insn){ .op = FETCH_INDEX,
						  .number = (uint16_t)a->operand,
						  .value = object->size });
		else if (a->literal)
			push(t, &ret->load,
			     (struct fetch_insn){ .op = FETCH_ADD,
						  .value = a->literal * object->size });
	} else {
		do {
			m = find_member(object, a->member);
			if (!m) {
				if (object->n_members)
					return fail(t, ret, TARGET_NO_MEMBER, DIAG_NO_MEMBER,
						    a->member, object->name,
						    arena_printf(t->arena, " (alternatives: %s)",
								 object->members[0].name));
				return fail(t, ret, TARGET_BAD_ACCESS, DIAG_INVALID_ACCESS,
					    arena_printf(t->arena, "->%s", a->member), object->name,
					    "");
			}
			if (m->bit_offset)
				push(t, &ret->load,
				     (struct fetch_insn){ .op = FETCH_ADD,
							  .value = (int64_t)m->bit_offset / 8 });
			object = m->type;
		} while (!*m->name);
	}
	*type = object;
	return true;
}

static void load(struct target *t, const struct target_type *type, struct target_value *ret)
{
	ret->address.n = 0;
	for (size_t i = 0; i < ret->load.n; i++)
		push(t, &ret->address, ret->load.insns[i]);
	push(t, &ret->load,
	     (struct fetch_insn){
		     .op = FETCH_LOAD, .size = (uint8_t)type->size, .is_signed = type->is_signed });
}

static const struct target_type *pointer_to(struct target *t, const struct target_type *type)
{
	struct target_type *p = arena_new(t->arena, struct target_type);

	*p = (struct target_type){ TARGET_TYPE_POINTER, arena_printf(t->arena, "%s*", type->name),
				   8, false, type };
	return p;
}

static bool follow(struct target *t, const struct target_query *q, const struct target_type *type,
		   bool in_memory, struct target_value *ret)
{
	for (size_t i = 0; i < q->n_path; i++) {
		if (in_memory && !is_object(type))
			load(t, type, ret);
		if (!step(t, &q->path[i], &type, ret))
			return false;
		in_memory = true;
	}
	if (q->address_of) {
		ret->type = pointer_to(t, type);
		ret->size = 8;
		return true;
	}
	if (is_object(type) && type->kind == TARGET_TYPE_STRUCT) {
		return fail(t, ret, TARGET_BAD_ACCESS, DIAG_STRUCT_VALUE, type->name,
			    type->n_members ? type->members[0].name : "x");
	}
	if (in_memory && !is_object(type))
		load(t, type, ret);
	ret->type = type;
	ret->size = (uint8_t)type->size;
	ret->is_signed = type->is_signed;
	return true;
}

static bool resolve_local(struct target *t, const struct target_scope *scope,
			  const struct target_query *q, struct target_value *ret)
{
	if (scope->is_return && !strcmp(q->name, "return")) {
		if (!scope->returns) {
			return fail(t, ret, TARGET_NO_RETURN, DIAG_NO_RETURN_VALUE,
				    scope->function);
		}
		push(t, &ret->load, (struct fetch_insn){ .op = FETCH_REG, .number = 0 });
		return follow(t, q, scope->returns, false, ret);
	}
	for (size_t i = 0; i < scope->n; i++) {
		const struct parameter *p = &scope->parameters[i];

		if (strcmp(p->name, q->name))
			continue;
		if (p->unreadable) {
			ret->lost = p->name;
			return fail(t, ret, TARGET_UNREADABLE, DIAG_UNREADABLE, q->name,
				    "it was optimised out");
		}
		push(t, &ret->load,
		     (struct fetch_insn){ .op = scope->is_trace ? FETCH_TPARG : FETCH_REG,
					  .number = p->reg });
		return follow(t, q, p->type, false, ret);
	}
	return fail(
		t, ret, TARGET_NO_VARIABLE, DIAG_NO_LOCAL, q->name,
		arena_printf(t->arena, " in %s", scope->function ? scope->function : "nothing"));
}

static bool resolve_cast(struct target *t, const struct target_query *q, struct target_value *ret)
{
	static const struct target_type *const known[] = { &t_file,   &t_dentry,  &t_task,   &t_int,
							   &t_file_p, &t_endless, &t_variant };
	const struct target_type *type = q->type;

	for (size_t i = 0; q->name && i < sizeof(known) / sizeof(*known); i++) {
		const char *name = known[i]->name;

		if (!strcmp(name, q->name) ||
		    (!strncmp(name, "struct ", 7) && !strcmp(name + 7, q->name)))
			type = known[i];
	}
	if (!type) {
		return fail(t, ret, TARGET_NO_TYPE, DIAG_NO_TYPE, q->name, "");
	}
	push(t, &ret->load, (struct fetch_insn){ .op = FETCH_OPERAND });
	return follow(t, q, type, is_object(type), ret);
}

const struct machine *target_machine(const struct target *t)
{
	return &machine_x86_64;
}

const struct machine *target_system_machine(struct target *t)
{
	return &machine_x86_64;
}

struct error *target_resolve(struct target *t, const struct target_scope *scope,
			     const struct target_query *q, struct target_value *ret)
{
	*ret = (struct target_value){ 0 };
	if (q->base == TARGET_LOCAL) {
		resolve_local(t, scope, q, ret);
	} else if (q->base == TARGET_CAST) {
		resolve_cast(t, q, ret);
	} else if (!strcmp(q->name, "jiffies")) {
		push(t, &ret->load, (struct fetch_insn){ .op = FETCH_ADDRESS, .value = 0x5000 });
		follow(t, q, &t_ulong, true, ret);
	} else if (!strcmp(q->name, "a_file")) {
		push(t, &ret->load,
		     (struct fetch_insn){ .op = FETCH_ADDRESS, .value = 0xffffffff82000000 });
		follow(t, q, &t_file, true, ret);
	} else {
		fail(t, ret, TARGET_NO_VARIABLE, DIAG_NO_GLOBAL, q->name, "");
	}
	return NULL;
}

/* ---- types ---- */

enum target_type_kind target_type_kind(const struct target_type *type)
{
	return type->kind;
}

const char *target_type_name(const struct target_type *type)
{
	return type->name;
}

uint64_t target_type_size(const struct target_type *type)
{
	return type->kind == TARGET_TYPE_CHAR ? 1 : 8;
}

bool target_type_is_user(const struct target_type *type)
{
	return false;
}

bool target_type_signed(const struct target_type *type)
{
	return type->is_signed;
}

const struct target_type *target_type_pointee(const struct target_type *type)
{
	return type->pointee;
}

uint64_t target_type_count(const struct target_type *type)
{
	return type->count;
}

int64_t target_type_first(const struct target_type *type)
{
	(void)type;
	return 0;
}

size_t target_type_members(struct target *t, const struct target_type *type,
			   const struct target_member **ret)
{
	*ret = type->members;
	return type->n_members;
}

bool target_enumerator(const struct target_scope *scope, const char *name, int64_t *value)
{
	*value = 42;
	return !strcmp(name, "ANSWER");
}

size_t target_type_enumerators(const struct target_type *type, const struct target_enumerator **ret)
{
	static const struct target_enumerator colours[] = {
		{ "RED", 0 }, { "GREEN", 1 }, { "CRIMSON", 0 }, { "BLUE", -1 }
	};

	*ret = colours;
	return 4;
}

struct error *target_find_type(const struct target_scope *scope, const char *text,
			       const char *module, struct target_type_result *ret)
{
	static char message[64];

	*ret = (struct target_type_result){ 0 };
	if (!strcmp(text, "enum colour"))
		ret->type = &t_colour;
	else if (!strcmp(text, "struct file"))
		ret->type = &t_file;
	else
		snprintf(message, sizeof(message), "type definition '%s' not found", text);
	ret->tag = DIAG_NO_TYPE;
	ret->message = message;
	return NULL;
}

/* Of C, all of it. */
bool target_type_is_of(const struct target_type *type, enum target_language language)
{
	return language == TARGET_LANGUAGE_ANY;
}

bool target_type_same(const struct target_type *a, const struct target_type *b)
{
	return a == b || !strcmp(a->name, b->name);
}

/* ---- programs: there are none ---- */

struct error *target_open_file(struct target *t, const char *path, const struct target_object **ret)
{
	return error_create("%s: there are no programs here", path);
}

bool target_build_id_of(const char *path, unsigned char ret[BUILD_ID_SIZE])
{
	return false;
}

const struct ir_object *target_object_row(const struct target_object *o)
{
	return NULL;
}

const struct machine *target_object_machine(const struct target_object *o)
{
	return &machine_x86_64;
}

bool target_file_offset(const struct target_object *o, uint64_t addr, uint64_t *ret)
{
	return false;
}

bool target_file_address(const struct target_object *o, uint64_t offset, uint64_t *ret)
{
	return false;
}

bool target_file_has_symbols(const struct target_object *o)
{
	return false;
}

const char *target_function_exits(const struct target_function *f, uint64_t *entry,
				  struct ir_exits *ret)
{
	return "it is made up";
}

const char *target_store_is_lost(const struct target_scope *scope, unsigned reg, uint64_t *addr)
{
	return NULL;
}

bool target_file_is_go(const struct target_object *o)
{
	return false;
}

const char *target_file_refused(const struct target_object *o)
{
	return NULL;
}

bool target_may_be_label(const struct target_function *f)
{
	return false;
}

bool target_name_is_of_part(const char *name)
{
	return false;
}

const char *target_file_missing_part(const struct target_object *o)
{
	return NULL;
}

bool target_file_has_dwarf(const struct target_object *o)
{
	return false;
}

size_t target_similar_in_file(const struct target_object *file, const char *name, const char **ret,
			      size_t max)
{
	return 0;
}

void target_find_marks(const struct target_object *o, const char *provider, const char *name,
		       struct target_marks *ret)
{
	*ret = (struct target_marks){ 0 };
}

size_t target_mark_arguments(const struct target_object *o, const struct target_mark *mark,
			     struct target_mark_argument *ret, size_t max)
{
	return 0;
}

const struct target_names *target_event_names(const struct target_scope *scope,
					      const char *parameter)
{
	return NULL;
}

bool target_names_same(const struct target_names *a, const struct target_names *b)
{
	return a == b;
}
