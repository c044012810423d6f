/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines. What kbuild would run is taken from make -n, cut into words, and turned into the
 * flags of our three kinds of commands; what each of them leaves out is listed here.
 */
#include "module/flags.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/path_search.h"
#include "base/strbuf.h"
#include "base/trust.h"
#include "module/kernel.h"

#define PROBE_UNIT "stpflags"

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool starts_any(const char *s, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (starts(s, *prefixes))
			return true;
	return false;
}

static bool is_any(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(s, *words))
			return true;
	return false;
}

/* ---- reading make's output ---- */

const char *flags_split(const char *p, struct argv *ret)
{
	struct strbuf word;
	bool inside = false;
	char quote = 0;

	strbuf_init(&word);
	for (; *p && *p != '\n'; p++) {
		if (quote ? *p == quote : (*p == '\'' || *p == '"')) {
			quote = quote ? 0 : *p;
			inside = true;
		} else if (*p == '\\' && quote != '\'' && p[1] && p[1] != '\n') {
			strbuf_addc(&word, *++p);
			inside = true;
		} else if (!quote &&
			   (*p == ' ' || *p == '\t' || *p == ';' || *p == '|' || *p == '&')) {
			if (inside)
				argv_add(ret, arena_strdup(ret->arena, strbuf_cstr(&word)));
			strbuf_reset(&word);
			inside = false;
			if (*p != ' ' && *p != '\t') {
				p++;
				break;
			}
		} else {
			strbuf_addc(&word, *p);
			inside = true;
		}
	}
	if (inside)
		argv_add(ret, arena_strdup(ret->arena, strbuf_cstr(&word)));
	strbuf_deinit(&word);
	if (*p == '\n')
		p++;
	return p;
}

/* Is WORD among the words, and one that ends in TAIL? */
static bool has_word(const struct argv *a, const char *word, const char *tail)
{
	bool found_word = false, found_tail = false;

	vec_foreach(arg, &a->args) {
		found_word |= !strcmp(*arg, word);
		found_tail |= path_has_suffix(*arg, tail);
	}
	return found_word && found_tail;
}

/* The first command that compiles our unit, and the first that runs objtool on it. */
static void find_commands(const char *output, struct argv *cc, struct argv *objtool)
{
	while (*output && !(cc->args.n && objtool->args.n)) {
		struct argv words;
		const char *first;

		argv_init(&words, cc->arena);
		output = flags_split(output, &words);
		if (words.args.n < 3)
			continue;
		first = words.args.data[0];
		if (!cc->args.n && has_word(&words, "-c", PROBE_UNIT ".c") && strcmp(first, "echo"))
			*cc = words;
		else if (!objtool->args.n && !strcmp(path_base(first), "objtool"))
			*objtool = words;
	}
}

/* ---- making our lines of kbuild's ---- */

/* Make what is relative to the build tree absolute: "./x", "include/x". */
static const char *absolute(struct arena *arena, const char *build, const char *path)
{
	if (starts(path, "./"))
		path += 2;
	return *path == '/' ? path : path_join(arena, build, path);
}

/* Flags whose argument may be a word of its own. */
static const char *const with_argument[] = { "-include", "-isystem", "-idirafter", "-I",
					     "-D",       "-U",       "--param",    "-x",
					     "-o",       "-imacros", NULL };

/*
 * Of no use in any of our units; -Werror alone would make a new compiler's warning fatal, the named
 * ones catch real trouble.
 */
static bool drop_always(const char *flag)
{
	static const char *const words[] = {
		"-c",          "-pg",   "-mfentry", "-mrecord-mcount", "-mnop-mcount", "-Werror",
		"-save-temps", "-pipe", NULL
	};
	static const char *const prefixes[] = { "-Wp,-M",
						"-M",
						"-g",
						"-DKBUILD_",
						"-D__KBUILD_",
						"-fdebug-",
						"-fno-var-tracking",
						"-femit-struct-debug",
						NULL };

	return is_any(flag, words) || starts_any(flag, prefixes) ||
	       path_has_suffix(flag, PROBE_UNIT ".c");
}

