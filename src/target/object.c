/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of the kernel: vmlinux, and the modules, which are the .ko files below lib/modules/RELEASE, found by
 * one walk, or one elsewhere that is named by its path. A module is opened only to make its index
 * (index_module.c), which is kept in the cache and says all that is asked of it afterwards.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/intern.h"
#include "base/cache_dir.h"
#include "target/internal.h"
#include "target/live.h"
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
		err = index_open(&o->image, target_cache_directory(t), &o->index);
	if (err) {
		image_close(&o->image);
		return err;
	}
	o->has_build_id = o->image.has_build_id;
	memcpy(o->build_id, o->image.build_id, BUILD_ID_SIZE);
	o->is_loaded = true;
	return open_kernel_types(o);
}

/* ---- modules ---- */

/*
 * Changes when the file does, and when the BTF it continues does: ids in the index count from that.
 */
static bool module_identity(struct target_object *o, uint64_t *ret)
{
	const struct btf *base = &o->target->kernel.types.btf;
	struct stat st;
	uint64_t key[6];

	if (stat(o->path, &st) < 0)
		return false;
	key[0] = st.st_ino;
	key[1] = st.st_size;
	key[2] = st.st_mtim.tv_sec;
	key[3] = st.st_mtim.tv_nsec;
	key[4] = base->n;
	key[5] = base->strings_len;
	*ret = hash_bytes64(key, sizeof(key), 0);
	return true;
}

/* CACHE/modules/NAME-HASH, by the path, so that modules of several kernels do not meet. */
static const char *kept_index(struct target_object *o)
{
	struct target *t = o->target;
	const char *dir = path_join(t->arena, target_cache_directory(t), "modules");

	return arena_printf(t->arena, "%s/%s-%016llx", dir, o->name,
			    (unsigned long long)hash_bytes64(o->path, strlen(o->path), 0));
}

/* Opens the module, which may be packed, and closes it again; *index then stands for it. */
static struct error *make_module_index(struct target_object *o, uint64_t identity)
{
	struct target *t = o->target;
	const struct index_types base = { &t->kernel.types.btf, t->kernel.types.names,
					  t->kernel.types.n_names };
	struct image img;
	struct error *err;
	char *bytes;
	size_t len;

	err = kernel_module_read(o->path, &bytes, &len);
	if (!err)
		err = image_open_memory(bytes, len, o->path, &img);
	if (err)
		return err;
	if (!img.layout)
		err = error_create("%s: it is no module (not a relocatable file)", o->path);
	if (!err)
		err = error_context(index_build_module(&img, identity,
						       t->kernel.has_types ? &base : NULL, &bytes,
						       &len),
				    "%s", o->path);
	image_close(&img);
	return err ? err : index_open_bytes(bytes, len, &o->index);
}

/* Split BTF is of use only with that of vmlinux. Data is in the index. */
static struct error *open_module_types(struct target_object *o)
{
	struct target *t = o->target;
	struct error *err;

	if (!o->index.btf_len || !t->kernel.has_types)
		return NULL;
	btf_types_init(&o->types, t);
	err = btf_open(o->index.btf, o->index.btf_len, &t->kernel.types.btf, o->index.btf_offsets,
		       o->index.n_btf_offsets, t->arena, &o->types.btf);
	if (err)
		return err;
	o->types.names = o->index.btf_names;
	o->types.n_names = o->index.n_btf_names;
	o->types.base = &t->kernel.types;
	o->has_types = true;
	return NULL;
}

/* A cache that cannot be written is no error. */
static struct error *load_module(struct target_object *o)
{
	const char *kept = kept_index(o);
	struct error *err = NULL;
	uint64_t identity;

	if (!module_identity(o, &identity))
		return error_create("cannot read %s", o->path);
	if (!index_open_kept(kept, identity, &o->index)) {
		err = make_module_index(o, identity);
		if (err)
			return err;
		error_destroy(dir_create_all(
			path_join(o->target->arena, target_cache_directory(o->target), "modules")));
		index_keep(&o->index, kept);
	}
	o->has_build_id = index_header(&o->index)->has_build_id;
	memcpy(o->build_id, index_header(&o->index)->build_id, BUILD_ID_SIZE);
	o->is_loaded = true;
	return open_module_types(o);
}

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

static struct target_object *add_module(struct target *t, const char *name, const char *path)
{
	struct target_object *o = arena_new(t->arena, struct target_object);

