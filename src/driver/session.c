/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session: its files on this machine, the kernel to compile for, the target, the temporary
 * directory, and showing messages. Whatever the environment says is asked here, so passes need
 * not look at it.
 */
#include "driver/session.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "ast/build.h"
#include "base/cache_dir.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/seal.h"
#include "diag/render.h"
#include "driver/help.h"
#include "machine/machine.h"
#include "remote/remote.h"
#include "target/target.h"
#include "unpack/kernel_tree.h"

/*
 * In a build tree the links are in share/spile beside stap; installed, the folders are in
 * ../share/spile.
 */
static const char *find_beside(struct session *s, const char *exe_dir, const char *name)
{
	const char *path = arena_printf(s->arena, "%s/share/spile/%s", exe_dir, name);

	if (file_exists(path))
		return path;
	return arena_printf(s->arena, "%s/../share/spile/%s", exe_dir, name);
}

/*
 * A cache that somebody else could write into could bring anything into the kernel; without one
 * that can be written all is made anew each time.
 */
static bool is_cache_usable(const struct session *s, const char *cache)
{
	char *why = cache_refusal(cache);
	bool usable = !why;

	if (why && !s->options.no_warnings)
		fprintf(stderr,
			"WARNING: the cache %s is not used: %s (set SYSTEMTAP_DIR, or for kernels and "
			"guests XDG_CACHE_HOME, to a directory of your own)\n",
			cache, why);
	free(why);
	return usable;
}

/*
 * For -v: an entry of the cache whose seal does not hold. The run goes on as if it had not been
 * there.
 */
static void say_damaged(void *arg, const char *path, const char *why)
{
	fprintf(stderr, "Damaged in the cache, made anew: %s: %s\n", path, why);
}

/* Tapset, runtime, staprun and cache: by option, by environment, or beside this program. */
static struct error *find_files(struct session *s)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *env;
	char *cache;

	if (n < 0)
		return error_create_errno(errno, "/proc/self/exe");
	exe[n] = '\0';
	*strrchr(exe, '/') = '\0';
	env = getenv("SYSTEMTAP_TAPSET");
	s->tapset_dir = env ? env : find_beside(s, exe, "tapset");
	s->tapset_made_dir = env ? NULL : find_beside(s, exe, "tapset-made");
	env = s->options.runtime_dir ? s->options.runtime_dir : getenv("SYSTEMTAP_RUNTIME");
	s->runtime_dir = env ? env : find_beside(s, exe, "runtime");
	env = getenv("SYSTEMTAP_STAPRUN");
	s->staprun = env ? env : arena_printf(s->arena, "%s/staprun", exe);
	cache = s->backend->cache_dir();
	if (cache && !s->options.no_cache && is_cache_usable(s, cache))
		s->cache_dir = arena_strdup(s->arena, cache);
	free(cache);
	is_cache_usable(s, cache_directory_wanted(s->arena)); /* who uses it asks again */
	if (s->options.verbose[1])
		seal_watch(say_damaged, NULL);
	return NULL;
}

/* --sysroot, canonical in the session; "/" is this system. */
static struct error *find_sysroot(struct session *s)
{
	char real[PATH_MAX];

	if (!s->options.sysroot)
		return NULL;
	if (!realpath(s->options.sysroot, real) || !file_exists(path_join(s->arena, real, ".")))
		return error_hint(
			error_create("there is no directory '%s'", s->options.sysroot),
			"--sysroot names the one that the system of the programs lies in");
	s->options.sysroot = strcmp(real, "/") ? arena_strdup(s->arena, real) : NULL;
	return NULL;
}

/* A release whose image and build tree are in the sysroot is taken from there. */
static const char *kernel_in_sysroot(struct session *s, const char *release)
{
	const char *root = s->options.sysroot;

	if (!root || s->options.remote || !release || release[0] == '/' ||
	    !kernel_tree_file(s->arena, root, release, "build/.config") ||
	    !kernel_tree_image(s->arena, root, release))
		return release;
	return arena_printf(s->arena, "%s/lib/modules/%s", root, release);
}

/*
 * The kernel to compile for: -r, the guest's, or the running one. That there is no build tree is no
 * error: listings and early passes do without, and a back end that needs one will say so.
 */
static struct error *find_kernel(struct session *s)
{
	const char *spec = s->options.release ? s->options.release : getenv("SYSTEMTAP_RELEASE");
	struct error *err;
	struct utsname uts;