/* Needs kernel headers, instruments, or reads per-CPU data a headerless unit need not know of. */
static bool drop_for_script(const char *flag)
{
	static const char *const prefixes[] = {
		"-I",
		"-D",
		"-U",
		"-W",
		"-O",
		"-isystem",
		"-include",
		"-fmacro-prefix-map",
		"-ffile-prefix-map",
		"-fplugin",
		"-fsanitize",
		"-fno-sanitize",
		"-fstack-protector",
		"-mstack-protector",
		"-fprofile",
		"-ftest-coverage",
		"-fasan",
		"-fkmsan",
		"--param",
		"-fms-extensions",
		NULL,
	};

	return starts_any(flag, prefixes);
}

/* To the flags for kernel headers, and to the script's unless it has no use for it. */
static void add_flag(struct module_flags *f, const char *flag, const char *argument)
{
	argv_add(&f->kernel, flag);
	if (argument)
		argv_add(&f->kernel, argument);
	if (!drop_for_script(flag)) {
		argv_add(&f->script, flag);
		if (argument)
			argv_add(&f->script, argument);
	}
}

/* Does the kernel ask for functions at certain addresses, as its call thunks need (6.2 on)? */
static bool aligns_functions(const struct argv *flags)
{
	vec_foreach(flag, &flags->args)
		if (starts(*flag, "-falign-functions") || starts(*flag, "-fmin-function-alignment"))
			return true;
	return false;
}

/*
 * The two compiler command lines from kbuild's. Where the kernel does not align functions, those of
 * the runtime are not: objtool notes each gap for the unwinder, an eighth of hello's module.
 */
static void derive(const struct argv *cc, const char *build, struct module_flags *f)
{
	struct arena *arena = f->kernel.arena;
	size_t i = 0;

	/* behind any ccache the compiler is the last word before the flags */
	while (i + 1 < cc->args.n && cc->args.data[i + 1][0] != '-')
		i++;
	argv_add(&f->kernel, cc->args.data[i]);
	argv_add(&f->script, cc->args.data[i]);
	for (i++; i < cc->args.n; i++) {
		const char *flag = cc->args.data[i], *argument = NULL;
		char *relative;

		if (is_any(flag, with_argument) && i + 1 < cc->args.n)
			argument = cc->args.data[++i];
		if (!strcmp(flag, "-o") || drop_always(flag))
			continue;
		if (!strcmp(flag, "-include")) {
			argv_add(&f->includes, absolute(arena, build, argument));
			continue;
		}
		/*
		 * ISO C90 is no language for the runtime; the headers of kernels that ask for it
		 * compile as gnu11 too
		 */
		if (!strcmp(flag, "-std=gnu89"))
			flag = "-std=gnu11";
		if (!strcmp(flag, "-I") || !strcmp(flag, "-isystem"))
			argument = absolute(arena, build, argument);
		else if (starts(flag, "-I"))
			flag = arena_printf(arena, "-I%s", absolute(arena, build, flag + 2));
		else if ((relative = strstr(flag, "=./")))
			flag = arena_printf(arena, "%.*s=%s/%s", (int)(relative - flag), flag,
					    build, relative + 3);
		add_flag(f, flag, argument);
	}
	if (!aligns_functions(&f->kernel))
		argv_add(&f->kernel, "-fno-align-functions");
	argv_add(&f->kernel, "-DKBUILD_BASENAME=\"stap\"");
	argv_add(&f->kernel, "-DKBUILD_MODNAME=\"stap\"");
	argv_add(&f->kernel, "-DKBUILD_MODFILE=\"stap\"");
	argv_add(&f->kernel, "-D__KBUILD_MODNAME=kmod_stap");
	argv_add(&f->script, "-ffreestanding");
}

