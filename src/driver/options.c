/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "driver/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "driver/help.h"
#include "module/module.h"
#include "sema/sema.h"

/* Long options without a letter */
enum {
	OPT_VP = 256,
	OPT_TMPDIR,
	OPT_COLOR,
	OPT_COMPATIBLE,
	OPT_SKIP_BADVARS,
	OPT_SUPPRESS_HANDLER_ERRORS,
	OPT_SUPPRESS_TIME_LIMITS,
	OPT_NO_GLOBAL_VAR_DISPLAY,
	OPT_DISABLE_CACHE,
	OPT_POISON_CACHE,
	OPT_REMOTE,
	OPT_DUMP_PROBE_TYPES,
	OPT_DUMP_PROBE_ALIASES,
	OPT_DUMP_FUNCTIONS,
	OPT_DUMP_AFTER,
	OPT_NO_EFFECT,
	OPT_CLEAN_CACHE,
	OPT_PRIVILEGE,
	OPT_RUNTIME,
	OPT_SEMANTIC_KEEP_GOING,
	OPT_RLIMIT,
	OPT_UNBUILT,
};

static const char short_options[] = "hVvtp:I:e:E:o:R:r:a:m:kgP::c:x:D:bs:uqiwl:d:L:FS:B:WG:T:";

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "vp", required_argument, NULL, OPT_VP },
	{ "tmpdir", required_argument, NULL, OPT_TMPDIR },
	{ "color", optional_argument, NULL, OPT_COLOR },
	{ "colour", optional_argument, NULL, OPT_COLOR },
	{ "compatible", required_argument, NULL, OPT_COMPATIBLE },
	{ "skip-badvars", no_argument, NULL, OPT_SKIP_BADVARS },
	{ "suppress-handler-errors", no_argument, NULL, OPT_SUPPRESS_HANDLER_ERRORS },
	{ "suppress-time-limits", no_argument, NULL, OPT_SUPPRESS_TIME_LIMITS },
	{ "no-global-var-display", no_argument, NULL, OPT_NO_GLOBAL_VAR_DISPLAY },
	{ "disable-cache", no_argument, NULL, OPT_DISABLE_CACHE },
	{ "poison-cache", no_argument, NULL, OPT_POISON_CACHE },
	{ "remote", required_argument, NULL, OPT_REMOTE },
	{ "dump-probe-types", no_argument, NULL, OPT_DUMP_PROBE_TYPES },
	{ "dump-probe-aliases", no_argument, NULL, OPT_DUMP_PROBE_ALIASES },
	{ "dump-functions", no_argument, NULL, OPT_DUMP_FUNCTIONS },
	{ "dump-after", required_argument, NULL, OPT_DUMP_AFTER },
	{ "prologue-searching", optional_argument, NULL, 'P' },
	{ "check-version", no_argument, NULL, OPT_NO_EFFECT },
	{ "save-uprobes", no_argument, NULL, OPT_NO_EFFECT },
	{ "clean-cache", no_argument, NULL, OPT_CLEAN_CACHE },
	{ "privilege", required_argument, NULL, OPT_PRIVILEGE },
	{ "runtime", required_argument, NULL, OPT_RUNTIME },
	{ "semantic-keep-going", no_argument, NULL, OPT_SEMANTIC_KEEP_GOING },
	{ "rlimit-as", required_argument, NULL, OPT_RLIMIT },
	{ "rlimit-cpu", required_argument, NULL, OPT_RLIMIT },
	{ "rlimit-nproc", required_argument, NULL, OPT_RLIMIT },
	{ "rlimit-stack", required_argument, NULL, OPT_RLIMIT },
	{ "rlimit-fsize", required_argument, NULL, OPT_RLIMIT },
	/* known to the language of the command line, refused by name */
	{ "all-modules", no_argument, NULL, OPT_UNBUILT },
	{ "benchmark-sdt", no_argument, NULL, OPT_UNBUILT },
	{ "bpf", no_argument, NULL, OPT_UNBUILT },
	{ "build-as", required_argument, NULL, OPT_UNBUILT },
	{ "client-options", no_argument, NULL, OPT_UNBUILT },
	{ "debug", no_argument, NULL, OPT_UNBUILT },
	{ "download-debuginfo", optional_argument, NULL, OPT_UNBUILT },
	{ "dyninst", no_argument, NULL, OPT_UNBUILT },
	{ "example", no_argument, NULL, OPT_UNBUILT },
	{ "interactive", no_argument, NULL, OPT_UNBUILT },
	{ "language-server", no_argument, NULL, OPT_UNBUILT },
	{ "ldd", no_argument, NULL, OPT_UNBUILT },
	{ "list-servers", optional_argument, NULL, OPT_UNBUILT },
	{ "modinfo", required_argument, NULL, OPT_UNBUILT },
	{ "monitor", optional_argument, NULL, OPT_UNBUILT },
	{ "remote-prefix", no_argument, NULL, OPT_UNBUILT },
	{ "sign-module", no_argument, NULL, OPT_UNBUILT },
	{ "sysenv", required_argument, NULL, OPT_UNBUILT },
	{ "sysroot", required_argument, NULL, OPT_UNBUILT },
	{ "target-namespaces", required_argument, NULL, OPT_UNBUILT },
	{ "trust-servers", optional_argument, NULL, OPT_UNBUILT },
	{ "unprivileged", no_argument, NULL, OPT_UNBUILT },
	{ "use-http-server", required_argument, NULL, OPT_UNBUILT },
	{ "use-server", optional_argument, NULL, OPT_UNBUILT },
	{ "use-server-on-error", optional_argument, NULL, OPT_UNBUILT },
	{ NULL, 0, NULL, 0 },
};