	if (!spec && s->options.remote)
		spec = s->options.guest;
	if (s->options.remote && (!spec || spec[0] != '/')) {
		char *release, *modules;

		err = remote_vm_kernel(spec, &release, &modules);
		if (err)
			return err;
		spec = arena_strdup(s->arena, release);
		free(release);
		free(modules);
	}
	spec = kernel_in_sysroot(s, spec);
	s->kernel_spec = spec;
	err = s->backend->kernel_open(spec, &s->kernel);
	if (s->kernel.release) {
		s->release = s->kernel.release;
		s->kernel_root = s->kernel.root;
	} else if (spec && !strchr(spec, '/')) {
		s->release = spec;
	} else if (spec) {
		/* perhaps packages without the headers; else whoever needs the kernel tells why */
		struct error *none = kernel_tree_find(s->arena, spec, &s->kernel_root, &s->release);

		if (none) {
			s->target_error = err;
			err = NULL;
		}
		error_destroy(none);
	}
	error_destroy(err);
	if (!s->release) {
		uname(&uts);
		s->release = arena_strdup(s->arena, uts.release);
	}
	/* a module for another kernel can be made here, not run */
	uname(&uts);
	if (!s->options.remote && s->options.last_pass == 5 && strcmp(s->release, uts.release))
		s->options.last_pass = 4;
	return NULL;
}

/*
 * -a: a module for ARCH, which ends with it. Build trees are for one machine, so it cannot choose.
 */
static struct error *check_arch(struct session *s)
{
	const char *arch = s->options.arch;

	if (!arch)
		return NULL;
	if (s->options.last_pass == 5)
		s->options.last_pass = 4;
	if (!s->kernel.arch || !strcmp(arch, s->kernel.arch) || !strcmp(arch, s->kernel.make_arch))
		return NULL;
	return error_hint(error_create("-a %s: the build tree of kernel %s is for %s", arch,
				       s->release, s->kernel.arch),
			  "-r /DIR names a build tree for another machine");
}

/*
 * The architecture that scripts are for: the build tree's; without one this machine's, by the name
 * that its row has too.
 */
static const char *script_arch(const struct session *s)
{
	const struct machine *machine;
	struct utsname uts;

	if (s->kernel.arch)
		return s->kernel.arch;
	uname(&uts);
	machine = machine_by_name(uts.machine);
	return machine ? machine->name : arena_strdup(s->arena, uts.machine);
}

/* For parse_env: "" when the option is unset or there is no build tree. */
static const char *config_value(const char *name, void *data)
{
	struct session *s = data;
	const char *value = s->backend->kernel_config(&s->kernel, name);

	return value ? value : "";
}

/* Numbers with dots between them? */
static bool is_version(const char *text)
{
	do {
		size_t n = strspn(text, "0123456789");

		if (!n)
			return false;
		text += n;
	} while (*text++ == '.');
	return !text[-1];
}

/* A later level than ours cannot be promised. */
static struct error *check_compatible(const struct session *s)
{
	const char *version = s->options.compatible;

	if (version && !is_version(version))
		return error_create("--compatible=%s: this is no version, as %s is one", version,
				    SPILE_COMPATIBLE);
	if (!version || strverscmp(version, SPILE_COMPATIBLE) <= 0)
		return NULL;
	return error_create("--compatible=%s: this version knows the language up to %s", version,
			    SPILE_COMPATIBLE);
}

/*
 * Let the stack grow to size. Linux leaves room for 128 MB below it when a process starts, whatever
 * the limit then was (mmap_base() in mm/util.c). Returns what is granted, size at most.
 */
static size_t reserve_stack(size_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit))
		return 0;
	if (limit.rlim_cur < size) {
		limit.rlim_cur = limit.rlim_max < size ? limit.rlim_max : size;
		if (setrlimit(RLIMIT_STACK, &limit))
			getrlimit(RLIMIT_STACK, &limit);
	}
	return limit.rlim_cur < size ? limit.rlim_cur : size;
}

/*
 * In this order: what is refused without looking at anything, where our own files are, which kernel
 * it is, and whether that is of the machine asked for. Then what all passes share is made; nothing
 * is parsed or opened yet but the kernel's build tree.
 */
struct error *session_open(struct session *s)
{
	struct error *err = check_compatible(s);

