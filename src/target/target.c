/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening a target: finding the release and its kernel image. The image itself is opened when it is
 * first needed (object.c).
 */
#include "target/target.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cache_dir.h"
#include "base/file.h"
#include "base/intern.h"
#include "target/decode.h"
#include "target/dwarf.h"
#include "target/image.h"
#include "target/live.h"
#include "unpack/kernel_tree.h"

/*
 * Where an unpacked kernel of release %s is, below the root; a packed one (kernel_tree_image()) is
 * preferred.
 */
static const char *const unpacked_paths[] = {
	"/boot/vmlinux-%s",
	"/lib/modules/%s/build/vmlinux",
	"/usr/lib/modules/%s/build/vmlinux",
	"/usr/lib/debug/boot/vmlinux-%s",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
};
#define N_UNPACKED_PATHS (sizeof(unpacked_paths) / sizeof(*unpacked_paths))

/*
 * Debian's headers, from 6.12 on, come with a build/vmlinux of nothing but types, for BTF of
 * modules.
 */
static bool has_code(const char *path)
{
	struct image_section text;
	struct image img;
	struct error *err = strstr(path, "/build/") ? image_open(path, &img) : NULL;
	bool has = true;

	if (!err && strstr(path, "/build/")) {
		has = image_section(&img, ".text", &text);
		image_close(&img);
	}
	error_destroy(err); /* what is no image is reported when it is opened */
	return has;
}

/* The path of an image with code; NULL: there is none. */
static const char *find_image(const struct target *t)
{
	const char *root = t->root ? t->root : "";
	const char *packed = kernel_tree_image(t->arena, root, t->release);

	for (size_t i = 0; !packed && i < N_UNPACKED_PATHS; i++) {
		const char *below = arena_printf(t->arena, "%s%s", root, unpacked_paths[i]);
		const char *mark = strstr(below, "%s");
		const char *path = arena_printf(t->arena, "%.*s%s%s", (int)(mark - below), below,
						t->release, mark + 2);

		if (file_exists(path) && has_code(path))
			return path;
	}
	return packed;
}

/*
 * NULL when the running kernel is the one and can be looked into without a file (live.h); else an
 * error with both reasons and the package to install.
 */
static struct error *without_image(const struct target *t)
{
	const char *root = t->root ? t->root : "";
	struct error *why = *root ? NULL : live_check(t->release), *err;

	if (!why && !*root)
		return NULL;
	err = error_create("no image of kernel %s in %s/boot or %s/lib/modules%s%s", t->release,
			   root, root, why ? ", and " : "", why ? why->text : "");
	err = error_hint(err, "%s%sinstall the package linux-image-%s",
			 why && why->hint ? why->hint : "", why && why->hint ? ", or " : "",
			 t->release);
	error_destroy(why);
	return err;
}

/* NULL stays NULL. */
static char *copy(struct arena *arena, const char *s)
{
	return s ? arena_strdup(arena, s) : NULL;
}

struct error *target_open(const struct target_options *options, struct target **ret)
{
	struct arena *arena = arena_create();
	struct target *t = arena_new(arena, struct target);
	struct error *err = NULL;
	struct utsname uts;

	*t = (struct target){ .arena = arena,
			      .release = copy(arena, options->release),
			      .root = copy(arena, options->root),
			      .cache_dir = copy(arena, options->cache_dir),
			      .debuginfo_path = copy(arena, options->debuginfo_path),
			      .ask_servers = options->ask_servers,
			      .no_dwarf = options->no_dwarf,
			      .progress = options->progress,
			      .notice = options->notice,
			      .warning = options->warning,
			      .header_command = options->header_command,
			      .tracepoint_header = options->tracepoint_header,
			      .progress_arg = options->progress_arg };
	t->kernel = (struct target_object){ .target = t, .kind = OBJECT_KERNEL, .name = "kernel" };
	t->none = (struct target_scope){ .target = t, .object = &t->kernel, .kind = SCOPE_NONE };
	if (!t->release && t->root)
		err = kernel_tree_find(arena, t->root, &t->root, &t->release);
	else if (!t->release && uname(&uts) == 0)
		t->release = arena_strdup(arena, uts.release);
	if (options->files_only) {
		t->kernel.broken = "the kernel is not looked into";
	} else if (!err) {
		t->kernel.path = find_image(t);
		if (!t->kernel.path)
			err = without_image(t);
	}
	if (err) {
		arena_destroy(arena);
		return err;
	}
	*ret = t;
	return NULL;
}

static void close_dwarf(struct target_object *o)
{
	if (o->dwarf)
		dwarf_close(o->dwarf);
}

void target_close(struct target *t)
{
	if (!t)
		return;
	close_dwarf(&t->kernel);
	vec_foreach(o, &t->modules)
		close_dwarf(*o);
	vec_foreach(o, &t->files)
		close_dwarf(*o);
	decoder_destroy(t->decoder);
	objects_close(t);
	arena_destroy(t->arena);
}

/* Adds which kernel it was to the first error; object_load() repeats that text afterwards. */
struct error *target_load(struct target *t)
{
	bool known = t->kernel.broken;
	struct error *err = object_load(&t->kernel);