static bool fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static bool fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return false;
}

static bool parse_number(const char *text, long min, long max, long *ret)
{
	char *end;

	errno = 0;
	*ret = strtol(text, &end, 10);
	return *text && !*end && !errno && *ret >= min && *ret <= max;
}

static bool is_identifier(const char *s, size_t n)
{
	if (n == 0 || isdigit((unsigned char)*s))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return true;
}

static bool set_pass(struct options *o, const char *arg)
{
	long n;

	if (!parse_number(arg, 1, 5, &n))
		return fail("Invalid pass number (should be 1-5).");
	o->last_pass = n;
	return true;
}

static bool set_vp(struct options *o, const char *arg)
{
	size_t n = strlen(arg);

	if (n < 1 || n > 5 || strspn(arg, "0123456789") != n)
		return fail("Invalid --vp argument: it takes 1 to 5 digits.");
	for (size_t i = 0; i < n; i++)
		o->verbose[i + 1] += arg[i] - '0';
	return true;
}

/* -m: [a-z0-9_]+, suffix chopped, at most 55 characters */
static bool set_module_name(struct arena *arena, struct options *o, const char *arg)
{
	char *name = arena_strdup(arena, arg);
	size_t n = strlen(name), full = n;

	if (n > 3 && (!strcmp(name + n - 3, ".ko") || !strcmp(name + n - 3, ".so")))
		n -= 3;
	if (n > MODULE_NAME_MAX)
		n = MODULE_NAME_MAX;
	name[n] = '\0';
	if (n != full)
		fprintf(stderr, "Truncating module name to '%s'\n", name);
	if (n == 0)
		return fail("Module name cannot be empty.");
	if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != n)
		return fail(
			"Invalid module name '%s' (must only be composed of characters [a-z0-9_]).",
			name);
	o->module_name = name;
	return true;
}

static bool add_define(struct arena *arena, struct options *o, const char *arg)
{
	if (!is_identifier(arg, strcspn(arg, "=")))
		return fail("Invalid -D argument '%s': NAME or NAME=VALUE, and NAME must be an "
			    "identifier.",
			    arg);
	vec_push(arena, &o->defines, arg);
	return true;
}

static bool add_global(struct arena *arena, struct options *o, const char *arg)
{
	if (!strchr(arg, '=') || !is_identifier(arg, strcspn(arg, "=")))
		return fail("Invalid -G argument '%s': it takes NAME=VALUE.", arg);
	vec_push(arena, &o->set_globals, arg);
	return true;
}

