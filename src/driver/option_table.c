/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the command line, a row each, and what sets them. */
#include "driver/option_table.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "backend/backend.h"
#include "base/file.h"
#include "base/option_rows.h"
#include "driver/backends.h"
#include "driver/help.h"
#include "driver/options.h"
#include "sema/sema.h"

/* An option with what it was given. */
struct setting {
	struct arena *arena;
	struct options *o;
	const struct option_row *row;
	const char *arg; /* NULL: none */
};

/* A row of the table below; without help it is refused, lines of help have at most 70 bytes. */
struct option_row {
	struct option_name called;
	bool (*set)(const struct setting *s); /* false: misuse was reported */
	size_t member;                        /* of struct options, for the setters that say so */
	int detail;                           /* for the setters that say so */
	/* it is refused, or one of its arguments; NULL: scripts become something else */
	const char *why;
};

bool option_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return false;
}

/* A decimal number of min to max and nothing behind it. *ret is set in any case. */
static bool parse_number(const char *text, long min, long max, long *ret)
{
	char *end;

	errno = 0;
	*ret = strtol(text, &end, 10);
	return *text && !*end && !errno && *ret >= min && *ret <= max;
}

/* Of C, n bytes long. */
static bool is_identifier(const char *s, size_t n)
{
	if (n == 0 || isdigit((unsigned char)*s))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return true;
}

/* ---- setters of many ---- */

/* Where the row says that the value goes. */
static void *member(const struct setting *s)
{
	return (char *)s->o + s->row->member;
}

/* member: a bool */
static bool set_flag(const struct setting *s)
{
	*(bool *)member(s) = true;
	return true;
}

/* member: a text */
static bool set_text(const struct setting *s)
{
	*(const char **)member(s) = s->arg;
	return true;
}

/* member: a list of strings */
static bool add_text(const struct setting *s)
{
	struct option_strings *list = member(s);

	vec_push(s->arena, list, s->arg);
	return true;
}

/* Once; detail: an enum options_list */
static bool set_list(const struct setting *s)
{
	if (s->o->list)
		return option_fail(
			"Only one of -l, -L and --dump-* can be given; braces list several"
			" points: -l '{begin,end}'.");
	s->o->list = s->row->detail;
	s->o->list_point = s->arg;
	return true;
}

/* Accepted for the reference's sake: what it asks for is always so. */
static bool no_effect(const struct setting *s)
{
	return true;
}

static const char *reason(const struct setting *s)
{
	const struct backend *b = backends_find(NULL);

	return s->row->why ? s->row->why
			   : arena_printf(s->arena, "scripts become %s (--runtime=%s)", b->makes,
					  b->name);
}

/* Known options of the reference are refused by name and reason, rather than as unknown. */
static bool refuse(const struct setting *s)
{
	const char *why = reason(s);

	if (s->row->called.name)
		return option_fail("Option --%s is not built: %s.", s->row->called.name, why);
	return option_fail("Option -%c is not built: %s.", s->row->called.letter, why);
}

/* Asked not to do what is never done, it is so anyway; anything else is refused. */
static bool refuse_unless_no(const struct setting *s)
{
	return (s->arg && !strcmp(s->arg, "no")) || refuse(s);
}

static bool set_information(const struct setting *s)
{
	(s->row->called.letter == 'h' ? help_print : version_print)(stdout);
	return s->o->done = true;
}

/* ---- setters of one ---- */

static bool set_verbose(const struct setting *s)
{
	for (int i = 0; i <= 5; i++)
		s->o->verbose[i]++;
	return true;
}

/* What is compiled is of use with its source beside it. */
static bool set_debug(const struct setting *s)
{
	return s->o->debug = s->o->keep = true;
}

static bool set_buffer(const struct setting *s)
{
	long n;

	if (!parse_number(s->arg, 1, 4095, &n))
		return option_fail("Invalid buffer size (should be 1-4095).");
	s->o->buffer_mb = n;
	return true;
}

static bool set_timeout(const struct setting *s)
{
	long n;

	if (!parse_number(s->arg, 1, 0x7fffffff, &n))
		return option_fail("Invalid timeout value: it takes a number of seconds.");
	s->o->timeout = n;
	return true;
}

static bool set_pass(const struct setting *s)
{
	long n;

	if (!parse_number(s->arg, 1, 5, &n))
		return option_fail("Invalid pass number (should be 1-5).");
	s->o->last_pass = n;
	return true;
}

