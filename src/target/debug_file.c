/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the file with an object's debug information: where packages put it, by build-id, by the
 * object's .gnu_debuglink, the object's own file when that has it, or a server. A file is the right
 * one when its build-id is the object's; where the object has none, when its CRC is the one in the
 * link.
 *
 * SYSTEMTAP_DEBUGINFO_PATH is a list PATH:PATH..., each perhaps with '+' or '-' before it (whether
 * to check the CRC: both are taken, the check is always made). A relative PATH is below the folder
 * of the object's file.
 */
#include <string.h>
#include <zlib.h>

#include "target/debuginfod.h"
#include "target/dwarf.h"

/* What is looked for. Strings are the target's. */
struct debug_search {
	struct target_object *object;
	struct target *target;
	struct arena *arena;
	/*
	 * path of the object's file below the root, unpacked:
	 * "/lib/modules/6.1/kernel/fs/ext4/ext4.ko"
	 */
	const char *name;
	const char *dir;        /* of its file */
	const char *link;       /* .gnu_debuglink or NULL */
	char hex[BUILD_ID_HEX]; /* "": no build-id */
};

/* ---- is it the one? ---- */

/* CRC-32 of the whole file, as GDB and binutils compute it for .gnu_debuglink. */
static bool crc_matches(const struct image *img, uint32_t want)
{
	return crc32(0, img->map.data, img->map.len) == want;
}

/* The sections with code lie where the object's lie: else addresses would be of something else. */
static bool same_layout(const struct target_object *o, const struct image *img)
{
	for (size_t i = 0; i < o->index.n_sections; i++) {
		const struct index_section *s = &o->index.sections[i];
		struct image_section theirs;

		if (s->flags & SHF_EXECINSTR &&
		    (!image_section(img, index_string(&o->index, s->name), &theirs) ||
		     theirs.addr != s->addr))
			return false;
	}
	return true;
}

/* A build-id decides alone; the CRC is asked only of objects without one. */
static bool is_of_object(const struct debug_search *s, const struct image *img)
{
	const struct target_object *o = s->object;

	if (o->has_build_id)
		return img->has_build_id && !memcmp(img->build_id, o->build_id, BUILD_ID_SIZE);
	return s->link && crc_matches(img, index_header(&o->index)->debuglink_crc);
}

/*
 * It was once found to be the one. Of programs there may be several with one build-id, laid out
 * differently.
 */
static bool is_known(const struct debug_search *s, const char *path)
{
	unsigned char key[BUILD_ID_SIZE];

	if (s->object->kind == OBJECT_FILE)
		return false;
	dwarf_key(s->object, key);
	return dwarf_index_is_from(path, key, target_cache_directory(s->target));
}

/* An ELF file by its first bytes: others of such a name (a packed image) are nobody's mistake. */
static bool is_elf(const char *path)
{
	struct file_map map;
	struct error *err = file_map_open(path, &map);
	bool ret = !err && map.len >= SELFMAG && !memcmp(map.data, ELFMAG, SELFMAG);

	if (!err)
		file_map_close(&map);
	error_destroy(err);
	return ret;
}

/* For hints: the first file alone is told. */
static void refuse(const struct debug_search *s, const char *path, const struct image *img)
{
	char hex[BUILD_ID_HEX];

	if (s->object->refused_file || (!img && !is_elf(path)))
		return;
	if (img && img->has_build_id)
		build_id_hex(img->build_id, hex);
	s->object->refused_file =
		!img ? arena_printf(s->arena, "%s is damaged", path)
		: img->has_build_id
			? arena_printf(s->arena, "%s is of another build (build-id %s)", path, hex)
			: arena_printf(s->arena, "%s is of another build", path);
}

/*
 * Files that cannot be read are not the one looked for: no error is reported, but they are noted.
 */
static bool is_debug_file(const struct debug_search *s, const char *path)
{
	struct image img;
	struct error *err;
	bool ok;

	if (!file_exists(path))
		return false;
	if (is_known(s, path))
		return true;
	err = image_open(path, &img);
	if (err) {
		error_destroy(err);
		refuse(s, path, NULL);
		return false;
	}
	ok = image_has_debug_info(&img) && is_of_object(s, &img) && same_layout(s->object, &img);
	if (!ok && image_has_debug_info(&img))
		refuse(s, path, &img);
	image_close(&img);
	return ok;
}

/* ---- where it may be ---- */

/* PATH, when it is the one. */
static const char *try(const struct debug_search *s, const char *path)
{
	return is_debug_file(s, path) ? path : NULL;
}

/* DIR/.build-id/xx/yyyy.debug, with the first byte as a folder. */
static const char *try_build_id(const struct debug_search *s, const char *dir)
{
	return *s->hex ? try(s, arena_printf(s->arena, "%s/.build-id/%.2s/%s.debug", dir, s->hex,
					     s->hex + 2))
		       : NULL;
}

/* As packages of kernels lay it out below DIR. */
static const char *try_kernel(const struct debug_search *s, const char *dir)
{
	static const char *const names[] = { "boot/vmlinux-%s", "lib/modules/%s/vmlinux",
					     "usr/lib/modules/%s/vmlinux", "vmlinux-%s" };
	const char *path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *mark = strstr(names[i], "%s");

		path = try(s, arena_printf(s->arena, "%s/%.*s%s%s", dir, (int)(mark - names[i]),
					   names[i], s->target->release, mark + 2));
		if (path)
			return path;
	}
	return try(s, arena_printf(s->arena, "%s/vmlinux", dir));
}

/*
 * Debian has /usr/lib/debug/lib/modules/RELEASE/...ko, others ...ko.debug; either below /usr/lib
 * too.
 */
