/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C text to a loadable .ko, in tens of milliseconds.
 *
 * kbuild costs a second per module because every unit reads the kernel's headers, and make and
 * modpost look at everything. Here the kernel is met once: the core of the runtime (runtime/) is
 * compiled with the kernel's own flags into base.o, kept in a directory of the cache per kernel,
 * compiler and runtime; its other units, the members, join it there when a script first needs them.
 * A script is C without kernel headers; its way is
 *
 *   script.c -> cc1 | as -> objtool -> symbol check -> ld -r with base.o and members
 *            -> name patched in -> NAME.ko
 *
 * Embedded C of guru mode, which does want kernel headers, is a second unit, guru.c, compiled
 * against the precompiled header kept beside base.o.
 *
 *   kernel.c    a kernel's build tree: where, which, .config
 *   flags.c     the compiler and objtool command lines, asked of kbuild once (make -n)
 *   refuse.c    flags our compiler does not know: replaced, dropped, or an error
 *   symvers.c   Module.symvers: exports, CRCs, GPL-only, namespaces
 *   object.c    the symbols of a relocatable ELF file
 *   features.c  runtime/features/features.def -> stp_features.h
 *   units.c     runtime/runtime.list: core and members, and who defines what
 *   base.c      base.o, the core, found or made
 *   build.c     making it
 *   baseid.c    the name under which that is found again
 *   compile.c   one module
 *   member.c    the members a script needs, compiled when they are missing
 *   objtool.c   objtool on one unit
 *   versions.c  the table of CONFIG_MODVERSIONS
 *   archive.c   what is linked, as one file
 *   check.c     undefined symbols, named before the kernel would only say ENOENT
 *   name.c      the module's name, in place
 *   cache.c     the store of finished modules
 *   cache_stale.c  what else is in the cache, and goes when nobody has read it for long
 *   tool.c      compilers as child processes, on all processors
 *
 * Objects are heap objects of their creator and used by one thread. Functions return NULL or a
 * struct error with a hint; nothing here prints. Two stap processes may prepare the same kernel:
 * one waits for the other. Signing modules is not built.
 */
#ifndef SPILE_MODULE_MODULE_H
#define SPILE_MODULE_MODULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* ---- a kernel's build tree ---- */
/*
 * A kernel that modules can be built for: a configured build tree with its .config and
 * Module.symvers.
 */
struct module_kernel;

/*
 * spec: NULL for the running kernel; a release ("6.1.0-13-amd64"); or a path: a build tree, a tree
 * of unpacked packages that holds lib/modules/RELEASE/build (exactly one), or that
 * lib/modules/RELEASE directory itself. In unpacked trees absolute links and paths are taken
 * relative to the tree.
 */
struct error *module_kernel_open(const char *spec, struct module_kernel **ret) ERROR_MUST_CHECK;
/* NULL is allowed. What was asked of the kernel is invalid then. */
void module_kernel_close(struct module_kernel *kernel);

/*
 * The release as modules of this kernel carry it, and the build tree's absolute path without
 * links. Texts of the kernel.
 */
const char *module_kernel_release(const struct module_kernel *kernel);
const char *module_kernel_build_dir(const struct module_kernel *kernel);
const char *
module_kernel_root(const struct module_kernel *kernel); /* "" or the unpacked tree's directory */
const char *module_kernel_arch(const struct module_kernel *kernel); /* as uname -m: "x86_64" */
/* The same as the kernel's makefiles call it: "x86", of arch/x86 */
const char *module_kernel_make_arch(const struct module_kernel *kernel);
/*
 * NAME=VALUE for the kernel's makefiles when they are asked for flags, n of them; borrowed, before
 * module_base_prepare().
 */
void module_kernel_set_make(struct module_kernel *kernel, const char *const *variables, size_t n);
/*
 * Value of CONFIG_NAME without quotes ("y", "m", "4"), in the kernel's memory, or NULL when unset.
 */
const char *module_kernel_config(struct module_kernel *kernel, const char *name);

struct arena;

/*
 * The command that compiles a unit with the kernel's headers, up to what is about the unit: the
 * headers that come first in all units are named by -include. NULL-terminated, in ARENA. The
 * makefiles are asked, which takes a second.
 */
struct error *module_header_command(struct module_kernel *kernel, struct arena *arena,
				    const char *const **ret) ERROR_MUST_CHECK;

/* ---- the runtime compiled for it ---- */
/* The runtime compiled for a kernel, in its directory of the cache. */
struct module_base;

/* what: one line for the user, such as "compiling the runtime"; done of total steps. */
struct module_progress {
	void (*step)(void *arg, const char *what, unsigned done, unsigned total);
	void *arg;
};

