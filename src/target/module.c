/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules: the .ko files below lib/modules/RELEASE, found by one walk, or one elsewhere that is
 * named by its path. A module is opened only to make its index (index_module.c), which is kept in
 * the cache and says all that is asked of it
 * afterwards: in a file of its own, or with those of others when many are asked for at once
 * (index_set.h).
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/intern.h"
#include "target/btf_types.h"
#include "target/index_format.h"
#include "target/index_set.h"
#include "target/internal.h"
#include "target/object.h"
#include "target/target.h"
#include "target/workers.h"
#include "unpack/kernel_image.h"
#include "unpack/kernel_tree.h"

/* From so many on they are kept together. */
#define MANY 16

/* ---- their indexes ---- */

/*
 * Changes when the file does, and when the BTF it continues does: ids in the index count from that.
 * 0: there is no such file.
 */
static uint64_t identity_of(const struct target_object *o)
{
	const struct btf *base = &o->target->kernel.types.btf;
	const uint64_t key[] = { file_identity(o->path), base->n, base->strings_len };

	return key[0] ? hash_bytes64(key, sizeof(key), 0) : 0;
}

static uint64_t key_of(const struct target_object *o)
{
	return hash_bytes64(o->path, strlen(o->path), 0);
}

const char *modules_cache_directory(struct target *t)
{
	return path_join(t->arena, target_cache_directory(t), "modules");
}

/* CACHE/modules/NAME-HASH.VERSION, by the path, so that modules of several kernels do not meet. */
static const char *kept_index(const struct target_object *o)
{
	return arena_printf(o->target->arena, "%s/%s-%016llx.%u",
			    modules_cache_directory(o->target), o->name,
			    (unsigned long long)key_of(o), INDEX_VERSION);
}

struct error *module_image_open(const char *path, struct image *ret)
{
	struct error *err;
	char *bytes;
	size_t len;

	if (path_has_suffix(path, ".ko"))
		return image_open(path, ret);
	err = kernel_module_read(path, &bytes, &len);
	return err ? err : image_open_memory(bytes, len, path, ret);
}

/*
 * The bytes of a new index, on the heap. Opens the module, which may be packed, and closes it
 * again.
 */
static struct error *build(const struct target_object *o, uint64_t identity, char **ret,
			   size_t *len)
{
	struct target *t = o->target;
	const struct index_types base = { &t->kernel.types.btf, t->kernel.types.names,
					  t->kernel.types.n_names };
	struct image img;
	struct error *err = module_image_open(o->path, &img);

	if (err)
		return err;
	if (!img.layout)
		err = error_create("%s: it is no module (not a relocatable file)", o->path);
	if (!err)
		err = error_context(index_build_module(&img, identity,
						       t->kernel.has_types ? &base : NULL, ret,
						       len),
				    "%s", o->path);
	image_close(&img);
	return err;
}

static struct error *make_index(struct target_object *o, uint64_t identity)
{
	struct error *err;
	char *bytes;
	size_t len;

	err = build(o, identity, &bytes, &len);
	return err ? err : index_open_bytes(bytes, len, &o->index);
}

/* Split BTF is of use only with that of vmlinux. Data is in the index. */
static struct error *open_types(struct target_object *o)
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

/* What is known of a module by its index. */
static struct error *take_index(struct target_object *o)
{
	struct error *err = open_types(o);

	if (err) {
		index_close(&o->index);
		return err;
	}
	o->has_build_id = index_header(&o->index)->has_build_id;
	memcpy(o->build_id, index_header(&o->index)->build_id, BUILD_ID_SIZE);
	o->is_loaded = true;
	object_fill_row(o);
	return NULL;
}

/* A cache that cannot be written is no error. */
struct error *module_load(struct target_object *o)
{
	const char *kept = kept_index(o);
	uint64_t identity = identity_of(o);
	struct error *err;

	if (!identity)
		return error_create("cannot read %s", o->path);
	if (!index_open_kept(kept, identity, &o->index)) {
		err = make_index(o, identity);
		if (err)
			return err;
		error_destroy(dir_create_all(modules_cache_directory(o->target)));
		index_keep(&o->index, kept);
	}
	return take_index(o);
}

/* ---- many at once ---- */

/*
 * CACHE/modules/all-HASH.VERSION, by the folder of the release's modules. VERSION is that of the
 * set, and of the indexes in it.
 */
static const char *set_path(struct target *t)
{
	const char *folder = arena_printf(t->arena, "%s/%s", t->root ? t->root : "", t->release);

	return arena_printf(t->arena, "%s/all-%016llx.%u-%u", modules_cache_directory(t),
			    (unsigned long long)hash_bytes64(folder, strlen(folder), 0),
			    INDEX_SET_VERSION, INDEX_VERSION);
}

/* The set as it is now; older ones stay open for the indexes that were found in them. */
static void open_set(struct target *t)
{
	struct index_set *set = index_set_open(set_path(t));

	if (set)
		vec_push(t->arena, &t->index_sets, set);
}

static struct index_set *current_set(const struct target *t)
{
	return t->index_sets.n ? t->index_sets.data[t->index_sets.n - 1] : NULL;
}

/* False: it is not in the set as it is now. */
static bool load_from_set(struct target_object *o)
{
	struct index_set *set = current_set(o->target);
	struct error *err;

	if (!set || !index_set_find(set, key_of(o), identity_of(o), &o->index))
		return false;
	err = take_index(o);
	error_destroy(err);
	return !err;
}

/* Loads what the set has, and returns the rest. */
static struct target_objects load_all(struct target *t, struct target_object *const *modules,
				      size_t n)
{
	struct target_objects rest = { 0 };

	for (size_t i = 0; i < n; i++)
		if (!modules[i]->is_loaded && !modules[i]->broken && !load_from_set(modules[i]))
			vec_push(t->arena, &rest, modules[i]);
	return rest;
}

