/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and variables that are near to one that is not there, for hints. */
#include <ctype.h>
#include <string.h>

#include "base/similar.h"
#include "target/demangle.h"
#include "target/dwarf.h"
#include "target/functions.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/scoped_name.h"
#include "target/source_name.h"

size_t target_similar_data(struct target *t, const char *name, const char **ret, size_t max)
{
	const struct index *ix = &t->kernel.index;
	uint64_t init = target_symbol(t, "__init_begin"), init_end = target_symbol(t, "__init_end");
	const char **names;
	size_t n = 0;

	if (!object_try_load(&t->kernel))
		return 0;
	names = arena_new_array(t->arena, const char *, ix->n_symbols + 1);
	for (size_t i = 0; i < ix->n_symbols; i++) {
		const struct index_symbol *s = &ix->symbols[i];

		if (!(s->flags & (SYMBOL_TEXT | SYMBOL_IN_BTF)) &&
		    (s->addr < init || s->addr >= init_end))
			names[n++] = index_string(ix, s->name);
	}
	return similar_names(name, names, n, ret, max);
}

/* Names to choose similar ones from. */
struct name_list {
	const char **data;
	size_t n, cap;
};

/* NAME without the arguments of templates and generics; NAME itself when it has none. */
static const char *without_arguments(struct arena *arena, const char *name)
{
	unsigned depth = 0;
	char *ret, *to;

	if (!strchr(name, '<') || strstr(name, "operator"))
		return name;
	to = ret = arena_strdup(arena, name);
	for (; *name; name++) {
		depth += *name == '<';
		if (!depth)
			*to++ = *name;
		depth -= *name == '>' && depth;
	}
	*to = '\0';
	return ret;
}

/*
 * Names near one that has no arguments of templates: they are not compared, but belong to what is
 * told, and where nothing else differs, only those are. As similar_names() otherwise.
 */
static size_t similar_without_arguments(struct arena *arena, const char *name,
					const struct name_list *names, const char **ret, size_t max)
{
	const char **plain = arena_new_array(arena, const char *, names->n + 1);
	const char *near[8];
	size_t n_near, n = 0;

	for (size_t i = 0; i < names->n; i++)
		plain[i] = without_arguments(arena, names->data[i]);
	n_near = similar_names(name, plain, names->n, near, max < 8 ? max : 8);
	if (n_near && !strcmp(near[0], name))
		n_near = 1;
	for (size_t k = 0; k < n_near; k++) {
		size_t first = n;

		for (size_t i = 0; i < names->n && n < max; i++) {
			bool told = strcmp(plain[i], near[k]) != 0;

			for (size_t j = first; j < n && !told; j++)
				told = !strcmp(ret[j], names->data[i]);
			if (!told)
				ret[n++] = names->data[i];
		}
	}
	return n;
}

/*
 * Functions of C++ and Rust as the source names them, with the innermost of their scopes, as many
 * as the pattern has.
 */
static void push_source_names(struct target_object *o, const struct scoped_pattern *p,
			      struct name_list *ret)
{
	struct arena *arena = o->target->arena;
	const struct dwarf_index *ix = o->dwarf ? &o->dwarf->index : NULL;

	for (size_t i = 0; ix && i < ix->n_functions; i++) {
		const char *scope = dwarf_index_string(ix, ix->functions[i].scope);
		const char *name = dwarf_index_string(ix, ix->functions[i].name);

		scope = scoped_shown(p, scope);
		vec_push(arena, ret, *scope ? arena_printf(arena, "%s%s", scope, name) : name);
	}
	for (size_t i = index_lower_bound(&o->index, "_R"); i < o->index.n_symbols; i++) {
		const struct index_symbol *s = &o->index.symbols[i];
		const char *name = index_string(&o->index, s->name), *last;

		if (*name != '_')
			break;
		name = s->flags & SYMBOL_FUNCTION && index_may_probe(s) &&
				       !object_is_described(o, s->addr)
			       ? demangle(arena, name)
			       : NULL;
		if (!name)
			continue;
		last = scoped_pattern(arena, name).name;
		vec_push(arena, ret,
			 arena_printf(arena, "%s%s",
				      scoped_shown(p, arena_strndup(arena, name, last - name)),
				      last));
	}
}

/* Functions of Go by NAME, as the source has it: their packages are to be named too. */
static size_t similar_of_packages(struct target_object *o, const char *name, const char **ret,
				  size_t max)
{
	size_t n = 0;

	if (!o->is_go || strchr(name, '.'))
		return 0;
	for (size_t i = 0; i < o->index.n_symbols && n < max; i++) {
		const struct index_symbol *s = &o->index.symbols[i];
		const char *text = index_string(&o->index, s->name), *last = strrchr(text, '.');

		if (last && !strcmp(last + 1, name) && s->flags & SYMBOL_FUNCTION &&
		    index_may_probe(s))
			ret[n++] = text;
	}
	return n;
}

/*
 * Only functions, without clones: symbols that ftrace or BTF, in a file the ELF type, or in a
 * kernel with neither their use knows as such.
 */
static size_t similar_in(struct target_object *o, const char *name, const char **ret, size_t max)
{
	bool is_file = o->kind == OBJECT_FILE;
	uint32_t known = (o->kind == OBJECT_MODULE ? 0 : SYMBOL_FUNCTION) |
			 (is_file ? 0 : SYMBOL_TRACEABLE | SYMBOL_IN_BTF);
	struct scoped_pattern p;
	struct name_list names = { 0 };
	size_t n = similar_of_packages(o, name, ret, max);

	if (n)
		return n;
	if (is_file) /* no name has a list of parameters */
		name = arena_strndup(o->target->arena, name, source_parameters(name));
	p = scoped_pattern(o->target->arena, name);
	for (size_t i = 0; i < o->index.n_symbols; i++) {
		const struct index_symbol *s = &o->index.symbols[i];
		const char *text = index_string(&o->index, s->name);

		if (index_may_probe(s) && s->flags & known && !text[symbol_base_length(text)] &&
		    (!names.n || strcmp(names.data[names.n - 1], text)))
			vec_push(o->target->arena, &names, text);
	}
	if (is_file)
		push_source_names(o, &p, &names);
	if (is_file && !strchr(name, '<'))
		return similar_without_arguments(o->target->arena, name, &names, ret, max);
	return similar_names(name, names.data, names.n, ret, max);
}

size_t target_similar_functions(struct target *t, const char *module, const char *name,
				const char **ret, size_t max)
{
	struct target_object *o = module ? object_named(t, module) : &t->kernel;

	return o && object_try_load(o) ? similar_in(o, name, ret, max) : 0;
}

size_t target_similar_in_file(const struct target_object *file, const char *name, const char **ret,
			      size_t max)
{
	return similar_in((struct target_object *)file, name, ret, max);
}