	if (err && !known) {
		err = error_context(err, "kernel %s (%s)", t->release,
				    t->kernel.path ? t->kernel.path : "running");
		t->kernel.broken = arena_strdup(t->arena, err->text);
	}
	return err;
}

bool target_try_load(struct target *t)
{
	struct error *err = target_load(t);

	error_destroy(err);
	return !err;
}

/*
 * Texts have names out of files in them, which may be anything: control characters are told as
 * such, and not sent to a terminal.
 */
static const char *printable(struct arena *arena, const char *text)
{
	char *ret = arena_alloc(arena, 4 * strlen(text) + 1), *to = ret;
	unsigned char before = 0;

	for (; *text; before = (unsigned char)*text++) {
		unsigned char c = (unsigned char)*text;
		bool is_c1 = c >= 0x80 && c < 0xa0 && (before < 0x80 || before == 0xc2);

		if (iscntrl(c) || is_c1)
			to += sprintf(to, "\\%03o", c);
		else
			*to++ = (char)c;
	}
	*to = '\0';
	return ret;
}

/* Each text once. */
static void tell(struct target *t, void (*to)(void *arg, const char *text), const char *format,
		 va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	vec_foreach(old, &t->notes)
		if (!strcmp(*old, text))
			return;
	vec_push(t->arena, &t->notes, arena_strdup(t->arena, text));
	if (to)
		to(t->progress_arg, printable(t->arena, text));
}

void target_note(struct target *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(t, t->notice, format, args);
	va_end(args);
}

void target_warn(struct target *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(t, t->warning, format, args);
	va_end(args);
}

const struct machine *target_machine(const struct target *t)
{
	return t->machine;
}

bool target_has_dwarf(struct target *t, const char *module)
{
	struct target_object *o = module ? object_named(t, module) : NULL;

	return dwarf_get(o ? o : &t->kernel) != NULL;
}

/*
 * Of the object's file and its debug file, if it has one. 0: as far as is known this far, one of
 * them is not whole.
 */
static uint64_t identity_of(struct target_object *o)
{
	const char *debug = object_try_load(o) ? dwarf_find_file(o) : NULL;
	const struct index_header *h;

	if (!o->path || !o->is_loaded || (object_is_kernel(o) && !o->has_build_id) ||
	    o->dwarf_problem || object_types_problem(o) ||
	    (o->dwarf && *dwarf_index_missing(&o->dwarf->index)))
		return 0;
	h = index_header(&o->index);
	return hash_bytes64(h->build_id, BUILD_ID_SIZE,
			    (debug ? file_identity(debug) : 0) ^ h->identity);
}

uint64_t target_kernel_identity(struct target *t)
{
	return dwarf_get(&t->kernel) ? identity_of(&t->kernel) : 0;
}

uint64_t target_modules_identity(struct target *t, const char *module)
{
	struct target_objects modules = modules_meant(t, module);
	uint64_t hash = identity_of(&t->kernel);

	if (!modules.n)
		return 0;
	modules_load(t, modules.data, modules.n);
	vec_foreach(o, &modules) {
		uint64_t one = identity_of(*o);

		hash = hash && one ? hash_bytes64(&one, sizeof(one), hash) : 0;
	}
	return hash;
}

const char *target_debuginfo_package(struct target *t)
{
	return arena_printf(t->arena, "linux-image-%s-dbg", t->release);
}

/* Debug information that is there and not used is told with what is missing. */
static const char *with_refused(struct target_object *o, const char *hint)
{
	return o->refused_file ? arena_printf(o->target->arena, "%s: %s", hint, o->refused_file)
			       : hint;
}

const char *target_debuginfo_hint(struct target *t)
{
	return with_refused(&t->kernel, arena_printf(t->arena, "install the package %s",
						     target_debuginfo_package(t)));
}

const char *object_debuginfo_hint(struct target_object *o)
{
	struct arena *arena = o->target->arena;
	char hex[BUILD_ID_HEX];

	if (o->missing_part)
		return arena_printf(arena, "part of the debug information of %s is not known: %s",
				    o->name, o->missing_part);
	if (o->kind == OBJECT_FILE && o->dwarf_problem)
		return arena_printf(
			arena, "compile %s anew: its debug information is there, but not readable",
			o->path);
	if (object_is_kernel(o))
		return target_debuginfo_hint(o->target);
	if (o->kind == OBJECT_MODULE)
		return with_refused(o, arena_printf(arena, "install the package %s",
						    target_debuginfo_package(o->target)));
	if (!o->has_build_id)
		return with_refused(o, arena_printf(arena, "compile %s with -g", o->path));
	build_id_hex(o->build_id, hex);
	return with_refused(o, arena_printf(arena,
					    "install the package with debug information of %s "
					    "(build-id %s), or compile it with -g",
					    o->path, hex));
}

const char *target_debuginfo_refused(struct target *t, const char *module)
{
	struct target_object *o = module ? object_named(t, module) : &t->kernel;

	return o ? o->refused_file : NULL;
}

const char *target_cache_directory(struct target *t)
{
	return t->cache_dir ? t->cache_dir : cache_directory(t->arena);
}
