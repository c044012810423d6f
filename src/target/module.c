/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules: the .ko files below lib/modules/RELEASE, found by one walk, opened when asked for. Their
 * functions come from the ELF symbol table, which has every local one too; what ftrace reaches from
 * the relocations of
 * __mcount_loc; types from split BTF. Addresses are not known before a module is loaded: functions
 * are found by name.
 */
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_image.h"
#include "target/internal.h"

/* "nf_nat" of "nf-nat.ko.xz"; NULL for other files */
static char *module_name(struct arena *arena, const char *file)
{
	const char *ko = strstr(file, ".ko");
	char *name;

	if (!ko || ko == file || (ko[3] && ko[3] != '.') || !strcmp(ko + 3, ".debug"))
		return NULL;
	name = arena_strndup(arena, file, ko - file);
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

struct modules {
	struct module *data;
	size_t n, cap;
};

static void scan_directory(struct target *t, const char *path, struct modules *out, int depth)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *below = path_join(t->arena, path, entry->d_name);
		const char *name;

		if (entry->d_name[0] == '.')
			continue;
		if (entry->d_type == DT_DIR && depth < 16) {
			scan_directory(t, below, out, depth + 1);
			continue;
		}
		name = module_name(t->arena, entry->d_name);
		if (name)
			vec_push(t->arena, out, ((struct module){ .name = name, .path = below }));
	}
	if (dir)
		closedir(dir);
}

static int module_cmp(const void *a, const void *b)
{
	const struct module *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->path, y->path);
}

static void find_modules(struct target *t)
{
	static const char *const places[] = { "/lib/modules", "/usr/lib/modules" };
	static const char *const below[] = { "kernel", "updates", "extra" };
	struct modules found = { 0 };

	if (t->has_modules)
		return;
	t->has_modules = true;
	for (size_t i = 0; i < 2 && !found.n; i++)
		for (size_t j = 0; j < 3; j++)
			scan_directory(t,
				       arena_printf(t->arena, "%s%s/%s/%s", t->root ? t->root : "",
						    places[i], t->release, below[j]),
				       &found, 0);
	if (found.n)
		qsort(found.data, found.n, sizeof(*found.data), module_cmp);
	t->modules = found.data;
	t->n_modules = found.n;
}

static struct error *open_types(struct target *t, struct module *m)
{
	struct image_section s;
	struct btf_name *names;
	struct error *err;

	if (!t->has_types || !image_section(&m->image, ".BTF", &s) || !s.data)
		return NULL;
	err = btf_open(s.data, s.size, &t->types.btf, NULL, 0, t->arena, &m->types.btf);
	if (err)
		return err;
	btf_types_init(&m->types, t);
	m->types.n_names = btf_names(&m->types.btf, t->arena, &names);
	m->types.names = names;
	m->types.base = &t->types;
	m->has_types = true;
	return NULL;
}

static struct error *open_module(struct target *t, struct module *m)
{
	struct error *err;
	char *data;
	size_t len;

	if (m->is_open)
		return NULL;
	err = kernel_module_read(m->path, &data, &len);
	if (err)
		return err;
	err = image_open_memory(data, len, m->path, &m->image);
	if (err)
		return err;
	m->is_open = true;
	return open_types(t, m);
}

void modules_close(struct target *t)
{
	for (size_t i = 0; i < t->n_modules; i++)
		if (t->modules[i].is_open)
			image_close(&t->modules[i].image);
}

struct module *module_by_name(struct target *t, const char *name)
{
	const char *plain = module_name(t->arena, arena_printf(t->arena, "%s.ko", name));

	find_modules(t);
	for (size_t i = 0; i < t->n_modules; i++)
		if ((plain && !strcmp(t->modules[i].name, plain)) ||
		    !strcmp(t->modules[i].path, name))
			return &t->modules[i];
	return NULL;
}

struct btf_types *module_types(struct target *t, struct module *m)
{
	if (m) {
		struct error *err = open_module(t, m);

		error_destroy(err); /* a module that does not open has no functions either, where it
				       was reported */
		if (m->has_types)
			return &m->types;
	}
	return t->has_types ? &t->types : NULL;
}

/* ---- functions ---- */