static bool set_color(struct options *o, const char *arg)
{
	if (!arg || !strcmp(arg, "always"))
		o->color = COLOR_ALWAYS;
	else if (!strcmp(arg, "never"))
		o->color = COLOR_NEVER;
	else if (!strcmp(arg, "auto"))
		o->color = COLOR_AUTO;
	else
		return fail("Invalid argument '%s' for --color: never, always or auto.", arg);
	return true;
}

static bool set_list(struct options *o, enum options_list kind, const char *point)
{
	o->list = kind;
	o->list_point = point;
	return true;
}

static bool set_number(const char *arg, long min, long max, unsigned *ret, const char *message)
{
	long n;

	if (!parse_number(arg, min, max, &n))
		return fail("%s", message);
	*ret = n;
	return true;
}

static bool set_script(struct options *o, const char *arg)
{
	if (o->script_text)
		return fail("Only one script can be given on the command line.");
	o->script_text = arg;
	return true;
}

static bool set_target(struct options *o, const char *arg)
{
	return parse_number(arg, 1, 0x7fffffff, &o->target_pid) ||
	       fail("Invalid target process ID number.");
}

static bool set_command(struct options *o, const char *arg)
{
	o->command = arg;
	return *arg || fail("Empty CMD string invalid.");
}

static bool unbuilt(char *const *argv, int c, int index)
{
	if (c >= OPT_VP)
		return fail("Option --%s is not built yet.", long_options[index].name);
	return fail("Option -%c is not built yet.", c);
}

static bool set_dump_after(struct options *o, const char *arg)
{
	const char *name;
	size_t i;

	o->dump_after = arg;
	for (i = 0; (name = sema_step_name(i)); i++)
		if (!strcmp(name, arg))
			return true;
	fprintf(stderr, "Pass 2 has no step '%s'; its steps are", arg);
	for (i = 0; (name = sema_step_name(i)); i++)
		fprintf(stderr, " %s", name);
	return fail(".");
}

static bool set_rotation(struct options *o, const char *arg)
{
	uint64_t size;
	unsigned files;

	o->rotation = arg;
	return file_rotation_parse(arg, &size, &files) ||
	       fail("Invalid output size (should be SIZE[,N], in megabytes and files).");
}

/* --NAME=VALUE with a fixed list of values, of which the first N_BUILT are built. */
static bool choose(const char *name, const char *value, const char *const *values, unsigned n_built)
{
	for (unsigned i = 0; values[i]; i++) {
		if (strcmp(value, values[i]))
			continue;
		return i < n_built || fail("--%s=%s is not built yet.", name, value);
	}
	return fail("Invalid argument '%s' for --%s.", value, name);
}

/* Parameters are found without: by location lists, and by the calling convention where those do not cover the entry. */
static bool set_prologue_searching(const char *arg)
{
	static const char *const values[] = { "never", "always", "auto", NULL };

	return !arg || choose("prologue-searching", arg, values, 3);
}

static bool set_privilege(const char *arg)
{
	static const char *const values[] = { "stapdev", "stapsys", "stapusr", NULL };

	return choose("privilege", arg, values, 1);
}

static bool set_runtime(const char *arg)
{
	static const char *const values[] = { "kernel", "dyninst", "bpf", NULL };

	return choose("runtime", arg, values, 1);
}

/* Limits on stap itself and what it starts, from here on. */
static bool set_rlimit(const char *name, const char *arg)
{
	static const struct {
		const char *name;
		int resource;
	} limits[] = {
		{ "rlimit-as", RLIMIT_AS },       { "rlimit-cpu", RLIMIT_CPU },
		{ "rlimit-nproc", RLIMIT_NPROC }, { "rlimit-stack", RLIMIT_STACK },
		{ "rlimit-fsize", RLIMIT_FSIZE },
	};
	struct rlimit limit;
	rlim_t n;
	char *end;

	errno = 0;
	n = strtoul(arg, &end, 10);
	if (!isdigit((unsigned char)*arg) || *end || errno)
		return fail("Invalid argument '%s' for --%s: it takes a number.", arg, name);
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		if (strcmp(name, limits[i].name))
			continue;
		/* the soft one: of processor time it comes with a signal that leaves time to clean up */
		getrlimit(limits[i].resource, &limit);
		limit.rlim_cur = n;
		if (setrlimit(limits[i].resource, &limit))
			return fail("Cannot set --%s=%s: %s", name, arg, strerror(errno));
	}
	signal(SIGXFSZ, SIG_IGN); /* a file too large is an error like a full disk */
	return true;
}

