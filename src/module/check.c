/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol check before linking: what objects leave undefined is sought among themselves and
 * base.o, then among the exports. The rules are the kernel's (kernel/module/main.c:
 * resolve_symbol(), verify_namespace_is_imported()), said in words that name symbol, kernel and
 * remedy.
 */
#include "module/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "module/kernel.h"
#include "module/versions.h"

/* What the objects say together. gpl: all licences seen so far are compatible. */
struct check {
	struct arena *arena;
	struct interner *names;
	struct map defined, undefined; /* by interned name */
	struct map spaces;             /* namespaces the units import */
	bool gpl;
};

static void collect_symbol(void *arg, const char *name, bool defined)
{
	struct check *c = arg;

	map_put(defined ? &c->defined : &c->undefined, intern(c->names, name), c);
}

static void collect_defined(void *arg, const char *name, bool defined)
{
	if (defined)
		collect_symbol(arg, name, true);
}

/* The licences license_is_gpl_compatible() accepts. */
static bool gpl_compatible(const char *license)
{
	static const char *const ok[] = { "GPL",
					  "GPL v2",
					  "GPL and additional rights",
					  "Dual BSD/GPL",
					  "Dual MIT/GPL",
					  "Dual MPL/GPL",
					  NULL };

	for (unsigned i = 0; ok[i]; i++)
		if (!strcmp(license, ok[i]))
			return true;
	return false;
}

static void collect_modinfo(void *arg, const char *item)
{
	struct check *c = arg;

	if (!strncmp(item, "license=", 8))
		c->gpl &= gpl_compatible(item + 8);
	else if (!strncmp(item, "import_ns=", 10))
		map_put(&c->spaces, intern(c->names, item + 10), c);
}

/* May a module with these licences and namespaces use an export? */
static struct error *check_export(struct check *c, const char *name, const struct symvers_entry *e,
				  const char *release)
{
	int owner_len = (int)e->owner_len, space_len = (int)e->space_len;

	if (e->gpl_only && !c->gpl)
		return error_hint(
			error_create("the kernel gives %s only to modules under the GPL", name),
			"the module's MODULE_LICENSE must be GPL-compatible");
	if (!e->space_len || map_has(&c->spaces, intern_n(c->names, e->space, e->space_len)))
		return NULL;
	if (e->space_len > 7 && !memcmp(e->space, "module:", 7))
		return error_create("kernel %s gives %s (of %.*s) only to the modules %.*s",
				    release, name, owner_len, e->owner, space_len - 7,
				    e->space + 7);
	return error_hint(error_create("%s of kernel %s is in the symbol namespace %.*s, which the "
				       "module does not import",
				       name, release, space_len, e->space),
			  "embedded C can import it: MODULE_IMPORT_NS(%.*s); (newer kernels want "
			  "the name in quotes)",
			  space_len, e->space);
}

/* A symbol that no object defines. extra gets its version when base.o and members have none. */
static struct error *check_name(struct check *c, struct module_kernel *kernel, const char *name,
				const char *provided, struct strbuf *extra)
{
	char *line = arena_printf(c->arena, "\n%s\n", name);
	struct symvers_entry entry;
	struct symvers *symvers;
	struct error *err;

	if (strstr(provided, line))
		return NULL;
	err = kernel_symvers(kernel, &symvers);
	if (err)
		return err;
	if (!strncmp(name, "stp_", 4))
		return error_hint(
			error_create("the runtime for kernel %s has no %s", kernel->release, name),
			"the tapset or embedded C asks for a function of another version of the "
			"runtime");
	if (!symvers_find(symvers, name, &entry))
		return error_hint(
			error_create(
				"the module needs %s, which kernel %s does not export to modules",
				name, kernel->release),
			"only functions and variables with EXPORT_SYMBOL can be used by embedded "
			"C; others may "
			"be static, inline in a header not included, or of another kernel version");
	err = check_export(c, name, &entry, kernel->release);
	if (err)
		return err;
	if (module_kernel_config(kernel, "MODVERSIONS"))
		versions_entry(extra, name, entry.crc);
	return NULL;
}

struct error *check_symbols(struct module_kernel *kernel, const struct object *base,
			    const struct object *const *objects, unsigned n, const char *provided,
			    struct strbuf *extra, char **missing)
{
	struct check c = { .arena = arena_create(), .gpl = true };
	struct error *err = NULL;

	c.names = interner_create(c.arena);
	map_init(&c.defined, c.arena);
	map_init(&c.undefined, c.arena);
	map_init(&c.spaces, c.arena);
	if (base) {
		object_symbols(base, collect_defined, &c);
		object_modinfo(base, collect_modinfo, &c);
	}
	for (unsigned i = 0; i < n; i++) {
		object_symbols(objects[i], collect_symbol, &c);
		object_modinfo(objects[i], collect_modinfo, &c);
	}
	map_foreach(it, &c.undefined) {
		if (map_has(&c.defined, it->key))
			continue;
		err = check_name(&c, kernel, ((const struct istr *)it->key)->text, provided, extra);
		if (err) {
			if (missing)
				*missing = strdup(((const struct istr *)it->key)->text);
			break;
		}
	}
	arena_destroy(c.arena);
	return err;
}

/* The first definition that is in DEFINED too. */
struct clash {
	struct check *c;
	const char *name;
};

static void find_clash(void *arg, const char *name, bool defined)
{
	struct clash *clash = arg;

	if (defined && !clash->name && map_has(&clash->c->defined, intern(clash->c->names, name)))
		clash->name = intern(clash->c->names, name)->text;
}

struct error *check_definitions(const struct object *own, const struct object *const *others,
				unsigned n, char **ret)
{
	struct check c = { .arena = arena_create() };
	struct clash clash = { .c = &c };
	struct error *err = NULL;

	c.names = interner_create(c.arena);
	map_init(&c.defined, c.arena);
	for (unsigned i = 0; i < n; i++)
		object_symbols(others[i], collect_defined, &c);
	object_symbols(own, find_clash, &clash);
	if (clash.name) {
		err = error_hint(error_create("the runtime defines %s itself", clash.name),
				 "give what the script defines another name, or make it static");
		*ret = strdup(clash.name);
	}
	arena_destroy(c.arena);
	return err;
}