/* Added to what -v gave, digit by digit from pass 1 on. */
static bool set_vp(const struct setting *s)
{
	const char *arg = s->arg;
	size_t n = strlen(arg);

	if (n < 1 || n > 5 || strspn(arg, "0123456789") != n)
		return option_fail("Invalid --vp argument: it takes 1 to 5 digits.");
	for (size_t i = 0; i < n; i++)
		s->o->verbose[i + 1] += arg[i] - '0';
	return true;
}

/* -m: [a-z0-9_]+, suffix chopped, at most 55 characters */
static bool set_module_name(const struct setting *s)
{
	char *name = arena_strdup(s->arena, s->arg);
	size_t n = strlen(name), full = n;

	if (n > 3 && (!strcmp(name + n - 3, ".ko") || !strcmp(name + n - 3, ".so")))
		n -= 3;
	if (n > BACKEND_NAME_MAX)
		n = BACKEND_NAME_MAX;
	name[n] = '\0';
	if (n != full)
		fprintf(stderr, "Truncating module name to '%s'\n", name);
	if (n == 0)
		return option_fail("Module name cannot be empty.");
	if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != n)
		return option_fail(
			"Invalid module name '%s' (must only be composed of characters [a-z0-9_]).",
			name);
	s->o->module_name = name;
	return true;
}

static bool add_define(const struct setting *s)
{
	if (!is_identifier(s->arg, strcspn(s->arg, "=")))
		return option_fail(
			"Invalid -D argument '%s': NAME or NAME=VALUE, and NAME must be an "
			"identifier.",
			s->arg);
	vec_push(s->arena, &s->o->defines, s->arg);
	return true;
}

static bool add_global(const struct setting *s)
{
	size_t n = strcspn(s->arg, "=");

	if (!s->arg[n])
		return option_fail(
			"Invalid -G argument '%s': there is no '='. It takes NAME=VALUE, "
			"as -G limit=5.",
			s->arg);
	if (!n)
		return option_fail("Invalid -G argument '%s': no name stands before the '='. It "
				   "takes NAME=VALUE, as -G limit=5.",
				   s->arg);
	if (!is_identifier(s->arg, n))
		return option_fail(
			"Invalid -G argument '%s': '%.*s' is not an identifier, as names "
			"of globals are.",
			s->arg, (int)n, s->arg);
	vec_push(s->arena, &s->o->set_globals, s->arg);
	return true;
}

/* member: a list of NAME=VALUE, of which NAME is one of make's. */
static bool add_make_variable(const struct setting *s)
{
	size_t n = strcspn(s->arg, "=");

	if (!s->arg[n] || n == 0 || strcspn(s->arg, " \t:#$-") < n)
		return option_fail("Invalid -B argument '%s': it takes NAME=VALUE.", s->arg);
	return add_text(s);
}

static bool add_sysenv(const struct setting *s)
{
	if (!strchr(s->arg, '=') || *s->arg == '=')
		return option_fail("Invalid --sysenv argument '%s': it takes VAR=VALUE.", s->arg);
	return add_text(s);
}

/*
 * What the module's own items are called: the kernel reads the first of a name (get_modinfo() in
 * kernel/module), and so do staprun and module/name.c.
 */
static bool is_own_modinfo(const char *text, size_t n)
{
	static const char *const names[] = { "name",      "license", "vermagic",  "depends",
					     "retpoline", "intree",  "stap_wire", NULL };

	for (size_t i = 0; names[i]; i++)
		if (strlen(names[i]) == n && !strncmp(text, names[i], n))
			return true;
	return false;
}

static bool add_modinfo(const struct setting *s)
{
	size_t n = strcspn(s->arg, "=");

	if (!s->arg[n] || !is_identifier(s->arg, n))
		return option_fail("Invalid --modinfo argument '%s': it takes NAME=VALUE.", s->arg);
	if (is_own_modinfo(s->arg, n))
		return option_fail(
			"Invalid --modinfo argument '%s': each module has a %.*s of its own.",
			s->arg, (int)n, s->arg);
	return add_text(s);
}

/* --color without a value means always. */
static bool set_color(const struct setting *s)
{
	const char *arg = s->arg;

	if (!arg || !strcmp(arg, "always"))
		s->o->color = COLOR_ALWAYS;
	else if (!strcmp(arg, "never"))
		s->o->color = COLOR_NEVER;
	else if (!strcmp(arg, "auto"))
		s->o->color = COLOR_AUTO;
	else
		return option_fail("Invalid argument '%s' for --color: never, always or auto.",
				   arg);
	return true;
}