/* One option; false: misuse was reported. */
static bool apply(struct arena *arena, struct options *o, int c, const char *arg, char *const *argv,
		  int index)
{
	switch (c) {
	case 'v':
		for (int i = 0; i <= 5; i++)
			o->verbose[i]++;
		return true;
	case 't':
		return o->timing = true;
	case 'p':
		return set_pass(o, arg);
	case 'I':
		vec_push(arena, &o->tapset_dirs, arg);
		return true;
	case 'e':
		return set_script(o, arg);
	case 'E':
		vec_push(arena, &o->extra_scripts, arg);
		return true;
	case 'o':
		o->output = arg;
		return true;
	case 'R':
		o->runtime_dir = arg;
		return true;
	case 'r':
		o->release = arg;
		return true;
	case 'm':
		return set_module_name(arena, o, arg);
	case 'k':
		return o->keep = true;
	case 'g':
		return o->guru = true;
	case 'c':
		return set_command(o, arg);
	case 'x':
		return set_target(o, arg);
	case 'D':
		return add_define(arena, o, arg);
	case 's':
		return set_number(arg, 1, 4095, &o->buffer_mb,
				  "Invalid buffer size (should be 1-4095).");
	case 'S':
		return set_rotation(o, arg);
	case 'F':
		return o->flight = true;
	case 'u':
		return o->unoptimised = true;
	case 'w':
		return o->no_warnings = true;
	case 'W':
		return o->fatal_warnings = true;
	case 'l':
		return set_list(o, LIST_NAMES, arg);
	case 'L':
		return set_list(o, LIST_VARIABLES, arg);
	case 'G':
		return add_global(arena, o, arg);
	case 'T':
		return set_number(arg, 1, 0x7fffffff, &o->timeout,
				  "Invalid timeout value: it takes a number of seconds.");
	case OPT_VP:
		return set_vp(o, arg);
	case OPT_DUMP_AFTER:
		return set_dump_after(o, arg);
	case OPT_TMPDIR:
		o->tmpdir = arg;
		return true;
	case OPT_COLOR:
		return set_color(o, arg);
	case OPT_COMPATIBLE:
		o->compatible = arg;
		return true;
	case OPT_SKIP_BADVARS:
		return o->skip_badvars = true;
	case OPT_SUPPRESS_HANDLER_ERRORS:
		return o->suppress_handler_errors = true;
	case OPT_SUPPRESS_TIME_LIMITS:
		return o->suppress_time_limits = true;
	case OPT_NO_GLOBAL_VAR_DISPLAY:
		return o->no_global_display = true;
	case OPT_DISABLE_CACHE:
		return o->no_cache = true;
	case OPT_POISON_CACHE:
		return o->poison_cache = true;
	case OPT_REMOTE:
		o->remote = arg;
		return true;
	case OPT_DUMP_PROBE_TYPES:
		return set_list(o, LIST_PROBE_TYPES, NULL);
	case OPT_DUMP_PROBE_ALIASES:
		return set_list(o, LIST_PROBE_ALIASES, NULL);
	case OPT_DUMP_FUNCTIONS:
		return set_list(o, LIST_FUNCTIONS, NULL);
	case 'P':
		return set_prologue_searching(arg);
	case OPT_NO_EFFECT:
		return true;
	case OPT_CLEAN_CACHE:
		return o->clean_cache = true;
	case OPT_PRIVILEGE:
		return set_privilege(arg);
	case OPT_RUNTIME:
		return set_runtime(arg);
	case OPT_SEMANTIC_KEEP_GOING:
		return o->keep_going = true;
	case OPT_RLIMIT:
		return set_rlimit(long_options[index].name, arg);
	case '?':
		return false;
	default:
		return unbuilt(argv, c, index);
	}
}

