/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "driver/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "driver/help.h"
#include "driver/session.h"
#include "remote/remote.h"

/* ---- pass 4 ---- */
struct preparing {
	bool shown;
	time_t last; /* a log file gets a line every few seconds, a terminal one that changes */
};

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

static struct error *prepare_base(struct session *s, struct module_base **ret)
{
	struct preparing preparing = { 0 };
	struct module_progress progress = { show_progress, &preparing };
	const char *dir = s->cache_dir;
	struct error *err = NULL;

	if (!s->kernel) {
		err = s->kernel_error;
		s->kernel_error = NULL;
		return err;
	}
	if (!dir)
		err = session_tmpdir(s, &dir);
	if (!err)
		err = module_base_prepare(s->kernel, s->runtime_dir, dir, &progress, ret);
	if (preparing.shown && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (!err && s->options.verbose[4])
		for (const char *const *note = module_base_notes(*ret); note && *note; note++)
			fprintf(stderr, "Note: %s\n", *note);
	return err;
}

static void make_key(struct session *s, const struct module_base *base, struct module_key *key)
{
	VEC(const char *) parts = { 0 };

	vec_push(s->arena, &parts, SPILE_VERSION);
	vec_push(s->arena, &parts, module_base_id(base));
	vec_push(s->arena, &parts, strbuf_cstr(&s->script));
	vec_push(s->arena, &parts, strbuf_cstr(&s->guru));
	vec_foreach(define, &s->options.defines)
		vec_push(s->arena, &parts, *define);
	vec_push(s->arena, &parts, NULL);
	module_key_make(key, parts.data);
}

static struct error *compile(struct session *s, struct module_base *base, const char *out)
{
	const char **defines = arena_new_array(s->arena, const char *, s->options.defines.n + 1);
	struct module_request request = {
		.name = s->module_name,
		.script = strbuf_cstr(&s->script),
		.guru = s->guru.len ? strbuf_cstr(&s->guru) : NULL,
		.out = out,
		.defines = defines,
		.keep_dir = s->options.keep ? s->tmpdir : NULL,
		.opt_level = MODULE_OPT_AUTO,
	};

	for (size_t i = 0; i < s->options.defines.n; i++)
		defines[i] = s->options.defines.data[i];
	return module_compile(base, &request, NULL);
}

/* Leaves the finished module in s->ko: in the cache when that works, else in the temporary
 * directory. */
static struct error *find_or_compile(struct session *s, struct module_base *base)
{
	struct module_cache *cache = NULL;
	struct module_key key;
	struct error *err;
	const char *dir;
	char *hit = NULL;

	make_key(s, base, &key);
	if (!s->options.module_name)
		s->module_name = arena_printf(s->arena, "stap_%.16s_%d", key.text, (int)getpid());
	err = session_tmpdir(s, &dir);
	if (err)
		return err;
	s->ko = arena_printf(s->arena, "%s/%s.ko", dir, s->module_name);
	if (s->cache_dir) {
		err = module_cache_open(s->cache_dir, &cache);
		if (err) {
			fprintf(stderr, "WARNING: no cache: %s\n", err->text);
			error_destroy(err);
		}
	}
	if (cache && !s->options.poison_cache)
		hit = module_cache_lookup(cache, &key, ".ko");
	if (hit) {
		s->cached_ko = arena_strdup(s->arena, hit);
		err = file_copy(hit, s->ko);
		if (!err)
			err = module_rename(s->ko, s->module_name);
	} else {
		err = compile(s, base, s->ko);
		if (!err && cache) {
			struct error *full = module_cache_store(cache, &key, ".ko", s->ko);

			if (full)
				fprintf(stderr, "WARNING: not cached: %s\n", full->text);
			error_destroy(full);
			module_cache_clean(cache, false);
			hit = module_cache_lookup(cache, &key, ".ko");
		}
	}
	if (!err && hit && s->options.last_pass == 4 && !s->options.module_name)
		s->ko = arena_strdup(s->arena, hit);
	free(hit);
	if (cache)
		module_cache_close(cache);
	return err;
}

/* -m: the module is copied to the current directory; -p4 prints where it is. */
static struct error *deliver(struct session *s)
{
	struct error *err = NULL;