/* Offsets of the calls of __fentry__ in section TEXT, sorted, from the relocations of __mcount_loc. */
static size_t traced_offsets(struct target *t, const struct image *img, const Elf64_Sym *syms,
			     size_t n_syms, size_t text, uint64_t **ret)
{
	struct image_section rela;
	size_t n = 0;

	*ret = NULL;
	if (!image_section(img, ".rela__mcount_loc", &rela) || !rela.data)
		return 0;
	*ret = arena_new_array(t->arena, uint64_t, rela.size / sizeof(Elf64_Rela) + 1);
	for (size_t i = 0; i < rela.size / sizeof(Elf64_Rela); i++) {
		const Elf64_Rela *r = (const Elf64_Rela *)rela.data + i;
		size_t sym = ELF64_R_SYM(r->r_info);

		if (sym < n_syms && syms[sym].st_shndx == text)
			(*ret)[n++] = syms[sym].st_value + r->r_addend;
	}
	return n;
}

struct listing {
	struct target *target;
	struct module *module;
	const struct target_function_query *query;
	struct target_functions *ret;
	const Elf64_Sym *syms;
	size_t n_syms;
	const char *names;
	size_t names_len;
	size_t text;
	uint64_t *traced;
	size_t n_traced;
};

static bool is_traced(const struct listing *l, uint64_t offset)
{
	for (size_t i = 0; i < l->n_traced; i++)
		if (l->traced[i] >= offset && l->traced[i] <= offset + 4)
			return true;
	return false;
}

static const char *function_name(const struct listing *l, const Elf64_Sym *s)
{
	if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx != l->text ||
	    s->st_name >= l->names_len)
		return NULL;
	return l->names + s->st_name;
}

static bool matches(const struct listing *l, const char *name)
{
	const char *pattern = l->query->name;
	bool is_glob = strpbrk(pattern, "*?[") != NULL;
	size_t n = symbol_base_length(name);

	if (!strcmp(pattern, name))
		return true;
	if (symbol_is_hidden(name))
		return false;
	if (!is_glob)
		return name[n] && strlen(pattern) == n && !strncmp(pattern, name, n);
	return !fnmatch(pattern, name, 0) ||
	       (name[n] && !fnmatch(pattern, arena_strndup(l->target->arena, name, n), 0));
}

static bool is_unique(const struct listing *l, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < l->n_syms; i++) {
		const char *other = function_name(l, &l->syms[i]);

		count += other && !strcmp(other, name);
	}
	return count == 1;
}

static void list_functions(struct listing *l)
{
	struct arena *arena = l->target->arena;

	for (size_t i = 0; i < l->n_syms; i++) {
		const char *name = function_name(l, &l->syms[i]);
		struct function_info *info;

		if (!name || !*name || !matches(l, name))
			continue;
		info = arena_new(arena, struct function_info);
		info->module = l->module;
		vec_push(arena, l->ret,
			 ((struct target_function){
				 .name = arena_strdup(arena, name),
				 .base_name = arena_strndup(arena, name, symbol_base_length(name)),
				 .module = l->module->name,
				 .traceable = is_traced(l, l->syms[i].st_value),
				 .is_unique = is_unique(l, name),
				 .priv = info }));
	}
}

static struct error *find_in_module(struct target *t, struct module *m,
				    const struct target_function_query *q,
				    struct target_functions *ret)
{
	struct listing l = { .target = t, .module = m, .query = q, .ret = ret };
	struct image_section symtab, strtab, text;
	struct error *err = open_module(t, m);

	if (err)
		return err;
	if (!image_section(&m->image, ".symtab", &symtab) ||
	    !image_section(&m->image, ".strtab", &strtab) ||
	    !image_section(&m->image, ".text", &text) || !symtab.data || !strtab.data ||
	    !strtab.size || strtab.data[strtab.size - 1])
		return NULL; /* a module without code */
	l.syms = (const Elf64_Sym *)symtab.data;
	l.n_syms = symtab.size / sizeof(Elf64_Sym);
	l.names = (const char *)strtab.data;
	l.names_len = strtab.size;
	l.text = text.index;
	l.n_traced = traced_offsets(t, &m->image, l.syms, l.n_syms, l.text, &l.traced);
	list_functions(&l);
	return NULL;
}

struct error *module_find_functions(struct target *t, const struct target_function_query *q,
				    struct target_functions *ret)
{
	char *pattern = arena_strdup(t->arena, q->module);
	struct error *err = NULL;

	if (!q->name || q->file || q->line)
		return NULL;
	find_modules(t);
	for (char *p = pattern; *p && *pattern != '/'; p++)
		if (*p == '-')
			*p = '_';
	for (size_t i = 0; i < t->n_modules && !err; i++)
		if (!fnmatch(pattern, t->modules[i].name, 0) ||
		    !strcmp(pattern, t->modules[i].path))
			err = find_in_module(t, &t->modules[i], q, ret);
	return err;
}
