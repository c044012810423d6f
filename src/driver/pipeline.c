/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "driver/pipeline.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "ast/tree.h"
#include "base/file.h"
#include "driver/argv.h"
#include "driver/keep_going.h"
#include "driver/limits.h"
#include "driver/run.h"
#include "driver/session.h"
#include "ir/dump.h"
#include "remote/remote.h"
#include "uapi/script.h"

/* ---- what -v says ---- */
struct pass_clock {
	struct rusage self, children;
	struct timespec wall;
};

static void clock_start(struct pass_clock *c)
{
	getrusage(RUSAGE_SELF, &c->self);
	getrusage(RUSAGE_CHILDREN, &c->children);
	clock_gettime(CLOCK_MONOTONIC, &c->wall);
}

static long ms(const struct timeval *now, const struct timeval *then)
{
	return (now->tv_sec - then->tv_sec) * 1000 + (now->tv_usec - then->tv_usec) / 1000;
}

static void print_memory(FILE *to)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long size = 0, resident = 0, shared = 0, text = 0, lib = 0, data = 0,
	     kb = sysconf(_SC_PAGESIZE) / 1024;

	if (f && fscanf(f, "%ld %ld %ld %ld %ld %ld", &size, &resident, &shared, &text, &lib,
			&data) != 6)
		size = 0;
	if (f)
		fclose(f);
	fprintf(to, " using %ldvirt/%ldres/%ldshr/%lddata kb,", size * kb, resident * kb,
		shared * kb, data * kb);
}