/* -e once; further scripts are for -E. */
static bool set_script(const struct setting *s)
{
	if (s->o->script_text)
		return option_fail("Only one script can be given on the command line.");
	s->o->script_text = s->arg;
	return true;
}

static bool set_target(const struct setting *s)
{
	return parse_number(s->arg, 1, 0x7fffffff, &s->o->target_pid) ||
	       option_fail("Invalid target process ID number.");
}

/* "direct:" is this machine, as without the option. */
static bool set_remote(const struct setting *s)
{
	bool here = !strcmp(s->arg, "direct:") || !strcmp(s->arg, "direct://");

	s->o->remote = here ? NULL : s->arg;
	s->o->guest = strncmp(s->arg, "vm:", 3) ? NULL : s->arg + 3;
	return true;
}

static bool set_namespaces(const struct setting *s)
{
	return parse_number(s->arg, 1, 0x7fffffff, &s->o->namespaces_pid) ||
	       option_fail("Invalid process ID number for namespaces.");
}

static bool set_command(const struct setting *s)
{
	s->o->command = s->arg;
	return *s->arg || option_fail("Empty CMD string invalid.");
}

/* A step that does not exist is answered with those that do. */
static bool set_dump_after(const struct setting *s)
{
	const char *name;
	size_t i;

	s->o->dump_after = s->arg;
	for (i = 0; (name = sema_step_name(i)); i++)
		if (!strcmp(name, s->arg))
			return true;
	fprintf(stderr, "Pass 2 has no step '%s'; its steps are", s->arg);
	for (i = 0; (name = sema_step_name(i)); i++)
		fprintf(stderr, " %s", name);
	return option_fail(".");
}

/* The text is kept for the reader; only its form is checked here. */
static bool set_rotation(const struct setting *s)
{
	uint64_t size;
	unsigned files;

	s->o->rotation = s->arg;
	return file_rotation_parse(s->arg, &size, &files) ||
	       option_fail("Invalid output size (should be SIZE[,N], in megabytes and files).");
}

/* --NAME=VALUE with a fixed list, of which the first N_BUILT are; reason() is of the others. */
static bool choose(const struct setting *s, const char *const *values, unsigned n_built)
{
	const char *name = s->row->called.name, *value = s->arg;

	for (unsigned i = 0; values[i]; i++) {
		if (strcmp(value, values[i]))
			continue;
		return i < n_built ||
		       option_fail("--%s=%s is not built: %s.", name, value, reason(s));
	}
	return option_fail("Invalid argument '%s' for --%s.", value, name);
}

/*
 * Parameters are found without: by location lists, and by the calling convention where those do not
 * cover the entry.
 */
static bool set_prologue_searching(const struct setting *s)
{
	static const char *const values[] = { "never", "always", "auto", NULL };

	return !s->arg || choose(s, values, 3);
}

/* Only the full privilege is built. */
static bool set_privilege(const struct setting *s)
{
	static const char *const values[] = { "stapdev", "stapsys", "stapusr", NULL };

	return choose(s, values, 1);
}

/* The name of a back end; what SystemTap has besides is known, and refused. */
static bool set_runtime(const struct setting *s)
{
	static const char *const others[] = { "dyninst", "bpf", NULL };

	s->o->runtime = s->arg;
	return backends_find(s->arg) || choose(s, others, 0);
}

/*
 * Servers are asked where DEBUGINFOD_URLS names some, for as long as libdebuginfod is told to. The
 * last of several of these options counts.
 */
static bool set_download(const struct setting *s)
{
	const char *arg = s->arg, *servers = getenv("DEBUGINFOD_URLS");
	long seconds;

	s->o->no_download = arg && !strcmp(arg, "no");
	if (s->o->no_download)
		return true;
	if (arg && parse_number(arg, 1, 0x7fffffff, &seconds))
		setenv("DEBUGINFOD_MAXTIME", arg, 1);
	else if (arg && strcmp(arg, "yes") != 0)
		return option_fail("Invalid argument '%s' for --download-debuginfo: yes, no, or a "
				   "number of seconds.",
				   arg);
	if (!servers || !*servers)
		fputs("WARNING: --download-debuginfo: DEBUGINFOD_URLS names no servers to ask\n",
		      stderr);
	return true;
}

