/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types by name and object: the second and third argument of @cast and @enumname. Types are looked
 * for in BTF: the kernel's and its modules', or that which is made of header files. Programs are
 * not read.
 */
#include <string.h>

#include "diag/diag.h"
#include "target/internal.h"

/* One object of "a:b:c"; NULL: none has such a type, and *ret says what is in the way. */
static const struct target_type *find_in(struct target *t, const char *object, const char *text,
					 struct target_type_result *ret)
{
	size_t kernel = strlen("kernel");
	struct target_type_result problem;
	struct btf_types *headers;
	struct target_object *m;

	if (object[0] == '<') {
		headers = headers_types(t, object, &problem);
		if (!headers) {
			ret->tag = problem.tag;
			ret->message = problem.message;
			ret->hint = problem.hint;
		}
		return headers ? type_parse(headers, text) : NULL;
	}
	if (!strncmp(object, "kernel", kernel) && (!object[kernel] || object[kernel] == '<')) {
		const struct target_type *type = type_parse(&t->kernel.types, text);

		if (!type && object[kernel])
			ret->hint = "the kernel image has no such type, and types that only its "
				    "header files have are not built yet";
		return type;
	}
	if (strchr(object, '/') && !strstr(object, ".ko")) {
		ret->hint = "types of programs are not built yet";
		return NULL;
	}
	m = object_module(t, object);
	if (!m)
		ret->hint = arena_printf(t->arena, "there is no module '%s'", object);
	return m ? type_parse(object_types(m), text) : NULL;
}

/* The target must be loaded. Objects are tried in the order given, and the last hint stays. */
void type_find(const struct target_scope *scope, const char *text, const char *module,
	       struct target_type_result *ret)
{
	struct target *t = scope->target;
	const struct target_type *type = NULL;
	char *objects, *object, *next;

	*ret = (struct target_type_result){ 0 };
	if (!module) {
		type = type_parse(scope->types ? scope->types : &t->kernel.types, text);
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
	struct error *err = target_load(scope->target);

	if (!err)
		type_find(scope, text, module, ret);
	return err;
}