	if (s->options.module_name) {
		const char *here = arena_printf(s->arena, "%s.ko", s->options.module_name);

		err = file_copy(s->ko, here);
		if (!err)
			s->ko = here;
	} else if (s->options.last_pass == 4 && s->tmpdir &&
		   !strncmp(s->ko, s->tmpdir, strlen(s->tmpdir))) {
		s->options.keep = true; /* nowhere else to leave it */
	}
	if (!err && s->options.last_pass == 4)
		printf("%s\n", s->ko);
	return err;
}

static bool can_load_modules(void)
{
	return file_exists("/proc/modules");
}

bool run_pass4(struct session *s)
{
	struct module_base *base = NULL;
	struct error *err = NULL;

	s->module_name = s->options.module_name;
	if (s->options.last_pass == 5 && !s->options.remote && !can_load_modules())
		err = error_hint(error_create("this machine's kernel cannot load modules (there is "
					      "no /proc/modules)"),
				 "try --remote=vm, which runs the script in a throwaway guest with "
				 "an installed kernel");
	if (!err)
		err = prepare_base(s, &base);
	if (!err)
		err = find_or_compile(s, base);
	if (!err)
		err = deliver(s);
	if (base)
		module_base_close(base);
	if (!err)
		return true;
	session_show_error(err);
	return false;
}

bool run_clean_cache(struct session *s)
{
	struct module_cache *cache;
	struct error *err;

	if (!s->cache_dir)
		return true;
	err = module_cache_open(s->cache_dir, &cache);
	if (err) {
		session_show_error(err);
		return false;
	}
	module_cache_clean(cache, true);
	module_cache_close(cache);
	return true;
}

/* ---- pass 5 ---- */
/* staprun takes a word without a slash for a module's name; a guest may start elsewhere. */
static const char *absolute_path(struct arena *a, const char *path)
{
	char real[PATH_MAX];

	return realpath(path, real) ? arena_strdup(a, real) : path;
}

static const char *const *staprun_arguments(struct session *s)
{
	const struct options *o = &s->options;
	VEC(const char *) argv = { 0 };
	struct arena *a = s->arena;

	vec_push(a, &argv, absolute_path(a, s->staprun));
	for (int i = 1; i < o->verbose[5]; i++)
		vec_push(a, &argv, "-v");
	if (o->no_warnings)
		vec_push(a, &argv, "-w");
	if (o->color != COLOR_AUTO) {
		vec_push(a, &argv, "-C");
		vec_push(a, &argv, o->color == COLOR_ALWAYS ? "always" : "never");
	}
	if (o->command) {
		vec_push(a, &argv, "-c");
		vec_push(a, &argv, o->command);
	}
	if (o->target_pid) {
		vec_push(a, &argv, "-x");
		vec_push(a, &argv, arena_printf(a, "%ld", o->target_pid));
	}
	if (o->output && !o->remote) {
		vec_push(a, &argv, "-o");
		vec_push(a, &argv, o->output);
	}
	if (o->rotation) {
		vec_push(a, &argv, "-S");
		vec_push(a, &argv, o->rotation);
	}
	if (o->flight)
		vec_push(a, &argv, o->output ? "-D" : "-L");
	if (o->buffer_mb) {
		vec_push(a, &argv, "-b");
		vec_push(a, &argv, arena_printf(a, "%u", o->buffer_mb));
	}
	if (o->timeout)
		vec_push(a, &argv, arena_printf(a, "--timeout=%u", o->timeout));
	vec_push(a, &argv, absolute_path(a, s->ko));
	vec_push(a, &argv, NULL);
	return (const char *const *)argv.data;
}

static volatile sig_atomic_t child_pid;

static void pass_on(int sig, siginfo_t *info, void *context)
{
	/* what the terminal sends, it sends to staprun too */
	if (child_pid > 0 && info->si_code != SI_KERNEL)
		kill(child_pid, sig);
}

/*
 * The terminal's Ctrl-C reaches staprun and its reader without us; what is sent to stap alone is
 * passed on. Either way we wait for them to end in order.
 */
static bool run_here(struct session *s)
{
	struct subprocess sp = { .argv = staprun_arguments(s),
				 .in = SUBPROCESS_INHERIT,
				 .out = SUBPROCESS_INHERIT,
				 .err = SUBPROCESS_INHERIT };
	struct sigaction forward = { .sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO };
	struct error *err;
	sigset_t taken;
	int status;
	pid_t pid;

	cleanup_pause(&taken);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&taken, sig) > 0)
			sigaction(sig, &forward, NULL);
	err = subprocess_start(&sp, &pid);
	if (!err) {
		child_pid = pid;
		pthread_sigmask(SIG_UNBLOCK, &taken, NULL);
		err = subprocess_wait(pid, &status);
	}
	cleanup_resume();
	if (err) {
		session_show_error(err);
		return false;
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The guest's files are forgotten with it: -o is opened here and given to the guest as its standard
 * output. */
static struct error *open_output(struct session *s, int *ret)
{
	struct error *err = NULL;
	char *path;

	*ret = 0;
	if (!s->options.output)
		return NULL;
	path = path_expand_time(s->options.output);
	if (!path)
		return &error_no_memory;
	*ret = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (*ret < 0)
		err = error_create_errno(errno, "%s", path);
	free(path);
	return err;
}

static bool run_in_guest(struct session *s)
{
	struct remote_request request = { .kernel = s->kernel_spec,
					  .prepared = s->guest,
					  .argv = staprun_arguments(s),
					  .verbose = s->options.verbose[5] };
	int status = 1;
	struct error *err = open_output(s, &request.output_fd);

	if (!err) {
		s->guest = NULL;
		err = remote_vm_run(&request, &status);
	}
	if (request.output_fd > 0 && close(request.output_fd) && !err)
		err = error_create_errno(errno, "%s", s->options.output);
	if (err) {
		session_show_error(err);
		return false;
	}
	return status == 0;
}

bool run_pass5(struct session *s)
{
	bool fine;

	fflush(stdout);
	fine = s->options.remote ? run_in_guest(s) : run_here(s);
	s->ran = true;
	return fine;
}