/* A limit on stap itself and what it starts, from here on; detail: RLIMIT_*. */
static bool set_rlimit(const struct setting *s)
{
	struct rlimit limit;
	char *end;

	/* the soft one: of processor time it comes with a signal that leaves time to clean up */
	getrlimit(s->row->detail, &limit);
	errno = 0;
	limit.rlim_cur = strtoul(s->arg, &end, 10);
	if (!isdigit((unsigned char)*s->arg) || *end || errno)
		return option_fail("Invalid argument '%s' for --%s: it takes a number.", s->arg,
				   s->row->called.name);
	if (setrlimit(s->row->detail, &limit))
		return option_fail("Cannot set --%s=%s: %s", s->row->called.name, s->arg,
				   strerror(errno));
	signal(SIGXFSZ, SIG_IGN); /* a file too large is an error like a full disk */
	return true;
}

/* ---- the table ---- */

#define FLAG(name, letter, m, help)                                                                \
	{                                                                                          \
		{ name, letter, no_argument, NULL, help }, set_flag, offsetof(struct options, m)   \
	}
#define TEXT(name, letter, m, value, help) EACH(name, letter, set_text, m, value, help)
#define EACH(name, letter, add, m, value, help)                                                    \
	{                                                                                          \
		{ name, letter, required_argument, value, help }, add, offsetof(struct options, m) \
	}
#define ONE(name, letter, arg, set, value, help)                                                   \
	{                                                                                          \
		{ name, letter, arg, value, help }, set                                            \
	}
#define DETAIL(name, letter, arg, set, detail, value, help)                                        \
	{                                                                                          \
		{ name, letter, arg, value, help }, set, 0, detail                                 \
	}
#define SOME(name, letter, arg, set, why, value, help)                                             \
	{                                                                                          \
		{ name, letter, arg, value, help }, set, 0, 0, why                                 \
	}
#define REFUSED(name, letter, arg, why)                                                            \
	{                                                                                          \
		{ name, letter, arg, NULL, NULL }, refuse, 0, 0, why                               \
	}
#define HEADING(text)                                                                              \
	{                                                                                          \
		.called.help = text                                                                \
	}

#define FULL_PRIVILEGE "scripts run with full privilege (stapdev)"
#define NO_SERVERS "there are no compile servers, stap compiles by itself"