	if (!err)
		err = find_files(s);
	if (!err)
		err = find_sysroot(s);
	if (!err)
		err = find_kernel(s);
	if (!err)
		err = check_arch(s);
	if (err)
		return err;
	s->in = interner_create(s->arena);
	s->map = source_map_create(s->arena);
	s->sink = diag_sink_create(s->arena, s->map);
	s->parse_env = (struct parse_env){
		.kernel_vr = s->release,
		.arch = script_arch(s),
		.compatible = s->options.compatible ? s->options.compatible : SPILE_COMPATIBLE,
		.runtime = s->backend->name,
		.privilege = "stapdev",
		.guru = s->options.guru,
		.check_version = s->options.check_version,
		.config = config_value,
		.config_data = s,
		.max_height = reserve_stack(AST_HEIGHT_MAX * AST_LEVEL_STACK) / AST_LEVEL_STACK,
		.args = s->options.args.data,
		.n_args = s->options.args.n,
		.args_used = arena_new_array(s->arena, bool, s->options.args.n + 1),
	};
	s->parser = parser_create(s->arena, s->in, s->sink, &s->parse_env);
	s->probe_env = (struct probe_env){ .arena = s->arena,
					   .in = s->in,
					   .sink = s->sink,
					   .command = s->options.command,
					   .target_pid = s->options.target_pid,
					   .is_remote = s->options.remote != NULL,
					   .sysroot = s->options.sysroot,
					   .variables = s->options.sysenv.data,
					   .n_variables = s->options.sysenv.n };
	return NULL;
}

/* For the back end, which does not know the session. */
static struct error *job_tmpdir(void *arg, const char **ret)
{
	return session_tmpdir(arg, ret);
}

/* The options that concern the back end, in its terms. */
static struct backend_options job_options(const struct session *s)
{
	const struct options *o = &s->options;
	struct backend_options ret = {
		.script_name = o->script_file ? o->script_file : "<input>",
		.defines = o->defines.data,
		.n_defines = o->defines.n,
		.modinfo = o->modinfo.data,
		.n_modinfo = o->modinfo.n,
		.make_variables = o->make_variables.data,
		.n_make_variables = o->make_variables.n,
		.output_name = o->module_name,
		.output = o->output,
		.rotation = o->rotation,
		.command = o->command,
		.carried = o->carried.data,
		.n_carried = o->carried.n,
		.target_pid = o->target_pid,
		.namespaces_pid = o->namespaces_pid,
		.timeout = o->timeout,
		.buffer_mb = o->buffer_mb,
		.flight = o->flight,
		.bulk = o->bulk,
		.inline_stacks = o->inline_stacks,
		.remote = o->remote,
		.keep = o->keep,
		.debug = o->debug,
		.no_warnings = o->no_warnings,
		.skip_badvars = o->skip_badvars,
		.timing = o->timing,
		.suppress_handler_errors = o->suppress_handler_errors,
		.suppress_time_limits = o->suppress_time_limits,
		.poison_cache = o->poison_cache,
		.will_run = o->last_pass == 5,
		.color = o->color == COLOR_AUTO     ? BACKEND_COLOR_AUTO
			 : o->color == COLOR_ALWAYS ? BACKEND_COLOR_ALWAYS
						    : BACKEND_COLOR_NEVER,
	};

	memcpy(ret.verbose, o->verbose, sizeof(ret.verbose));
	return ret;
}

/*
 * After the options were read and before pass 2 looks at the script: the back end refuses here what
 * it cannot do.
 */
struct error *session_open_job(struct session *s)
{
	s->job = (struct backend_job){
		.arena = s->arena,
		.sink = s->sink,
		.sources = s->map,
		.options = job_options(s),
		.environment = {
			.runtime_dir = s->runtime_dir,
			.loader = s->staprun,
			.cache_dir = s->cache_dir,
			.kernel_spec = s->kernel_spec,
			.probe_env = &s->probe_env,
			.guest = &s->guest,
			.tmpdir = job_tmpdir,
			.tmpdir_arg = s,
		},
	};
	return s->backend->open(&s->job);
}

/* Without a cache that can be used there is nothing to do. */
struct error *session_clean_cache(struct session *s)
{
	return s->cache_dir ? s->backend->clean_cache(s->cache_dir) : NULL;
}

/* For the target: what takes long, as it begins. */
static void say_progress(void *arg, const char *text)
{
	fprintf(stderr, "%s\n", text);
}

/* What an answer leaves out is told to those who ask what happens. */
static void say_notice(void *arg, const char *text)
{
	struct session *s = arg;

	if (s->options.verbose[0])
		fprintf(stderr, "%s\n", text);
}

static void say_warning(void *arg, const char *text)
{
	struct session *s = arg;

	if (!s->options.no_warnings)
		fprintf(stderr, "WARNING: %s\n", text);
}

static struct error *header_command(void *arg, struct arena *arena, const char *const **ret)
{
	const struct session *s = arg;

	if (!s->kernel.state)
		return error_create("there is no build tree of kernel %s", s->release);
	return s->backend->header_command(&s->kernel, arena, ret);
}

/*
 * Once, when the first step asks for the kernel. A failure is kept, and told only by a probe or an
 * expression that cannot do without: begin, timers and the like need no kernel.
 */
