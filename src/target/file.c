/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executables and shared libraries as objects. Addresses in one are those it is linked at; what the
 * kernel wants to know of a place is its offset in the file, which the program headers give. The
 * file stays mapped: its index says what is asked of symbols, and notes, relocations and code are
 * read in place.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/intern.h"
#include "target/dwarf.h"
#include "target/index_format.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/objects.h"
#include "target/target.h"

/* CACHE/files/NAME-HASH.VERSION, by the path. */
static const char *kept_index(struct target_object *o)
{
	struct target *t = o->target;

	return arena_printf(
		t->arena, "%s/files/%s-%016llx.%u", target_cache_directory(t), path_base(o->path),
		(unsigned long long)hash_bytes64(o->path, strlen(o->path), 0), INDEX_VERSION);
}

const struct machine *target_system_machine(struct target *t)
{
	struct utsname uts;

	if (t && !t->machine && t->root)
		target_try_load(t);
	if (t && t->machine)
		return t->machine;
	return uname(&uts) ? NULL : machine_by_name(uts.machine);
}

static struct error *check_kind(struct target_object *o)
{
	const Elf64_Ehdr *e = o->image.ehdr;
	const struct machine *kernel = target_system_machine(o->target), *machine;

	if (e->e_type != ET_EXEC && e->e_type != ET_DYN)
		return error_create("%s: neither an executable nor a shared library", o->path);
	machine = machine_by_elf(e->e_machine);
	if (!machine || !kernel || machine_of_kernel(machine) != kernel ||
	    (machine->word == 4) != image_is_narrow(&o->image))
		return error_create("%s: it is for another machine (ELF number %u)", o->path,
				    e->e_machine);
	o->target->machine = kernel;
	o->machine = machine;
	return NULL;
}

/* An index that lacks what it could have had is not kept: each use of the file tells. */
static struct error *open_index(struct target_object *o)
{
	const char *kept = kept_index(o);
	struct error *err, *unused;
	char *bytes;
	size_t len;

	if (index_open_kept(kept, o->identity, &o->index))
		return NULL;
	err = index_build_file(&o->image, NULL, o->identity, &bytes, &len, &unused);
	if (!err)
		err = index_open_bytes(bytes, len, &o->index);
	if (unused)
		target_warn(o->target,
			    "names of functions in .gnu_debugdata of %s are not used: %s", o->path,
			    unused->text);
	error_destroy(unused);
	if (err || unused)
		return err;
	error_destroy(dir_create_all(
		path_join(o->target->arena, target_cache_directory(o->target), "files")));
	index_keep(&o->index, kept);
	return NULL;
}

static bool has_go_table(const struct image *img)
{
	struct image_section table;

	return image_section(img, ".gopclntab", &table) ||
	       image_section(img, ".data.rel.ro.gopclntab", &table);
}

struct error *file_load(struct target_object *o)
{
	struct error *err = image_open(o->path, &o->image);

	if (err)
		return err;
	err = check_kind(o);
	if (!err)
		err = open_index(o);
	if (err) {
		image_close(&o->image);
		return err;
	}
	o->has_build_id = o->image.has_build_id;
	memcpy(o->build_id, o->image.build_id, BUILD_ID_SIZE);
	o->row.path = o->path;
	o->row.build_id_at = o->image.build_id_at;
	o->as_linked = (struct ir_section){ .object = &o->row };
	o->is_go = has_go_table(&o->image);
	o->as_mapped = (struct ir_section){ .object = &o->row, .is_mapped = true };
	image_code(&o->image, &o->as_mapped.anchor_offset, &o->as_mapped.anchor_addr);
	if (o->has_build_id)
		image_address(&o->image, o->image.build_id_at, &o->as_mapped.build_id);
	file_dynamic_sum(o, &o->as_mapped.dynamic, &o->as_mapped.dynamic_sum);
	o->is_loaded = true;
	return NULL;
}

static struct target_object *find(struct target *t, const char *path)
{
	vec_foreach(o, &t->files)
		if (!strcmp((*o)->path, path))
			return *o;
	return NULL;
}

struct error *target_open_file(struct target *t, const char *path, const struct target_object **ret)
{
	struct target_object *o = find(t, path);
	struct error *err;
	struct stat st;

	if (!o) {
		if (stat(path, &st) < 0)
			return error_create_errno(errno, "%s", path);
		if (!S_ISREG(st.st_mode))
			return error_create("%s: not a file", path);
		o = arena_new(t->arena, struct target_object);
		*o = (struct target_object){ .target = t,
					     .kind = OBJECT_FILE,
					     .path = arena_strdup(t->arena, path),
					     .identity = file_identity(path) };
		o->name = o->path;
		o->row.size = st.st_size;
		o->row.mtime = st.st_mtim.tv_sec;
		vec_push(t->arena, &t->files, o);
	}
	err = object_load(o);
	if (!err)
		*ret = o;
	return err;
}

bool target_build_id_of(const char *path, unsigned char ret[BUILD_ID_SIZE])
{
	struct image img;
	struct error *err = image_open(path, &img);
	bool found = !err && img.has_build_id;

	error_destroy(err);
	if (found)
		memcpy(ret, img.build_id, BUILD_ID_SIZE);
	if (!err)
		image_close(&img);
	return found;
}

struct error *target_open_program(struct target *t, const char *path,
				  const struct target_object **ret)
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return error_create_errno(errno, "%s", path);
	return target_open_file(t, real, ret);
}

const struct ir_object *target_object_row(const struct target_object *o)
{
	return &o->row;
}

bool target_file_offset(const struct target_object *o, uint64_t addr, uint64_t *ret)
{
	return image_offset(&o->image, addr, ret);
}

bool target_file_address(const struct target_object *o, uint64_t offset, uint64_t *ret)
{
	return image_code_address(&o->image, offset, ret);
}

bool target_file_has_symbols(const struct target_object *o)
{
	return o->index.n_symbols || target_file_has_dwarf(o);
}

bool target_file_is_go(const struct target_object *o)
{
	return o->is_go;
}

size_t object_base_length(const struct target_object *o, const char *name)
{
	return o->is_go ? strlen(name) : symbol_base_length(name);
}

/*
 * Since Go 1.17 g is in a register, and so are arguments, but for functions in assembly, whose
 * symbols are marked then; before, and in those, g is the thread's (cmd/compile/abi-internal.md).
 * The names of Go's functions begin with their package and a dot; those without are C, by cgo, or
 * assembly that keeps to itself: a call of them stays on its thread.
 */
enum ir_go file_go_kind(const struct target_object *o, const char *name)
{
	size_t n = strlen(name);

	if (!o->is_go || !strchr(name, '.'))
		return IR_GO_NONE;
	if (!index_find(&o->index, "runtime.morestack.abi0") ||
	    (n > 5 && !strcmp(name + n - 5, ".abi0")))
		return IR_GO_THREAD;
	return IR_GO_REGISTER;
}

const char *target_file_refused(const struct target_object *o)
{
	return o->refused_file;
}

const char *target_file_missing_part(const struct target_object *o)
{
	return o->missing_part;
}

bool target_file_has_dwarf(const struct target_object *o)
{
	return dwarf_get((struct target_object *)o) != NULL;
}