static enum options_result parse_vector(struct arena *arena, int argc, char **argv,
					struct options *o)
{
	int c, index = 0;

	optind = 0;
	while ((c = getopt_long(argc, argv, short_options, long_options, &index)) != -1) {
		if (c == 'h') {
			help_print(stdout);
			return OPTIONS_DONE;
		}
		if (c == 'V') {
			version_print(stdout);
			return OPTIONS_DONE;
		}
		if (!apply(arena, o, c, optarg, argv, index))
			return OPTIONS_FAILED;
	}
	return OPTIONS_RUN;
}

/* $SYSTEMTAP_DIR/rc: options separated by blanks, read before the command line's. */
static enum options_result parse_rc(struct arena *arena, char *program, struct options *o)
{
	const char *dir = getenv("SYSTEMTAP_DIR"), *home = getenv("HOME");
	VEC(char *) words = { 0 };
	struct error *err;
	char *text, *save, *path;
	size_t len;

	if (!dir && !home)
		return OPTIONS_RUN;
	path = dir ? arena_printf(arena, "%s/rc", dir)
		   : arena_printf(arena, "%s/.systemtap/rc", home);
	if (!file_exists(path))
		return OPTIONS_RUN;
	err = file_read(path, &text, &len);
	if (err) {
		fprintf(stderr, "%s\n", err->text);
		error_destroy(err);
		return OPTIONS_FAILED;
	}
	vec_push(arena, &words, program);
	for (char *w = strtok_r(arena_strdup(arena, text), " \t\n", &save); w;
	     w = strtok_r(NULL, " \t\n", &save))
		vec_push(arena, &words, w);
	free(text);
	vec_push(arena, &words, NULL);
	return parse_vector(arena, words.n - 1, words.data, o);
}

/* What goes with what in pass 5. */
static bool check_running(const struct options *o)
{
	if (o->command && o->target_pid)
		return fail("The -c and -x options are mutually exclusive.");
	if (o->flight && o->command)
		return fail("The -F and -c options are mutually exclusive.");
	if (o->flight && o->timeout && !o->output)
		return fail("The -F and -T options are mutually exclusive without -o.");
	if (o->rotation && !o->output)
		return fail("The -S option needs an output file (-o FILE).");
	if (o->remote && strcmp(o->remote, "vm") && strncmp(o->remote, "vm:", 3))
		return fail("--remote=%s is not built yet; vm and vm:RELEASE are.", o->remote);
	if (o->remote && o->flight)
		return fail("A guest ends with stap: -F has no use for --remote.");
	if (o->remote && o->rotation)
		return fail("Option -S is not built yet with --remote.");
	return true;
}

static bool check(const struct options *o)
{
	if (o->suppress_time_limits && !o->guru)
		return fail("ERROR --suppress-time-limits requires guru mode (-g)");
	if (!o->script_text && !o->script_file && !o->list && !o->extra_scripts.n &&
	    !o->clean_cache)
		return fail("A script must be specified.");
	return check_running(o);
}

enum options_result options_parse(struct arena *arena, int argc, char **argv, struct options *ret)
{
	enum options_result result;
	int first;

	memset(ret, 0, sizeof(*ret));
	ret->last_pass = 5;
	result = parse_rc(arena, argv[0], ret);
	if (result == OPTIONS_RUN)
		result = parse_vector(arena, argc, argv, ret);
	if (result == OPTIONS_RUN) {
		first = optind;
		if (!ret->script_text && !ret->list && first < argc)
			ret->script_file = argv[first++];
		for (; first < argc; first++)
			vec_push(arena, &ret->args, argv[first]);
		if (!check(ret))
			result = OPTIONS_FAILED;
	}
	if (result == OPTIONS_FAILED)
		fputs("Try '--help' for more information. [man stap]\n", stderr);
	return result;
}
