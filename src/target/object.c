/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects: vmlinux and what all of them have in common. What is particular of modules and programs
 * is in module.c and file.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/cache_dir.h"
#include "target/btf_types.h"
#include "target/internal.h"
#include "target/live.h"
#include "target/object.h"
#include "target/objects.h"
#include "unpack/kernel_image.h"

/* ---- vmlinux ---- */

/* A kernel without BTF is no error: it has no types then. */
static struct error *open_kernel_types(struct target_object *o)
{
	struct target *t = o->target;
	struct image_section s;
	struct error *err;

	btf_types_init(&o->types, t);
	if (t->live_btf)
		s = (struct image_section){ .data = (unsigned char *)t->live_btf,
					    .size = t->live_btf_len };
	else if (!image_section(&o->image, ".BTF", &s) || !s.data)
		return NULL;
	err = btf_open(s.data, s.size, NULL, o->index.btf_offsets, o->index.n_btf_offsets, t->arena,
		       &o->types.btf);
	if (err)
		return err;
	o->types.names = o->index.btf_names;
	o->types.n_names = o->index.n_btf_names;
	o->has_types = true;
	return NULL;
}

/* Without a file: symbols and types as the running kernel tells them (live.h). */
static struct error *load_running(struct target_object *o)
{
	struct target *t = o->target;
	struct error *err = live_open(&o->index, &t->live_btf, &t->live_btf_len);

	if (err)
		return err;
	o->has_build_id = live_build_id(o->build_id);
	o->is_loaded = true;
	return open_kernel_types(o);
}

/* The System.map of an image: beside it, with what follows "vmlinuz" or "vmlinux" in its name. */
static const char *system_map(struct arena *arena, const char *image)
{
	const char *slash = strrchr(image, '/'), *name = slash ? slash + 1 : image;

	return !strncmp(name, "vmlinu", 6) && name[6]
		       ? arena_printf(arena, "%.*sSystem.map%s", (int)(name - image), image,
				      name + 7)
		       : NULL;
}

/* The image stays open with the target: syscall.c reads from it later. */
static struct error *load_kernel(struct target_object *o)
{
	struct target *t = o->target;
	const char *path;
	struct error *err;

	if (!o->path) {
		t->machine = live_machine();
		return t->machine ? load_running(o) : error_create("its machine is not known");
	}
	err = kernel_image_unpack(o->path, t->cache_dir, t->arena, &path);
	if (err)
		return err;
	err = image_open(path, &o->image);
	if (err)
		return err;
	t->machine = machine_by_elf(o->image.ehdr->e_machine);
	if (t->machine && t->machine->carrier)
		t->machine = NULL;
	if (!t->machine)
		err = error_create("its machine (ELF number %u) is not known",
				   o->image.ehdr->e_machine);
	else
		err = index_open(&o->image, system_map(t->arena, o->path),
				 target_cache_directory(t), &o->index);
	if (err) {
		image_close(&o->image);
		return err;
	}
	o->has_build_id = o->image.has_build_id;
	memcpy(o->build_id, o->image.build_id, BUILD_ID_SIZE);
	o->is_loaded = true;
	return open_kernel_types(o);
}

/* ---- all ---- */

void object_fill_row(struct target_object *o)
{
	o->row.name = o->kind == OBJECT_MODULE ? o->name : NULL;
	o->row.has_build_id = o->has_build_id;
	memcpy(o->row.build_id, o->build_id, BUILD_ID_SIZE);
}

/*
 * Loaded once, also when that fails: the first error is told again. A module needs the kernel's
 * types first.
 */
struct error *object_load(struct target_object *o)
{
	struct error *err = NULL;

	if (o->broken)
		return error_create("%s", o->broken);
	if (o->is_loaded)
		return NULL;
	if (o->kind == OBJECT_MODULE)
		err = target_load(o->target);
	if (!err)
		err = o->kind == OBJECT_MODULE ? module_load(o)
		      : o->kind == OBJECT_FILE ? file_load(o)
					       : load_kernel(o);
	if (err) {
		o->broken = arena_strdup(o->target->arena, err->text);
		return err;
	}
	object_fill_row(o);
	return NULL;
}

bool object_try_load(struct target_object *o)
{
	struct error *err = object_load(o);

	error_destroy(err);
	return !err;
}

struct btf_types *object_types(struct target_object *o)
{
	struct target_object *kernel = &o->target->kernel;