void session_need_target(struct session *s)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	struct target_options o = { .release = s->release,
				    .ask_servers = servers && *servers && !s->options.no_download,
				    .cache_dir = s->cache_dir,
				    .debuginfo_path = getenv("SYSTEMTAP_DEBUGINFO_PATH"),
				    .progress = say_progress,
				    .notice = say_notice,
				    .warning = say_warning,
				    .header_command = header_command,
				    .tracepoint_header =
					    path_join(s->arena, s->runtime_dir,
						      "compat/tracepoint_prototypes.h"),
				    .progress_arg = s };

	if (s->target || s->probe_env.no_target_reason)
		return;
	if (s->kernel_root && *s->kernel_root)
		o.root = s->kernel_root;
	if (!s->target_error)
		s->target_error = target_open(&o, &s->target);
	s->probe_env.target = s->target;
	s->probe_env.guru = s->options.guru;
	if (s->target_error) {
		s->probe_env.no_target_reason = s->target_error->text;
		s->probe_env.no_target_hint = s->target_error->hint;
	}
}

/*
 * Made when it is first asked for, so early passes leave none. One that the user named stays, and
 * so does that of -k.
 */
struct error *session_tmpdir(struct session *s, const char **ret)
{
	struct error *err = NULL;
	char *made;

	if (!s->tmpdir && s->options.tmpdir) {
		err = dir_create_all(s->options.tmpdir);
		s->tmpdir = s->options.tmpdir;
	} else if (!s->tmpdir) {
		err = dir_create_temp(s->arena, "stap", &made);
		if (!err)
			s->tmpdir = made;
		if (!err && s->options.keep)
			cleanup_drop_path(made);
	}
	if (!err)
		*ret = s->tmpdir;
	return err;
}

/*
 * In reverse of how things came: the guest first, as it may still run on files of the temporary
 * directory.
 */
void session_close(struct session *s)
{
	remote_vm_forget(s->guest);
	if (s->tmpdir && !s->options.tmpdir) {
		if (s->options.keep)
			fprintf(stderr, "Keeping temporary directory \"%s\"\n", s->tmpdir);
		else
			error_destroy(dir_remove_all(s->tmpdir));
	}
	if (s->target)
		target_close(s->target);
	s->backend->kernel_close(&s->kernel);
	error_destroy(s->target_error);
	if (s->job.state)
		s->backend->close(&s->job);
}

/* --color, or a terminal that is not dumb. */
static bool want_color(const struct session *s)
{
	const char *term = getenv("TERM");

	if (s->options.color != COLOR_AUTO)
		return s->options.color == COLOR_ALWAYS;
	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
}

/* How messages look; the colours are those of $SYSTEMTAP_COLORS, which diag/ reads. */
static struct diag_style session_style(const struct session *s)
{
	return (struct diag_style){ .color = want_color(s),
				    .no_warnings = s->options.no_warnings,
				    .verbose = s->options.verbose[0],
				    .colors = getenv("SYSTEMTAP_COLORS") };
}

/* Print and end the buffer. */
static void flush_text(struct strbuf *text)
{
	fwrite(strbuf_cstr(text), 1, text->len, stderr);
	strbuf_deinit(text);
}

/*
 * Those that came since the last time. A warning counts as a failure with -W, unless -w hides it;
 * the count of parse errors ends the text of the pass that had some.
 */
bool session_show_diagnostics(struct session *s)
{
	struct diag_style style = session_style(s);
	size_t n = diag_count(s->sink);
	bool fine = true, parsing = false;
	struct strbuf text;

	for (size_t i = s->rendered; i < n; i++) {
		enum diag_severity severity = diag_get(s->sink, i)->severity;

		if (severity != DIAG_WARNING ||
		    (s->options.fatal_warnings && !s->options.no_warnings))
			fine = false;
		parsing |= severity == DIAG_PARSE_ERROR;
	}
	strbuf_init(&text);
	diag_render(s->sink, s->rendered, &style, &text);
	if (parsing)
		diag_render_parse_count(s->sink, &text);
	flush_text(&text);
	s->rendered = n;
	return fine;
}

/* "Number of similar ... suppressed", of the whole run, which it ends. */
void session_show_suppressed(struct session *s)
{
	struct diag_style style = session_style(s);
	struct strbuf text;

	strbuf_init(&text);
	diag_render_suppressed(s->sink, 0, &style, &text);
	flush_text(&text);
}

void session_show_error(struct error *err)
{
	fprintf(stderr, "ERROR: %s\n", err->text);
	if (err->hint)
		fprintf(stderr, "Hint: %s\n", err->hint);
	error_destroy(err);
}

bool session_flush_output(void)
{
	if (fflush(stdout)) {
		perror("stap: standard output");
		return false;
	}
	if (ferror(stdout)) {
		fputs("stap: standard output: some of it could not be written\n", stderr);
		return false;
	}
	return true;
}