static void clock_print(const struct pass_clock *c, bool memory)
{
	struct rusage self, children;
	struct timespec wall;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	clock_gettime(CLOCK_MONOTONIC, &wall);
	if (memory)
		print_memory(stderr);
	fprintf(stderr, " in %ldusr/%ldsys/%ldreal ms.\n",
		ms(&self.ru_utime, &c->self.ru_utime) +
			ms(&children.ru_utime, &c->children.ru_utime),
		ms(&self.ru_stime, &c->self.ru_stime) +
			ms(&children.ru_stime, &c->children.ru_stime),
		(wall.tv_sec - c->wall.tv_sec) * 1000 + (wall.tv_nsec - c->wall.tv_nsec) / 1000000);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- pass 1 ---- */
static struct error *read_script(struct session *s, const char *path, const char **name,
				 char **text, size_t *len)
{
	*name = strcmp(path, "-") ? path : "<input>";
	return file_read(strcmp(path, "-") ? path : "/dev/stdin", text, len);
}

static bool add_script(struct session *s, const char *name, const char *text, size_t len)
{
	struct ast_file *file = parse_text(s->parser, name, text, len, false);

	if (!file)
		return false;
	vec_push(s->arena, &s->files, file);
	return true;
}

/* A file of the library only makes sense as part of it. */
static bool is_library_file(const struct session *s)
{
	char script[PATH_MAX], dir[PATH_MAX];
	size_t n;

	if (!realpath(s->options.script_file, script) || !realpath(s->tapset_dir, dir))
		return false;
	n = strlen(dir);
	return !strncmp(script, dir, n) && script[n] == '/';
}

static bool parse_user_scripts(struct session *s)
{
	const struct options *o = &s->options;
	bool fine = true;

	if (o->script_text)
		fine = add_script(s, "<input>", o->script_text, strlen(o->script_text));
	if (o->script_file && is_library_file(s)) {
		fprintf(stderr,
			"usage error: tapset file '%s' cannot be run directly as a session "
			"script.\n",
			o->script_file);
		return false;
	}
	if (o->script_file) {
		const char *name;
		char *text;
		size_t len;
		struct error *err = read_script(s, o->script_file, &name, &text, &len);

		if (err) {
			session_show_error(err);
			return false;
		}
		fine = add_script(s, name, arena_strndup(s->arena, text, len), len);
		free(text);
	}
	for (size_t i = 0; i < o->extra_scripts.n; i++) {
		const char *text = o->extra_scripts.data[i];

		fine &= add_script(s, arena_printf(s->arena, "<input%zu>", i + 1), text,
				   strlen(text));
	}
	return fine;
}

static bool add_argv(struct session *s)
{
	struct ast_file **files = s->files.data, *first;
	const struct options *o = &s->options;
	bool wanted, fine = true;
	struct strbuf text;

	strbuf_init(&text);
	wanted = argv_script(s->in, files, s->files.n, o->args.data, o->args.n, &text);
	if (wanted)
		fine = add_script(s, "<arguments>", arena_strndup(s->arena, text.s, text.len),
				  text.len);
	strbuf_deinit(&text);
	if (!wanted || !fine)
		return fine;
	files = s->files.data;
	first = files[s->files.n - 1];
	memmove(&files[1], &files[0], (s->files.n - 1) * sizeof(*files));
	files[0] = first;
	for (size_t i = 0; i < o->args.n; i++)
		s->parse_env.args_used[i] = true;
	return true;
}

static void say_searched(void *arg, const char *dir, unsigned found, unsigned used)
{
	fprintf(stderr, "Searched: \"%s\", found: %u, processed: %u\n", dir, found, used);
}

static void say_processing(void *arg, const char *path)
{
	fprintf(stderr, "Processing tapset \"%s\"\n", path);
}

bool pass_parse(struct session *s)
{
	VEC(const char *) dirs = { 0 };
	struct library_options lib = { .release = s->release,
				       .arch = s->parse_env.arch,
				       .cache_dir = s->cache_dir,
				       .searched = s->options.verbose[1] >= 2 ? say_searched : NULL,
				       .processing =
					       s->options.verbose[1] >= 3 ? say_processing : NULL };
	struct error *err;
	bool fine;

	for (size_t i = 0; i < s->options.tapset_dirs.n; i++)
		vec_push(s->arena, &dirs, s->options.tapset_dirs.data[i]);
	vec_push(s->arena, &dirs, s->tapset_dir);
	lib.dirs = dirs.data;
	lib.n_dirs = dirs.n;
	/* the library comes first: its macros are visible in user scripts */
	err = library_open(s->arena, s->in, s->parser, &lib, &s->library);
	if (err) {
		session_show_error(err);
		return false;
	}
	fine = parse_user_scripts(s) && add_argv(s);
	fine &= session_show_diagnostics(s);
	return fine;
}

/* false when -W makes an error of it */
static bool warn_unused_arguments(struct session *s)
{
	bool fine = true;

	if (s->options.no_warnings)
		return true;
	for (size_t i = 0; i < s->options.args.n; i++) {
		if (s->parse_env.args_used[i])
			continue;
		fprintf(stderr, "WARNING: unused command line option $%zu/@%zu\n", i + 1, i + 1);
		fine = !s->options.fatal_warnings;
	}
	return fine;
}

static bool run_pass1(struct session *s)
{
	struct strbuf text;

	if (!pass_parse(s))
		return false;
	if (!warn_unused_arguments(s))
		return false;
	if (s->options.last_pass == 5 && s->options.remote)
		s->guest = remote_vm_prepare(s->kernel_spec);
	if (s->options.last_pass > 1)
		return true;
	strbuf_init(&text);
	strbuf_adds(&text, "# parse tree dump\n");
	vec_foreach(file, &s->files)
		ast_print_file(*file, &text);
	fwrite(strbuf_cstr(&text), 1, text.len, stdout);
	strbuf_deinit(&text);
	return true;
}

static void say_pass1(struct session *s)
{
	size_t n = library_file_count(s->library);

	fprintf(stderr, "Pass 1: parsed user script and %zu library script%s", n, plural(n));
}

/* ---- pass 2 ---- */
bool pass_elaborate_input(struct session *s, struct sema_input *ret)
{
	struct limits limits;
	struct error *err = limits_from_options(&s->options, &limits);

	if (err) {
		session_show_error(err);
		return false;
	}
	session_need_target(s);
	*ret = (struct sema_input){
		.arena = s->arena, .in = s->in, .sink = s->sink, .library = s->library, .files = s->files.data,
		.n_files = s->files.n, .catalog = &probe_catalog, .env = &s->probe_env,
		.options = {
			.guru = s->options.guru, .unoptimised = s->options.unoptimised,
			.skip_badvars = s->options.skip_badvars,
			.no_autocast = strverscmp(s->parse_env.compatible, "2.6") < 0,
			.no_global_display = s->options.no_global_display,
			.max_map_entries = limits.max_map_entries, .set_globals = s->options.set_globals.data,
			.n_set = s->options.set_globals.n, .verbose = s->options.verbose[2],
		},
	};
	return true;
}

/* --dump-after=STEP */
static void dump_step(void *arg, const char *step, const struct ir_program *program)
{
	struct session *s = arg;
	struct strbuf text;

	if (strcmp(step, s->options.dump_after))
		return;
	strbuf_init(&text);
	ir_dump(program, 1, &text);
	fprintf(stderr, "# after %s\n%s", step, strbuf_cstr(&text));
	strbuf_deinit(&text);
}

static bool run_pass2(struct session *s)
{
	struct sema_input input;
	struct strbuf text;
	bool fine;

	if (!pass_elaborate_input(s, &input))
		return false;
	if (s->options.dump_after) {
		input.after_step = dump_step;
		input.after_arg = s;
	}
	s->program = sema_analyse(&input);
	fine = session_show_diagnostics(s) && s->program;
	if (!fine && s->options.keep_going)
		keep_going_print(s->sink, stderr);
	if (!fine)
		return false;
	if (s->options.last_pass > 2)
		return true;
	strbuf_init(&text);
	ir_dump(s->program, s->options.verbose[2], &text);
	fwrite(strbuf_cstr(&text), 1, text.len, stdout);
	strbuf_deinit(&text);
	return true;
}

static void say_pass2(struct session *s)
{
	const struct ir_program *p = s->program;
	size_t probes = 0;

	vec_foreach(probe, &p->probes)
		probes += (*probe)->points.n;
	fprintf(stderr,
		"Pass 2: analyzed script: %zu probe%s, %zu function%s, %zu embed%s, %zu global%s",
		probes, plural(probes), p->functions.n, plural(p->functions.n), p->embedded.n,
		plural(p->embedded.n), p->globals.n, plural(p->globals.n));
}

/* ---- pass 3 ---- */
static bool is_defined(const struct options *o, const char *name)
{
	size_t n = strlen(name);

	vec_foreach(define, &o->defines)
		if (!strncmp(*define, name, n) && (!(*define)[n] || (*define)[n] == '='))
			return true;
	return false;
}

static uint32_t script_flags(const struct options *o)
{
	return (o->timing ? STP_SCRIPT_TIMING : 0) |
	       (is_defined(o, "STP_TIMING_NSECS") ? STP_SCRIPT_NSECS : 0) |
	       (o->suppress_handler_errors ? STP_SCRIPT_SUPPRESS_ERRORS : 0) |
	       (o->suppress_time_limits ? STP_SCRIPT_NO_TIME_LIMITS : 0);
}

/* The C text for people to read: pass 4 takes it from memory. */
static struct error *write_source(struct session *s)
{
	const char *dir, *text = arena_printf(s->arena, "%s%s", strbuf_cstr(&s->script),
					      strbuf_cstr(&s->guru));
	struct error *err = session_tmpdir(s, &dir);

	if (err)
		return err;
	s->source = arena_printf(s->arena, "%s/stap_%d_src.c", dir, (int)getpid());
	return file_write_atomic(s->source, text, strlen(text), 0644);
}

static bool run_pass3(struct session *s)
{
	struct limits limits;
	struct error *err = limits_from_options(&s->options, &limits);
	struct codegen_input input = {
		.arena = s->arena,
		.program = s->program,
		.sources = s->map,
		.flags = script_flags(&s->options),
		.skip_badvars = s->options.skip_badvars,
		.script_name = s->options.script_file ? s->options.script_file : "<input>",
		.defines = s->options.defines.data,
		.n_defines = s->options.defines.n,
	};

	if (err) {
		session_show_error(err);
		return false;
	}
	err = codegen_check(s->program);
	if (err) {
		session_show_error(err);
		return false;
	}
	input.limits = limits.codegen;
	codegen_program(&input, &s->script, &s->guru);
	if (s->options.verbose[3] || s->options.keep)
		err = write_source(s);
	if (err) {
		session_show_error(err);
		return false;
	}
	if (s->options.last_pass == 3) {
		fwrite(strbuf_cstr(&s->script), 1, s->script.len, stdout);
		if (s->guru.len)
			fwrite(strbuf_cstr(&s->guru), 1, s->guru.len, stdout);
	}
	return true;
}

static void say_pass3(struct session *s)
{
	fprintf(stderr, "Pass 3: translated to C into \"%s\"", s->source);
}

/* ---- the table ---- */
static void say_pass4(struct session *s)
{
	if (s->cached_ko)
		fprintf(stderr, "Pass 4: using cached %s", s->cached_ko);
	else
		fprintf(stderr, "Pass 4: compiled C into \"%s.ko\"", s->module_name);
}

static const struct pass {
	bool (*run)(struct session *s);
	void (*say)(struct session *s); /* the -v line, without its times */
	const char *failed;             /* "parse failed" */
	bool memory;
} passes[] = {
	{ run_pass1, say_pass1, "parse failed", true },
	{ run_pass2, say_pass2, "analysis failed", true },
	{ run_pass3, say_pass3, "translation failed", true },
	{ run_pass4, say_pass4, "compilation failed", false },
	{ run_pass5, NULL, "run failed", false },
};

int pipeline_run(struct session *s)
{
	for (int n = 1; n <= s->options.last_pass; n++) {
		const struct pass *pass = &passes[n - 1];
		struct pass_clock clock;

		clock_start(&clock);
		if (n == 5 && s->options.verbose[5])
			fputs("Pass 5: starting run.\n", stderr);
		if (!pass->run(s)) {
			fflush(stdout);
			fprintf(stderr, "Pass %d: %s.  [man error::pass%d]\n", n, pass->failed, n);
			session_show_suppressed(s);
			return 1;
		}
		if (!s->options.verbose[n])
			continue;
		if (pass->say)
			pass->say(s);
		else
			fputs("Pass 5: run completed", stderr);
		clock_print(&clock, pass->memory);
	}
	if (fflush(stdout)) {
		perror("stap: standard output");
		return 1;
	}
	return 0;
}