/* objtool's command line from kbuild's, without the file. */
static void derive_objtool(const struct argv *command, const char *build, struct module_flags *f)
{
	struct arena *arena = f->objtool.arena;

	vec_foreach(arg, &command->args) {
		const char *word = *arg;

		if (arg == command->args.data) {
			const char *real;

			word = absolute(arena, build, word);
			/*
			 * Debian's chooses the real one by an environment variable that only kbuild
			 * sets
			 */
			real = arena_printf(arena, "%s.real-x86", word);
			argv_add(&f->objtool, file_exists(real) ? real : word);
		} else if (strcmp(word, "--link") && strcmp(word, "--ibt") &&
			   !path_has_suffix(word, PROBE_UNIT ".o")) {
			/* --link is for objects made of several */
			argv_add(&f->objtool, word);
		}
	}
}

struct error *flags_parse(const char *output, const char *build, struct arena *arena,
			  struct module_flags *ret)
{
	struct argv cc, objtool;

	argv_init(&cc, arena);
	argv_init(&objtool, arena);
	argv_init(&ret->kernel, arena);
	argv_init(&ret->script, arena);
	argv_init(&ret->objtool, arena);
	argv_init(&ret->includes, arena);
	find_commands(output, &cc, &objtool);
	if (!cc.args.n)
		return error_create(
			"the kernel's build system did not say how it compiles a module");
	derive(&cc, build, ret);
	if (objtool.args.n)
		derive_objtool(&objtool, build, ret);
	return NULL;
}

/* ---- what decides about a module ---- */

/* Where PATH has a program, in the arena; NULL when it has not. */
static const char *in_path(struct arena *arena, const char *program)
{
	char file[PATH_MAX];

	return path_search(program, file) ? arena_strdup(arena, file) : NULL;
}

/* WHY path is not to be trusted, heap, or NULL. */
static struct error *refuse_program(const char *what, const char *path, char *why)
{
	struct error *err = NULL;

	if (why)
		err = error_hint(
			error_create("the %s %s is not to be trusted: %s", what, path, why),
			"use one that only you or root can change: see PATH");
	free(why);
	return err;
}

/* What is not there is nobody's: that it is missing is found when it is run. */
struct error *flags_check_program(struct arena *arena, const char *what, const char *program)
{
	const char *path = strchr(program, '/') ? program : in_path(arena, program);

	return refuse_program(what, path, path ? path_distrust(path) : NULL);
}

struct error *flags_check_objtool(const char *const *words)
{
	struct error *err = NULL;

	for (; *words && !err; words++)
		if (**words == '/')
			err = refuse_program("objtool", *words, path_distrust_but_owner(*words));
	return err;
}

struct error *flags_check_build(const struct module_kernel *kernel)
{
	char *why = path_distrust_but_owner(kernel->build);
	struct error *err = NULL;

	if (why)
		err = error_hint(
			error_create("the kernel's build tree %s is not to be trusted: %s",
				     kernel->build, why),
			"its makefiles and tools are run: use one that only its owner or root can change");
	free(why);
	return err;
}

/* ---- asking ---- */

/*
 * kbuild's try-run (scripts/Kbuild.include, Makefile.compiler), by which it asks some thirty times
 * whether the compiler takes an option, with fewer processes: no directory is made and removed for
 * each, and what need not be assembled is not. A command line's variable wins over a makefile's.
 */
static const char try_run[] =
	"try-run=$(shell TMP=%s/try; TMPO=%s/try.o; "
	"if ($(if $(findstring -Wa$(comma),$(1)),$(1),$(subst -c -x c ,-S -x c ,$(1)))) >/dev/null 2>&1; "
	"then echo \"$(2)\"; else echo \"$(3)\"; fi)";