/* In the order of --help. testsuite/options reads the names and letters, and the manual page. */
static const struct option_row rows[] = {
	HEADING("Script and interpretation"),
	ONE(NULL, 'e', required_argument, set_script, "SCRIPT", "script text"),
	EACH(NULL, 'E', add_text, extra_scripts, "SCRIPT", "an additional script"),
	FLAG("example", 0, example, "FILE is an example that comes with stap, by its name"),
	FLAG(NULL, 'g', guru, "guru mode: embedded C and writing are allowed"),
	EACH(NULL, 'I', add_text, tapset_dirs, "DIR", "look in DIR for tapset scripts first"),
	EACH(NULL, 'D', add_define, defines, "NAME[=V]", "define a limit or a C macro"),
	EACH(NULL, 'G', add_global, set_globals, "NAME=V", "initial value of a global"),
	FLAG(NULL, 'u', unoptimised, "do not optimise"),
	FLAG("skip-badvars", 0, skip_badvars, "unresolved $variables are 0"),
	TEXT("compatible", 0, compatible, "V", "read the script as version V of the language"),
	FLAG("check-version", 0, check_version,
	     "warn of what depends on the version of the language"),
	FLAG("no-global-var-display", 0, no_global_display,
	     "do not print globals that are only written when the script ends"),
	FLAG("suppress-handler-errors", 0, suppress_handler_errors,
	     "a run-time error ends its handler, not the session"),
	FLAG("suppress-time-limits", 0, suppress_time_limits,
	     "no limits on statements, locks and overhead; with -g"),

	HEADING("Passes"),
	ONE(NULL, 'p', required_argument, set_pass, "N",
	    "stop after pass 1 parse, 2 elaborate, 3 translate, 4 compile, 5 run"),
	ONE(NULL, 'v', no_argument, set_verbose, NULL, "more words, repeatable"),
	ONE("vp", 0, required_argument, set_vp, "ABCDE", "the same for each pass, a digit each"),
	FLAG(NULL, 'k', keep, "keep the temporary directory"),
	TEXT("tmpdir", 0, tmpdir, "DIR", "use this one, and leave it"),
	ONE(NULL, 'm', required_argument, set_module_name, "NAME",
	    "name of the module, which is copied here"),
	TEXT(NULL, 'r', release, "RELEASE | /DIR", "kernel to compile for"),
	TEXT(NULL, 'a', arch, "ARCH", "compile only, for a kernel of that machine"),
	TEXT(NULL, 'R', runtime_dir, "DIR", "runtime sources"),
	TEXT("sysroot", 0, sysroot, "DIR", "programs are those of the system in DIR"),
	EACH("sysenv", 0, add_sysenv, sysenv, "VAR=V", "a variable of that system's environment"),
	EACH(NULL, 'B', add_make_variable, make_variables, "NAME=V",
	     "variable for the kernel's makefiles"),
	EACH("modinfo", 0, add_modinfo, modinfo, "NAME=V", "another item for modinfo(8)"),
	ONE("debug", 0, no_argument, set_debug, NULL, "debug information in the module, and -k"),
	FLAG("disable-cache", 0, no_cache, "neither read nor write the cache"),
	FLAG("poison-cache", 0, poison_cache, "only write the cache"),
	FLAG("clean-cache", 0, clean_cache, "bring the cache below its limit, nothing else"),
	ONE("dump-after", 0, required_argument, set_dump_after, "STEP",
	    "the program after a step of pass 2, on stderr"),
	FLAG("semantic-keep-going", 0, keep_going, "errors of pass 2 also in a form for programs"),
	ONE("download-debuginfo", 0, optional_argument, set_download, "WHEN",
	    "ask the servers of DEBUGINFOD_URLS: yes, no, or for so many\n"
	    "seconds at most; asked anyway where it names some"),
	DETAIL("rlimit-as", 0, required_argument, set_rlimit, RLIMIT_AS, "N",
	       "limit on memory, of stap itself: bytes"),
	DETAIL("rlimit-cpu", 0, required_argument, set_rlimit, RLIMIT_CPU, "N",
	       "on processor time: seconds"),
	DETAIL("rlimit-nproc", 0, required_argument, set_rlimit, RLIMIT_NPROC, "N",
	       "on processes of the user"),
	DETAIL("rlimit-stack", 0, required_argument, set_rlimit, RLIMIT_STACK, "N",
	       "on the stack: bytes"),
	DETAIL("rlimit-fsize", 0, required_argument, set_rlimit, RLIMIT_FSIZE, "N",
	       "on a file that is written: bytes"),

	HEADING("Running"),
	ONE(NULL, 'c', required_argument, set_command, "CMD", "run CMD, stop when it ends"),
	ONE(NULL, 'x', required_argument, set_target, "PID", "target() is PID"),
	ONE("target-namespaces", 0, required_argument, set_namespaces, "PID",
	    "ns_*() count as process PID does"),
	EACH(NULL, 'd', add_text, carried, "FILE", "follow and name user stacks in FILE too"),
	FLAG("inline-stacks", 0, inline_stacks,
	     "stacks of the kernel name inlined functions too; needs debug information"),
	ONE(NULL, 'T', required_argument, set_timeout, "SEC", "stop after SEC seconds"),
	TEXT(NULL, 'o', output, "FILE", "output to FILE"),
	ONE(NULL, 's', required_argument, set_buffer, "MB", "buffer for each processor, 1-4095"),
	FLAG(NULL, 't', timing, "timing and the ledger of each probe"),
	ONE(NULL, 'S', required_argument, set_rotation, "SIZE[,N]",
	    "go on in FILE.0, FILE.1, ... of SIZE megabytes each; keep the last N"),
	FLAG(NULL, 'b', bulk, "a file for each processor, FILE_0 ..., for stap-merge"),
	FLAG(NULL, 'F', flight,
	     "leave the script running, attach later with staprun -A; with -o go to\n"
	     "the background and print the pid"),
	ONE("remote", 0, required_argument, set_remote, "vm[:RELEASE]",
	    "run in a throwaway guest with that installed kernel;\n"
	    "direct:// is this machine"),
	FLAG(NULL, 'w', no_warnings, "no warnings"),
	FLAG(NULL, 'W', fatal_warnings, "warnings are errors"),
	ONE("color", 0, optional_argument, set_color, "WHEN",
	    "colour messages: never, always, or auto on a terminal"),
	ONE("colour", 0, optional_argument, set_color, "WHEN", "the same"),

	HEADING("Listing"),
	DETAIL(NULL, 'l', required_argument, set_list, LIST_NAMES, "PROBE",
	       "list matching probe points"),
	DETAIL(NULL, 'L', required_argument, set_list, LIST_VARIABLES, "PROBE",
	       "list them with their variables"),
	DETAIL("dump-probe-types", 0, no_argument, set_list, LIST_PROBE_TYPES, NULL,
	       "patterns of all kinds of probes"),
	DETAIL("dump-probe-aliases", 0, no_argument, set_list, LIST_PROBE_ALIASES, NULL,
	       "aliases of the library"),
	DETAIL("dump-functions", 0, no_argument, set_list, LIST_FUNCTIONS, NULL,
	       "functions of the library"),

	HEADING("Accepted, for they ask for what is so anyway"),
	/*
	 * parameters are found without: by location lists, and by the calling convention where
	 * those do not cover the entry
	 */
	ONE("prologue-searching", 'P', optional_argument, set_prologue_searching, "WHEN",
	    "parameters are found without"),
	SOME("runtime", 0, required_argument, set_runtime, NULL, "NAME",
	     "the back end that scripts are built by"),
	SOME("privilege", 0, required_argument, set_privilege, FULL_PRIVILEGE, "stapdev",
	     "scripts run with full privilege"),
	SOME("use-server-on-error", 0, optional_argument, refuse_unless_no, NO_SERVERS, "no",
	     "stap compiles by itself"),
	/* libraries of what is carried are carried too; the kernel's own symbols need no tables */
	ONE("ldd", 0, no_argument, no_effect, NULL, "-d is about needed libraries, too"),
	ONE("all-modules", 0, no_argument, no_effect, NULL, "stacks name all kernel modules"),
	ONE("save-uprobes", 0, no_argument, no_effect, NULL, "uprobes are the kernel's own"),

	HEADING("About stap"),
	ONE("help", 'h', no_argument, set_information, NULL, "this text"),
	ONE("version", 'V', no_argument, set_information, NULL, "version and features"),

	/* known to the language of the command line, refused by name */
	REFUSED(NULL, 'q', no_argument, "nothing is recorded of how much of the tapset was used"),
	REFUSED("benchmark-sdt", 0, no_argument, "it measures an implementation that this is not"),
	REFUSED("build-as", 0, required_argument,
		"compile as that user with -p4, and give the module to staprun"),
	REFUSED("client-options", 0, no_argument, NO_SERVERS),
	REFUSED("interactive", 'i', no_argument, "there is no editor of scripts"),
	REFUSED("language-server", 0, no_argument, "there is no service for editors"),
	REFUSED("list-servers", 0, optional_argument, NO_SERVERS),
	REFUSED("monitor", 0, optional_argument,
		"there is no display of a running script; -t reports its probes in the end"),
	REFUSED("remote-prefix", 0, no_argument, "a script runs in one place at a time"),
	REFUSED("sign-module", 0, no_argument,
		"scripts/sign-file of the kernel's build tree signs what -p4 makes, for staprun"),
	REFUSED("trust-servers", 0, optional_argument, NO_SERVERS),
	REFUSED("use-http-server", 0, required_argument, NO_SERVERS),
	REFUSED("use-server", 0, optional_argument, NO_SERVERS),
	REFUSED("bpf", 0, no_argument, NULL),
	REFUSED("dyninst", 0, no_argument, NULL),
	REFUSED("unprivileged", 0, no_argument, FULL_PRIVILEGE),
};
#define HELP_COLUMN 30 /* of --help, where texts begin */

static const struct option_rows table = { rows, sizeof(rows) / sizeof(rows[0]), sizeof(rows[0]) };

void options_describe(FILE *to)
{
	option_rows_print(to, &table, HELP_COLUMN);
}

bool options_read(struct arena *arena, int argc, char **argv, struct options *o)
{
	int row;

	optind = 0;
	while (!o->done && (row = option_rows_next(&table, argc, argv)) != OPTION_END) {
		struct setting s = { arena, o, NULL, optarg };

		if (row == OPTION_UNKNOWN)
			return false;
		s.row = &rows[row];
		if (!s.row->set(&s))
			return false;
	}
	return true;
}
