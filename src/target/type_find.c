/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types by name and object: the second and third argument of @cast and @enumname. Types are looked
 * for in BTF: the kernel's and its modules', or that which is made of header files, of the
 * kernel's when its image has no such type, or no BTF at all; those of programs and libraries, and
 * of modules without BTF of their own (kernels before 5.11), in their debug information.
 */
#include <string.h>

#include "diag/diag.h"
#include "target/dwarf.h"
#include "target/objects.h"

/* Of a program or library, or of a module without BTF. */
static const struct target_type *find_in_file(struct target_object *o, const char *text,
					      struct target_type_result *ret)
{
	struct dwarf *d = dwarf_get(o);

	if (!d)
		ret->hint = object_debuginfo_hint(o);
	return d ? type_parse(&d->source, text) : NULL;
}

/* The same by path, as a script writes it. */
static const struct target_type *find_in_program(struct target *t, const char *path,
						 const char *text, struct target_type_result *ret)
{
	const struct target_object *o;
	struct error *err = target_open_program(t, path, &o);

	if (!err)
		return find_in_file((struct target_object *)o, text, ret);
	ret->hint = arena_strdup(t->arena, err->text);
	error_destroy(err);
	return NULL;
}

/* Debug information is asked where there is no BTF: it has what no header declares. */
static const struct target_type *find_in_kernel(struct target *t, const char *text,
						struct target_type_result *ret)
{
	struct dwarf *d = target_try_load(t) && !t->kernel.has_types ? dwarf_get(&t->kernel) : NULL;
	struct btf_types *types = d ? NULL : kernel_named_types(t);
	const struct target_type *type = d       ? type_parse(&d->source, text)
					 : types ? type_parse(&types->source, text)
						 : NULL;

	if (!type && t->kernel.is_loaded && !t->kernel.has_types)
		ret->hint = arena_printf(t->arena,
					 "the kernel was built without BTF "
					 "(CONFIG_DEBUG_INFO_BTF), and its headers declare "
					 "no such type: %s",
					 target_debuginfo_hint(t));
	return type;
}

static const struct target_type *find_in_module(struct target_object *m, const char *text,
						struct target_type_result *ret)
{
	struct btf_types *types = object_types(m);
	const struct target_type *type = types ? type_parse(&types->source, text) : NULL;

	return type || m->has_types ? type : find_in_file(m, text, ret);
}

/* What the scope is in comes before the kernel. */
static const struct target_type *find_here(const struct target_scope *scope, const char *text,
					   struct target_type_result *ret)
{
	struct target_object *o = scope->object;
	const struct target_type *type = o->kind == OBJECT_FILE     ? find_in_file(o, text, ret)
					 : o->kind == OBJECT_MODULE ? find_in_module(o, text, ret)
								    : NULL;

	return type ? type : find_in_kernel(scope->target, text, ret);
}

/* One object of "a:b:c"; NULL: none has such a type, and *ret says what is in the way. */
static const struct target_type *find_in(struct target *t, const char *object, const char *text,
					 struct target_type_result *ret)
{
	const char *headers_in = strchr(object, '<');
	struct target_type_result problem;
	const struct target_type *type;
	struct btf_types *headers;
	struct target_object *m;

	if (target_names_kernel(arena_strndup(t->arena, object, strcspn(object, "<")))) {
		type = find_in_kernel(t, text, ret);
		if (type || !headers_in)
			return type;
	}
	if (headers_in) {
		headers = headers_types(t, object, &problem);
		if (!headers) {
			ret->tag = problem.tag;
			ret->message = problem.message;
			ret->hint = problem.hint;
		}
		return headers ? type_parse(&headers->source, text) : NULL;
	}
	if (strchr(object, '/') && !strstr(object, ".ko"))
		return find_in_program(t, object, text, ret);
	m = object_module(t, object);
	if (!m) {
		ret->hint = arena_printf(t->arena, "there is no module '%s'", object);
		return NULL;
	}
	return find_in_module(m, text, ret);
}

/*
 * What the scope is in must be loaded. Objects are tried in the order given, and the last hint
 * stays.
 */
void type_find(const struct target_scope *scope, const char *text, const char *module,
	       struct target_type_result *ret)
{
	struct target *t = scope->target;
	const struct target_type *type = NULL;
	char *objects, *object, *next;

	*ret = (struct target_type_result){ 0 };
	if (!module) {
		type = find_here(scope, text, ret);
	} else {
		objects = arena_strdup(t->arena, module);
		for (object = objects; object && !type; object = next) {
			next = strchr(object, ':');
			if (next)
				*next++ = '\0';
			type = find_in(t, object, text, ret);
		}
	}
	if (!type && !ret->message) {
		ret->tag = DIAG_NO_TYPE;
		ret->message = diag_text(t->arena, ret->tag, text,
					 module ? arena_printf(t->arena, " in '%s'", module) : "");
	}
	ret->type = type;
}

struct error *target_find_type(const struct target_scope *scope, const char *text,
			       const char *module, struct target_type_result *ret)
{
	struct error *err = scope_load(scope);

	if (!err)
		type_find(scope, text, module, ret);
	return err;
}