/*
 * Find or make base.o below cache_dir/kernels. Fast when it exists (some stat calls). progress may
 * be NULL; it is called only when there is something to wait for. The kernel must outlive the base.
 */
struct error *module_base_prepare(struct module_kernel *kernel, const char *runtime_dir,
				  const char *cache_dir, const struct module_progress *progress,
				  struct module_base **ret) ERROR_MUST_CHECK;
/* NULL is allowed; the directory stays. */
void module_base_close(struct module_base *base);

/* Identifies kernel, compiler, flags and runtime: belongs into every key of the module cache. */
const char *module_base_id(const struct module_base *base);
/* Its directory, a text of the base. */
const char *module_base_dir(const struct module_base *base);
/*
 * What a user should know about this base, one line each ("objtool cannot run here: ..."),
 * NULL-terminated; often empty.
 */
const char *const *module_base_notes(const struct module_base *base);

/* ---- one module ---- */
#define MODULE_OPT_AUTO (-1)

/* One module to be built; read during module_compile() only. */
struct module_request {
	const char *name;           /* [A-Za-z_][A-Za-z0-9_]*, at most STP_MODULE_NAME_MAX */
	const char *script;         /* C text, headerless but for runtime/uapi */
	const char *guru;           /* C text of embedded code, or NULL */
	const char *out;            /* path of the .ko; replaced atomically */
	const char *const *defines; /* NAME or NAME=VALUE (-D); NULL or NULL-terminated */
	/* existing directory that gets script.c, script.o, ... ; NULL: nothing is kept */
	const char *keep_dir;
	/*
	 * Called with what the compiler had to say of guru, whether it compiled it or not; NULL:
	 * nobody asks.
	 */
	void (*guru_said)(void *arg, bool compiled, const char *text);
	/*
	 * Called with the name that guru is not linked for, and the error: nobody defines it, or
	 * DEFINED, guru and the runtime both do; NULL: nobody asks.
	 */
	void (*guru_unlinked)(void *arg, const char *name, bool defined, const struct error *why);
	void *guru_said_arg; /* of both */
	bool debug;          /* debug information of the script's part */
	int opt_level;       /* 0, 1, 2 or MODULE_OPT_AUTO: 1, lighter for long texts */
};

/* Microseconds of wall time, for -v; zero for steps that did not run. */
struct module_times {
	unsigned compile, objtool, guru, check, link;
};

/* times may be NULL. On failure no file stands at request->out that was not there before. */
struct error *module_compile(struct module_base *base, const struct module_request *request,
			     struct module_times *times) ERROR_MUST_CHECK;

/*
 * Give the module file at PATH another name, in place (its length may change). Only modules made
 * here can be renamed; after an error of writing the file may have the new name in one of its two
 * places.
 */
struct error *module_rename(const char *path, const char *name) ERROR_MUST_CHECK;

/* ---- the cache of finished modules ---- */
/* A store of files under keys, in a directory that several processes may use at once. */
struct module_cache;

/*
 * The user's directory: $SYSTEMTAP_DIR/cache or ~/.systemtap/cache. Caller frees. NULL when neither
 * is known.
 */
char *module_cache_default_dir(void);
/* Creates dir and its two limit files when missing. */
struct error *module_cache_open(const char *dir, struct module_cache **ret) ERROR_MUST_CHECK;
/* NULL is allowed; the directory stays. */
void module_cache_close(struct module_cache *cache);

/* The name of a cache entry: a digest of all that it depends on. */
struct module_key {
	char text[64]; /* "<32 hex digits>_<length>" */
};
/* Everything a module depends on, NULL-terminated strings; where one ends matters. */
void module_key_make(struct module_key *ret, const char *const *parts);

/*
 * Path of the entry's file with this suffix (".ko", ".c") when it is there and whole, NULL
 * otherwise; caller frees. A hit counts as use. A damaged file is reported (base/seal.h) and
 * removed.
 */
char *module_cache_lookup(struct module_cache *cache, const struct module_key *key,
			  const char *suffix);
/*
 * Copy FROM into the cache, whole or not at all. The first error (a full disk) switches the cache
 * off for this process: it is returned once, as a warning to show; later calls return NULL and do
 * nothing.
 */
struct error *module_cache_store(struct module_cache *cache, const struct module_key *key,
				 const char *suffix, const char *from) ERROR_MUST_CHECK;
/* As module_cache_lookup() of what this process has just stored: it is not checked. */
char *module_cache_stored(struct module_cache *cache, const struct module_key *key,
			  const char *suffix);
/*
 * Delete the oldest entries until the sum is within cache_mb_limit, at most every
 * cache_clean_interval_s seconds unless NOW; and indexes, tables and images that nobody used for 60
 * days.
 * Returns how many entries went.
 */
unsigned module_cache_clean(struct module_cache *cache, bool now);

#endif
