/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4: the module file, from the cache or compiled. Requires kmod_lower(); leaves the path
 * of a finished module in k->ko. The base object of the kernel is prepared first, once per
 * kernel; the module is then looked up by a key over everything that its text and its build
 * depend on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "kmod/internal.h"
#include "module/module.h"

/* State of the progress display while the base object is built. */
struct preparing {
	bool shown;
	time_t last; /* a log file gets a line every few seconds, a terminal one that changes */
};

/*
 * The progress callback of module/. Writes nothing, then or later, when the base object is
 * there already.
 */
static void show_progress(void *arg, const char *what, unsigned done, unsigned total)
{
	struct preparing *p = arg;
	time_t now = time(NULL);

	if (!p->shown) {
		fputs("First use with this kernel: preparing, once.\n", stderr);
		p->last = now;
	}
	p->shown = true;
	if (isatty(STDERR_FILENO)) {
		fprintf(stderr, "\r\033[K  %u/%u %s", done, total, what);
	} else if (now >= p->last + 3) {
		fprintf(stderr, "  %u/%u %s\n", done, total, what);
		p->last = now;
	}
}

/*
 * Opens the kernel's build tree, which stays open until close_job(), and its base object, building
 * that when it is new; *ret is the caller's to close.
 */
static struct error *prepare_base(struct backend_job *job, struct module_base **ret)
{
	struct kmod *k = kmod_of(job);
	struct preparing preparing = { 0 };
	struct module_progress progress = { show_progress, &preparing };
	const char *dir = job->environment.cache_dir;
	struct error *err;

	err = module_kernel_open(job->environment.kernel_spec, &k->kernel);
	if (!err)
		module_kernel_set_make(k->kernel, job->options.make_variables,
				       job->options.n_make_variables);
	if (!err && !dir)
		err = job->environment.tmpdir(job->environment.tmpdir_arg, &dir);
	if (!err)
		err = module_base_prepare(k->kernel, job->environment.runtime_dir, dir, &progress,
					  ret);
	if (preparing.shown && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (!err && job->options.verbose[4])
		for (const char *const *note = module_base_notes(*ret); note && *note; note++)
			fprintf(stderr, "Note: %s\n", *note);
	return err;
}

/*
 * Whatever could change the module must be in the key. The module's name is not: it is patched
 * in when a cached module is copied.
 */
static void make_key(struct backend_job *job, const struct module_base *base,
		     struct module_key *key)
{
	struct kmod *k = kmod_of(job);
	VEC(const char *) parts = { 0 };

	vec_push(job->arena, &parts, SPILE_VERSION);
	vec_push(job->arena, &parts, module_base_id(base));
	vec_push(job->arena, &parts, strbuf_cstr(&k->script));
	vec_push(job->arena, &parts, strbuf_cstr(&k->guru));
	for (size_t i = 0; i < job->options.n_defines; i++)
		vec_push(job->arena, &parts, job->options.defines[i]);
	if (job->options.debug)
		vec_push(job->arena, &parts, "--debug");
	vec_push(job->arena, &parts, NULL);
	module_key_make(key, parts.data);
}

/*
 * One warning for each name of runtime/compat/embedded_names.h that the script's C uses, from the
 * compiler's "warning: 'NAME' is deprecated: WHY [...]".
 */
static void warn_old_names(const struct backend_job *job, const char *text)
{
	static const char mark[] = "' is deprecated: ", prefix[] = "stp_old_";

	for (const char *at = text; (at = strstr(at, mark)); at += strlen(mark)) {
		const char *name = at, *why = at + strlen(mark), *end = strstr(why, " [-W");

		while (name > text && name[-1] != '\'' && name[-1] != '\n')
			name--;
		if (memmem(text, (size_t)(name - text), name, (size_t)(at - name) + strlen(mark)) ||
		    job->options.no_warnings)
			continue;
		if (!strncmp(name, prefix, strlen(prefix)))
			name += strlen(prefix);
		fprintf(stderr, "WARNING: embedded C: '%.*s' is %.*s\n", (int)(at - name), name,
			end ? (int)(end - why) : (int)strcspn(why, "\n"), why);
	}
}

#define LONG_SCRIPT (200u << 10) /* bytes of C that take the compiler about a second */

/* On a terminal: who waits for a long script shall see what for. */
static bool is_waiting(const struct backend_job *job)
{
	return kmod_of(job)->script.len >= LONG_SCRIPT && isatty(STDERR_FILENO);
}

static void show_waiting(const struct backend_job *job)
{
	if (is_waiting(job))
		fprintf(stderr, "  compiling %zu handlers", job->program->probes.n);
}

/* Before anything else is written, and at the end. */
static void hide_waiting(const struct backend_job *job)
{
	if (is_waiting(job))
		fputs("\r\033[K", stderr);
}

/* A callback of module_compile(). */
static void guru_said(void *arg, bool compiled, const char *text)
{
	struct backend_job *job = arg;

	hide_waiting(job);
	if (compiled)
		warn_old_names(job, text);
	else
		kmod_compiler_messages(job, text);
}

/* A callback of module_compile(). */
static void guru_unlinked(void *arg, const char *name, bool defined, const struct error *why)
{
	kmod_symbol_message(arg, name, defined, why);
}

/*
 * Compiles into the file OUT. DIR is the temporary directory, in which intermediate files are
 * left with -k.
 */
static struct error *compile(struct backend_job *job, struct module_base *base, const char *dir,
			     const char *out)
{
	const char **defines =
		arena_new_array(job->arena, const char *, job->options.n_defines + 1);
	struct kmod *k = kmod_of(job);
	struct module_request request = {
		.name = k->module_name,
		.script = strbuf_cstr(&k->script),
		.guru = k->guru.len ? strbuf_cstr(&k->guru) : NULL,
		.out = out,
		.defines = defines,
		.keep_dir = job->options.keep ? dir : NULL,
		.debug = job->options.debug,
		.opt_level = MODULE_OPT_AUTO,
		.guru_said = guru_said,
		.guru_unlinked = guru_unlinked,
		.guru_said_arg = job,
	};
	struct error *err;

	/* the one after the last stays NULL, as module.h wants it */
	for (size_t i = 0; i < job->options.n_defines; i++)
		defines[i] = job->options.defines[i];
	show_waiting(job);
	err = module_compile(base, &request, NULL);
	hide_waiting(job);
	return err;
}

/*
 * Leaves the finished module in k->ko: in the cache when that works, else in the temporary
 * directory.
 */
static struct error *find_or_compile(struct backend_job *job, struct module_base *base)
{
	struct kmod *k = kmod_of(job);
	struct module_cache *cache = NULL;
	struct module_key key;
	struct error *err;
	const char *dir;
	char *hit = NULL;