/* *output is heap text, the caller's; nothing on failure. */
static struct error *run_make(struct module_kernel *kernel, const char *cc, const char *dir,
			      char **output)
{
	struct arena *arena = kernel->arena;
	struct argv argv;
	char *digest;
	int status;
	struct error *err;

	argv_init(&argv, arena);
	argv_add_all(&argv, (const char *const[]){ "make", "-n", "-C", kernel->build, "V=1",
						   PROBE_UNIT ".o", NULL });
	argv_addf(&argv, "M=%s", dir);
	argv_addf(&argv, "CC=%s", cc);
	argv_addf(&argv, try_run, dir, dir);
	for (size_t i = 0; i < kernel->n_make_variables; i++)
		argv_add(&argv, kernel->make_variables[i]);
	err = tool_run(argv_done(&argv), NULL, output, &status);
	if (err)
		return err->errnum == ENOENT
			       ? error_hint(err, "install the package make: kernel flags are asked "
						 "of the kernel's own "
						 "makefiles")
			       : err;
	if (!status)
		return NULL;
	digest = tool_digest(*output);
	err = error_hint(error_create("make in %s failed: %s", kernel->build, digest),
			 "the kernel's build tree looks incomplete; install linux-headers-%s again",
			 kernel->release);
	free(digest);
	free(*output);
	return err;
}

/* Neither blanks nor what means something to make or a shell. */
static bool is_plain(const char *path)
{
	return !path[strspn(path, "/._+-0123456789abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

/*
 * make splits M= at blanks, whatever the quotes, so its directory is a fresh one with a plain name.
 */
static struct error *make_scratch(struct arena *arena, const char **ret)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;
	struct error *err = dir_create_temp_in(arena, tmp && *tmp && is_plain(tmp) ? tmp : "/tmp",
					       "stap-make", &dir);

	if (!err)
		*ret = dir;
	return err;
}

struct error *flags_ask(struct module_kernel *kernel, const char *cc, struct arena *arena,
			struct module_flags *ret)
{
	static const char makefile[] = "obj-m := " PROBE_UNIT ".o\n";
	static const char unit[] = "int " PROBE_UNIT ";\n";
	const char *dir;
	char *output;
	struct error *err;

	err = flags_check_build(kernel);
	if (!err)
		err = flags_check_program(arena, "program", "make");
	if (!err)
		err = make_scratch(arena, &dir);
	if (err)
		return err;
	err = file_write_atomic(path_join(arena, dir, "Makefile"), makefile, strlen(makefile),
				0644);
	if (!err)
		err = file_write_atomic(path_join(arena, dir, PROBE_UNIT ".c"), unit, strlen(unit),
					0644);
	if (!err)
		err = run_make(kernel, cc, dir, &output);
	error_destroy(dir_remove_all(dir));
	if (err)
		return err;
	err = flags_parse(output, kernel->build, arena, ret);
	free(output);
	if (err)
		err = error_context(err, "%s", kernel->build);
	return err;
}

struct error *flags_find_compiler(struct module_kernel *kernel, struct arena *arena,
				  const char **ret)
{
	const char *text = module_kernel_config(kernel, "CC_VERSION_TEXT");
	const char *wanted = text ? arena_strndup(arena, text, strcspn(text, " ")) : "gcc";
	const char *plain = strstr(wanted, "gcc"); /* behind a target triplet */

	if (*wanted && in_path(arena, wanted))
		*ret = wanted;
	else if (plain && in_path(arena, plain))
		*ret = plain;
	else if (in_path(arena, "gcc"))
		*ret = "gcc";
	else if (in_path(arena, "cc"))
		*ret = "cc";
	else
		return error_hint(error_create("no C compiler found; kernel %s was built with %s",
					       kernel->release, wanted),
				  "install the package %s (or gcc), and binutils",
				  plain ? plain : "gcc");
	return flags_check_program(arena, "compiler", *ret);
}

struct error *module_header_command(struct module_kernel *kernel, struct arena *arena,
				    const char *const **ret)
{
	struct module_flags flags;
	struct argv notes, command;
	struct error *err;
	const char *cc;

	argv_init(&notes, arena);
	argv_init(&command, arena);
	err = flags_find_compiler(kernel, arena, &cc);
	if (!err)
		err = flags_ask(kernel, cc, arena, &flags);
	if (!err)
		err = flags_fit(kernel, &flags, &notes);
	if (err)
		return err;
	argv_add_all(&command, argv_done(&flags.kernel));
	vec_foreach(header, &flags.includes.args) {
		if (!*header)
			continue;
		argv_add(&command, "-include");
		argv_add(&command, *header);
	}
	*ret = argv_done(&command);
	return NULL;
}