	*o = (struct target_object){
		.target = t, .kind = OBJECT_MODULE, .name = name, .path = path
	};
	vec_push(t->arena, &t->modules, o);
	return o;
}

/*
 * Adds the modules below PATH. The limit on depth ends loops; links to directories are not
 * followed.
 */
static void scan_directory(struct target *t, const char *path, int depth)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *below = path_join(t->arena, path, entry->d_name);
		const char *name;

		if (entry->d_name[0] == '.')
			continue;
		if (depth < 16 && entry_is_directory(entry, below)) {
			scan_directory(t, below, depth + 1);
			continue;
		}
		name = module_name(t->arena, entry->d_name);
		if (name)
			add_module(t, name, below);
	}
	if (dir)
		closedir(dir);
}

static int module_cmp(const void *a, const void *b)
{
	const struct target_object *x = *(struct target_object *const *)a,
				   *y = *(struct target_object *const *)b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->path, y->path);
}

/*
 * Once. /usr/lib/modules is looked into only when /lib/modules has none: usually one is a link to
 * the other.
 */
static void find_modules(struct target *t)
{
	static const char *const paths[] = { "/lib/modules", "/usr/lib/modules" };
	static const char *const below[] = { "kernel", "updates", "extra" };

	if (t->has_modules)
		return;
	t->has_modules = true;
	for (size_t i = 0; i < 2 && !t->modules.n; i++)
		for (size_t j = 0; j < 3; j++)
			scan_directory(t,
				       arena_printf(t->arena, "%s%s/%s/%s", t->root ? t->root : "",
						    paths[i], t->release, below[j]),
				       0);
	if (t->modules.n)
		qsort(t->modules.data, t->modules.n, sizeof(*t->modules.data), module_cmp);
}

size_t object_modules(struct target *t, struct target_object *const **ret)
{
	find_modules(t);
	*ret = t->modules.data;
	return t->modules.n;
}

struct target_object *object_module(struct target *t, const char *name)
{
	const char *plain = *name == '/'
				    ? module_name(t->arena, path_base(name))
				    : module_name(t->arena, arena_printf(t->arena, "%s.ko", name));

	find_modules(t);
	vec_foreach(o, &t->modules)
		if (*name == '/' ? !strcmp((*o)->path, name) : plain && !strcmp((*o)->name, plain))
			return *o;
	return *name == '/' && plain && file_exists(name)
		       ? add_module(t, plain, arena_strdup(t->arena, name))
		       : NULL;
}

/* Is it in the list of what is built in? One path a line: "kernel/fs/ext4/ext4.ko". */
static bool is_built_in(struct target *t, const char *plain)
{
	const char *path = arena_printf(t->arena, "%s/lib/modules/%s/modules.builtin",
					t->root ? t->root : "", t->release);
	char *text = NULL, *rest, *line;
	struct error *err;
	bool ret = false;
	size_t len;

	err = file_read(path, &text, &len);
	rest = err ? NULL : text;
	while (!ret && (line = strsep(&rest, "\n")) != NULL) {
		const char *name = module_name(t->arena, path_base(line));

		ret = name && !strcmp(name, plain);
	}
	free(text);
	error_destroy(err);
	return ret;
}

/* Is it loaded, into the running kernel and from wherever? */
static bool is_running(struct target *t, const char *plain)
{
	struct utsname self;

	return !t->root && !uname(&self) && !strcmp(self.release, t->release) &&
	       file_exists(arena_printf(t->arena, "/sys/module/%s", plain));
}

bool target_has_module(struct target *t, const char *name)
{
	const char *plain = module_name(t->arena, arena_printf(t->arena, "%s.ko", name));

	return plain && (object_module(t, name) || is_built_in(t, plain) || is_running(t, plain));
}

/* ---- all ---- */

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
		err = o->kind == OBJECT_MODULE ? load_module(o)
		      : o->kind == OBJECT_FILE ? file_load(o)
					       : load_kernel(o);
	if (err) {
		o->broken = arena_strdup(o->target->arena, err->text);
		return err;
	}
	o->row.name = o->kind == OBJECT_MODULE ? o->name : NULL;
	o->row.has_build_id = o->has_build_id;
	memcpy(o->row.build_id, o->build_id, BUILD_ID_SIZE);
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
		return (struct target_address){ o, &o->place, addr };
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
	vec_foreach(o, &t->modules)
		if ((*o)->is_loaded)
			index_close(&(*o)->index);
	vec_foreach(o, &t->files)
		if ((*o)->is_loaded) {
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