	make_key(job, base, &key);
	if (!job->options.output_name)
		k->module_name = arena_printf(job->arena, "stap_%.16s_%d", key.text, (int)getpid());
	err = job->environment.tmpdir(job->environment.tmpdir_arg, &dir);
	if (err)
		return err;
	k->ko = arena_printf(job->arena, "%s/%s.ko", dir, k->module_name);
	if (job->environment.cache_dir) {
		err = module_cache_open(job->environment.cache_dir, &cache);
		if (err) {
			fprintf(stderr, "WARNING: no cache: %s\n", err->text);
			error_destroy(err);
		}
	}
	if (cache && !job->options.poison_cache)
		hit = module_cache_lookup(cache, &key, ".ko");
	if (hit) {
		k->cached_ko = arena_strdup(job->arena, hit);
		err = file_copy(hit, k->ko);
		if (!err)
			err = module_rename(k->ko, k->module_name);
	} else {
		err = compile(job, base, dir, k->ko);
		if (!err && cache) {
			struct error *full = module_cache_store(cache, &key, ".ko", k->ko);

			if (full)
				fprintf(stderr, "WARNING: not cached: %s\n", full->text);
			module_cache_clean(cache, false);
			if (!full)
				hit = module_cache_stored(cache, &key, ".ko");
			error_destroy(full);
		}
	}
	if (!err && hit && !job->options.will_run && !job->options.output_name)
		k->ko = arena_strdup(job->arena, hit);
	free(hit);
	if (cache)
		module_cache_close(cache);
	return err;
}

/* -m: the module is copied to the current directory; -p4 prints where it is. */
static struct error *deliver(struct backend_job *job)
{
	struct kmod *k = kmod_of(job);
	const char *dir;
	struct error *err = job->environment.tmpdir(job->environment.tmpdir_arg, &dir);

	if (err)
		return err;
	if (job->options.output_name) {
		const char *here = arena_printf(job->arena, "%s.ko", job->options.output_name);

		err = file_copy(k->ko, here);
		if (!err)
			k->ko = here;
	} else if (!job->options.will_run && !strncmp(k->ko, dir, strlen(dir))) {
		job->options.keep = true; /* nowhere else to leave it */
	}
	if (!err && !job->options.will_run)
		printf("%s\n", k->ko);
	return err;
}

/*
 * Asked before anything is compiled: a container may well be able to build what it cannot load.
 */
static bool can_load_modules(void)
{
	return file_exists("/proc/modules");
}

/*
 * The base object is closed in any case; the module file is in the temporary directory or the
 * cache.
 */
struct error *kmod_build(struct backend_job *job)
{
	struct module_base *base = NULL;
	struct error *err = NULL;

	kmod_of(job)->module_name = job->options.output_name;
	if (job->options.will_run && !job->options.remote && !can_load_modules())
		err = error_hint(error_create("this machine's kernel cannot load modules (there is "
					      "no /proc/modules)"),
				 "try --remote=vm, which runs the script in a throwaway guest with "
				 "an installed kernel");
	if (!err)
		err = prepare_base(job, &base);
	if (!err)
		err = find_or_compile(job, base);
	if (!err)
		err = deliver(job);
	if (base)
		module_base_close(base);
	return err;
}
