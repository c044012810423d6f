/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why what a probe point names is not there, or not to be probed: texts for messages. */
#include <string.h>

#include "base/similar.h"
#include "target/functions.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/objects.h"
#include "target/target.h"

/* Code of vmlinux between two symbols of its linker script, or of modules in one section. */
struct text_range {
	const char *start, *stop, *section, *what;
};

static const struct text_range ranges[] = {
	{ "__init_begin", "__init_end", NULL, "it is __init, gone when the kernel has booted" },
	{ "__noinstr_text_start", "__noinstr_text_end", ".noinstr.text", "it is noinstr" },
	{ "__entry_text_start", "__entry_text_end", ".entry.text",
	  "it is code of the kernel's entry" },
	{ "__kprobes_text_start", "__kprobes_text_end", ".kprobes.text", "it is __kprobes" },
};

static bool is_between(struct target *t, const struct text_range *r, uint64_t addr)
{
	uint64_t start = target_symbol(t, r->start), stop = target_symbol(t, r->stop);

	return start && addr >= start && addr < stop;
}

static bool is_in(struct target_object *o, const struct text_range *r, uint64_t addr)
{
	const struct index_section *s;

	if (object_is_kernel(o))
		return is_between(o->target, r, addr);
	s = index_section_at(&o->index, addr);
	return s && r->section && !strcmp(index_string(&o->index, s->name), r->section);
}

const char *target_function_forbidden(struct target *t, const char *module, const char *name)
{
	struct target_object *o = module ? object_named(t, module) : &t->kernel;
	const struct index_symbol *s = o && object_try_load(o) ? index_find(&o->index, name) : NULL;
	const char *what = NULL;

	if (!s || index_may_probe(s))
		return NULL;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges) && !what; i++)
		if (is_in(o, &ranges[i], s->addr))
			what = ranges[i].what;
	if (!what && !(s->flags & SYMBOL_TEXT))
		return arena_printf(t->arena, "%s is no function", name);
	return arena_printf(t->arena, "%s is there, but the kernel allows no probes in it: %s",
			    name, what ? what : "it is NOKPROBE_SYMBOL");
}

const char *target_function_in_module(struct target *t, const char *name)
{
	struct target_object *const *modules;
	size_t n = target_try_load(t) ? object_modules(t, &modules) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct index_symbol *s =
			module_load_kept(modules[i]) ? index_find(&modules[i]->index, name) : NULL;

		if (s && index_may_probe(s))
			return modules[i]->name;
	}
	return NULL;
}

const char *target_module_absent(struct target *t, const char *name)
{
	struct target_object *const *modules;
	const char **names, *near;
	size_t n;

	if (target_names_kernel(name))
		return "the kernel is no module: kernel.function and the like are its points";
	if (object_named(t, name))
		return NULL;
	if (module_is_built_in(t, name))
		return arena_printf(t->arena,
				    "%s is built into the kernel, where its functions are", name);
	if (target_has_module(t, name))
		return arena_printf(t->arena, "module %s is loaded, but its file is not found",
				    name);
	n = object_modules(t, &modules);
	names = arena_new_array(t->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		names[i] = modules[i]->name;
	if (!similar_names(name, names, n, &near, 1))
		return arena_printf(t->arena, "kernel %s has no module %s", t->release, name);
	return arena_printf(t->arena, "kernel %s has no module %s; did you mean %s?", t->release,
			    name, near);
}