static const char *try_module(const struct debug_search *s, const char *dir)
{
	static const char *const ends[] = { "", ".debug" };
	const char *plain = strncmp(s->name, "/usr/", 5) ? s->name : s->name + 4, *path;

	for (size_t i = 0; i < 2; i++) {
		path = try(s, arena_printf(s->arena, "%s%s%s", dir, plain, ends[i]));
		if (!path)
			path = try(s, arena_printf(s->arena, "%s/usr%s%s", dir, plain, ends[i]));
		if (path)
			return path;
	}
	return NULL;
}

/* The link names a file without folder: at the object's own path below DIR, or in DIR. */
static const char *try_link(const struct debug_search *s, const char *dir)
{
	const char *path, *slash = strrchr(s->name, '/');

	if (!s->link)
		return NULL;
	path = try(s, arena_printf(s->arena, "%s%.*s/%s", dir, (int)(slash - s->name), s->name,
				   s->link));
	return path ? path : try(s, arena_printf(s->arena, "%s/%s", dir, s->link));
}

/* Paths within one tree of debug files, the most likely first. */
static const char *find_below(const struct debug_search *s, const char *dir)
{
	const char *path = object_is_kernel(s->object) ? try_kernel(s, dir) : try_module(s, dir);

	if (!path)
		path = try_build_id(s, dir);
	return path ? path : try_link(s, dir);
}

/* A relative entry of the list: beside the object. */
static const char *find_beside(const struct debug_search *s, const char *dir)
{
	const char *below = *dir ? path_join(s->arena, s->dir, dir) : s->dir, *path;

	path = s->link ? try(s, path_join(s->arena, below, s->link)) : NULL;
	return path ? path
		    : try(s, arena_printf(s->arena, "%s/%s.debug", below, path_base(s->name)));
}

/* The first that fits, in the order of SYSTEMTAP_DEBUGINFO_PATH. */
static const char *find_in_list(const struct debug_search *s, const char *list)
{
	const char *path = NULL;

	for (const char *p = list; p && *p && !path;) {
		size_t n = strcspn(p, ":");
		const char *dir;

		if (n && (*p == '+' || *p == '-'))
			p++, n--;
		dir = arena_strndup(s->arena, p, n);
		if (*dir == '/')
			path = find_below(s, dir);
		else if (s->object->path)
			path = find_beside(s, dir);
		p += n + (p[n] == ':');
	}
	return path;
}

/* Where the packages of distributions put it, below the target's root. */
static const char *find_installed(const struct debug_search *s)
{
	/* programs are this machine's, whatever kernel is probed */
	bool below_root = s->target->root && s->object->kind != OBJECT_FILE;
	const char *root = below_root ? s->target->root : "";
	const char *path = find_below(s, arena_printf(s->arena, "%s/usr/lib/debug", root));

	if (!path && object_is_kernel(s->object))
		path = find_below(s, arena_printf(s->arena, "%s/lib/modules/%s/build", root,
						  s->target->release));
	if (!path && object_is_kernel(s->object))
		path = find_below(s, root);
	/* as strip(1) and GDB have it */
	if (!path && s->object->kind == OBJECT_FILE)
		path = find_beside(s, "");
	if (!path && s->object->kind == OBJECT_FILE)
		path = find_beside(s, ".debug");
	/* unstripped, as it was built */
	if (!path && s->object->path && index_header(&s->object->index)->has_debug_info)
		path = try(s, s->object->path);
	return path;
}

/* "/lib/modules/R/kernel/x.ko" of "ROOT/lib/modules/R/kernel/x.ko.xz" */
static const char *name_below_root(const struct target_object *o)
{
	struct target *t = o->target;
	const char *path = o->path ? o->path : "/vmlinux", *ko;
	size_t n = t->root ? strlen(t->root) : 0;

	if (n && !strncmp(path, t->root, n) && path[n] == '/')
		path += n;
	ko = o->kind == OBJECT_MODULE ? strstr(path_base(path), ".ko") : NULL;
	return ko ? arena_strndup(t->arena, path, ko + 3 - path) : path;
}

static struct debug_search search_for(struct target_object *o)
{
	struct target *t = o->target;
	const char *link = index_string(&o->index, index_header(&o->index)->debuglink);
	struct debug_search s = { .object = o,
				  .target = t,
				  .arena = t->arena,
				  .name = name_below_root(o),
				  .link = *link ? link : NULL };

	if (o->has_build_id)
		build_id_hex(o->build_id, s.hex);
	s.dir = o->path ? arena_strndup(t->arena, o->path, path_base(o->path) - o->path) : "/";
	return s;
}

/* Can it be known of a file that it is the one? */
static bool can_be_told(const struct debug_search *s)
{
	return s->object->has_build_id || s->link;
}

const char *debug_file_find_local(struct target_object *o)
{
	struct debug_search s = search_for(o);

	if (o->kind == OBJECT_FILE && image_has_debug_info(&o->image))
		return o->path;
	if (!can_be_told(&s))
		return NULL;
	/* the variable stands in place of the usual folders; empty, it forbids them all */
	return s.target->debuginfo_path ? find_in_list(&s, s.target->debuginfo_path)
					: find_installed(&s);
}

const char *debug_file_find(struct target_object *o)
{
	struct debug_search s = search_for(o);
	const char *path = debug_file_find_local(o);

	if (path || !s.target->ask_servers || o->is_one_of_many || !can_be_told(&s))
		return path;
	path = debuginfod_find(o);
	if (!path || is_debug_file(&s, path))
		return path;
	debuginfod_refuse(o, path);
	return NULL;
}