	if (o->kind == OBJECT_FILE)
		return NULL;
	if (object_try_load(o) && o->has_types)
		return &o->types;
	return object_try_load(kernel) && kernel->has_types ? &kernel->types : NULL;
}

const char *object_types_problem(const struct target_object *o)
{
	const char *text =
		o->index.data ? index_string(&o->index, index_header(&o->index)->problem) : "";

	return *text ? text : NULL;
}

bool object_is_kernel(const struct target_object *o)
{
	return o->kind == OBJECT_KERNEL;
}

uint64_t object_symbol(struct target_object *o, const char *name)
{
	const struct index_symbol *s = object_try_load(o) ? index_find(&o->index, name) : NULL;

	return s ? s->addr : 0;
}

/* A symbol by which the runtime finds section S: the first whose name no other has. */
static const struct index_symbol *choose_anchor(const struct target_object *o,
						const struct index_section *s)
{
	const struct index *ix = &o->index;
	const struct index_symbol *best = NULL;

	for (size_t i = 0; i < ix->n_symbols; i++) {
		const struct index_symbol *symbol = &ix->symbols[i];
		const char *name = index_string(ix, symbol->name);

		/*
		 * what begins with a dot or a dollar is of the assembler's making: kallsyms leaves
		 * it out
		 */
		if (symbol->addr - s->addr > s->size || symbol->flags & SYMBOL_SEVERAL ||
		    *name == '.' || *name == '$')
			continue;
		if (!best || symbol->addr < best->addr)
			best = symbol;
	}
	return best;
}

/* The row of a section, one per section, made when first asked for. */
static const struct ir_section *section_row(struct target_object *o, const struct index_section *s)
{
	struct arena *arena = o->target->arena;
	size_t i = s - o->index.sections;
	const struct index_symbol *anchor;
	struct ir_section *row;

	if (!o->sections)
		o->sections = arena_new_array(arena, struct ir_section *, o->index.n_sections);
	if (o->sections[i])
		return o->sections[i];
	anchor = choose_anchor(o, s);
	row = arena_new(arena, struct ir_section);
	*row = (struct ir_section){ .object = &o->row,
				    .name = index_string(&o->index, s->name),
				    .anchor = anchor ? index_string(&o->index, anchor->name) : NULL,
				    .anchor_offset = anchor ? anchor->addr - s->addr : 0,
				    .size = s->size };
	o->sections[i] = row;
	return row;
}

/* O must be loaded. An address in no section of a module is given as it is, with section NULL. */
struct target_address target_address_in(const struct target_object *object, uint64_t addr)
{
	struct target_object *o = (struct target_object *)object;
	const struct index_section *s =
		o->kind == OBJECT_MODULE ? index_section_at(&o->index, addr) : NULL;

	if (o->kind == OBJECT_FILE)
		return (struct target_address){ o, &o->as_linked, addr };
	return (struct target_address){ .object = o,
					.section = s ? section_row(o, s) : NULL,
					.offset = s ? addr - s->addr : addr };
}

const struct ir_object *target_kernel_row(struct target *t)
{
	return object_try_load(&t->kernel) ? &t->kernel.row : NULL;
}

/* Names of symbols and sections end here too: they are in the indexes. */
void objects_close(struct target *t)
{
	modules_close(t);
	vec_foreach(o, &t->files)
		if ((*o)->is_loaded) {
			exit_search_close((*o)->exit_search);
			index_close(&(*o)->index);
			image_close(&(*o)->image);
		}
	headers_close(t);
	if (t->kernel.is_loaded) {
		index_close(&t->kernel.index);
		image_close(&t->kernel.image);
	}
	free(t->live_btf);
}

const struct machine *target_object_machine(const struct target_object *o)
{
	return object_machine(o);
}

bool target_names_kernel(const char *name)
{
	return !strcmp(name, "kernel");
}

const struct target_object *target_find_object(struct target *t, const char *name)
{
	struct target_object *o = object_named(t, name);

	return o && object_try_load(o) ? o : NULL;
}

void target_code_sections(const struct target_object *o, struct target_codes *ret)
{
	for (size_t i = 0; o->kind == OBJECT_MODULE && i < o->index.n_sections; i++) {
		const struct index_section *s = &o->index.sections[i];
		struct target_address at = target_address_in(o, s->addr);

		if (s->flags & SHF_EXECINSTR && s->size && at.section && at.section->anchor)
			vec_push(o->target->arena, ret,
				 ((struct target_code){ at.section, s->addr }));
	}
}