/* A new set, made by children. */
struct job {
	const struct target_objects *missing;
	struct index_set_maker *maker;
};

/* One that cannot be read is left out: it is told where it is loaded. */
static void add_new(void *arg, size_t i)
{
	const struct job *job = arg;
	const struct target_object *o = job->missing->data[i];
	uint64_t identity = identity_of(o);
	struct error *err;
	char *bytes;
	size_t len;

	if (!identity)
		return;
	err = build(o, identity, &bytes, &len);
	if (!err) {
		index_set_add(job->maker, i, key_of(o), identity, bytes, len);
		free(bytes);
	}
	error_destroy(err);
}

/*
 * The indexes of the release's other modules, as far as the current set has them, are numbers from
 * FIRST on.
 */
static void add_known(struct target *t, struct index_set_maker *maker, size_t first)
{
	struct index_set *set = current_set(t);
	struct index ix;

	for (size_t i = 0; set && i < t->modules.n; i++) {
		const struct target_object *o = t->modules.data[i];
		uint64_t key = key_of(o), identity = identity_of(o);

		if (index_set_find(set, key, identity, &ix))
			index_set_add(maker, first + i, key, identity, ix.data,
				      index_header(&ix)->file_size);
	}
}

static void make_set(struct target *t, const struct target_objects *missing)
{
	struct job job = { .missing = missing };

	error_destroy(dir_create_all(modules_cache_directory(t)));
	job.maker = index_set_begin(set_path(t), missing->n + t->modules.n);
	if (!job.maker)
		return;
	if (t->progress)
		t->progress(t->progress_arg,
			    arena_printf(t->arena, "indexing %zu modules, once", missing->n));
	workers_run(t, missing->n, add_new, &job);
	add_known(t, job.maker, missing->n);
	error_destroy(index_set_finish(job.maker));
}

void modules_load(struct target *t, struct target_object *const *modules, size_t n)
{
	struct target_objects rest;

	if (n < MANY || !target_try_load(t))
		return;
	if (!t->index_sets.n)
		open_set(t);
	rest = load_all(t, modules, n);
	if (rest.n < MANY)
		return;
	make_set(t, &rest);
	open_set(t);
	load_all(t, rest.data, rest.n);
}

bool module_load_kept(struct target_object *o)
{
	struct target *t = o->target;
	uint64_t identity;
	struct error *err;

	if (o->is_loaded || o->broken || !target_try_load(t))
		return o->is_loaded;
	if (!t->index_sets.n)
		open_set(t);
	if (load_from_set(o))
		return true;
	identity = identity_of(o);
	if (!identity || !index_open_kept(kept_index(o), identity, &o->index))
		return false;
	err = take_index(o);
	error_destroy(err);
	return !err;
}

void modules_close(struct target *t)
{
	vec_foreach(o, &t->modules)
		if ((*o)->is_loaded)
			index_close(&(*o)->index);
	vec_foreach(set, &t->index_sets)
		index_set_close(*set);
}

/* ---- finding them ---- */

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

/*
 * What the kernel calls the module in the file PATH, whatever the file's name is: "name=" of its
 * .modinfo. NULL: it does not say.
 */
static const char *name_within(struct arena *arena, const char *path)
{
	struct image img = { 0 };
	struct image_section s;
	const char *ret = NULL;
	struct error *err = module_image_open(path, &img);

	if (!err && image_section(&img, ".modinfo", &s) && s.data) {
		const char *item = (const char *)s.data, *end = item + s.size;

		for (size_t len; item < end && !ret; item += len + 1) {
			len = strnlen(item, (size_t)(end - item));
			if (len > 5 && !memcmp(item, "name=", 5))
				ret = arena_strndup(arena, item + 5, len - 5);
		}
	}
	image_close(&img);
	error_destroy(err);
	return ret;
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

/* The module in a file that is not one of the release's, PLAIN by the name of the file. */
static struct target_object *add_file(struct target *t, const char *plain, const char *path)
{
	const char *within = name_within(t->arena, path);

	return add_module(t, within ? within : plain, arena_strdup(t->arena, path));
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
	static const char *const below[] = { "kernel", "updates", "extra" };

	if (t->has_modules)
		return;
	t->has_modules = true;
	for (size_t i = 0; kernel_tree_dirs[i] && !t->modules.n; i++)
		for (size_t j = 0; j < 3; j++)
			scan_directory(t,
				       arena_printf(t->arena, "%s/%s/%s/%s", t->root ? t->root : "",
						    kernel_tree_dirs[i], t->release, below[j]),
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
	return *name == '/' && plain && file_exists(name) ? add_file(t, plain, name) : NULL;
}

/* One path a line: "kernel/fs/ext4/ext4.ko". */
bool module_is_built_in(struct target *t, const char *name)
{
	const char *path =
		kernel_tree_file(t->arena, t->root ? t->root : "", t->release, "modules.builtin");
	const char *plain = module_name(t->arena, arena_printf(t->arena, "%s.ko", name));
	char *text = NULL, *rest, *line;
	struct error *err;
	bool ret = false;
	size_t len;

	if (!path || !plain)
		return false;
	err = file_read(path, &text, &len);
	rest = err ? NULL : text;
	while (!ret && (line = strsep(&rest, "\n")) != NULL) {
		const char *built_in = module_name(t->arena, path_base(line));

		ret = built_in && !strcmp(built_in, plain);
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

	return plain &&
	       (object_module(t, name) || module_is_built_in(t, name) || is_running(t, plain));
}
