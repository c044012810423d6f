/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Making base.o: flags are asked of kbuild, features are tested, the core of the runtime is
 * compiled and linked, and all of it is sealed. Most of a unit's cost is parsing the kernel's
 * headers, so the core's files are compiled as one unit, core.c: 2.3 s, where each for itself takes
 * 4.1 s beside 2.5 s for a precompiled header. The members need that header: with it one costs
 * 60-200 ms instead of 400-900. It is made when the first one is compiled.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/seal.h"
#include "base/strbuf.h"
#include "module/base.h"
#include "module/check.h"
#include "module/features.h"
#include "module/flags.h"
#include "module/versions.h"

/* One base in the making; everything is in its own arena, which ends with base_build(). */
struct build {
	struct arena *arena;
	struct module_kernel *kernel;
	const char *runtime_dir, *dir, *cc;
	const struct module_progress *progress;
	unsigned done, total;
	struct module_flags flags;
	struct argv compile; /* a unit that includes what it uses, without file and -o */
	struct argv notes;
	struct features features;
	struct units units;
	const char *as, *ld;
};

/* A path in the directory that is being filled. */
static const char *at(struct build *b, const char *name)
{
	return path_join(b->arena, b->dir, name);
}

/* Progress, before each step that takes time. total is set before the first. */
static void step(struct build *b, const char *what)
{
	if (b->progress && b->progress->step)
		b->progress->step(b->progress->arg, what, b->done, b->total);
	b->done++;
}

/* ---- what there is to do ---- */

/*
 * core.c: the core's files, one after the other, and meta.c. So no two of them may define the same
 * static name or macro.
 */
static struct error *write_core(struct build *b)
{
	struct strbuf text;
	struct error *err;

	strbuf_init(&text);
	strbuf_adds(&text, "/* the core of the runtime as one unit */\n");
	vec_foreach(unit, &b->units.list)
		if (!unit->what)
			strbuf_addf(&text, "#include \"%s\"\n", unit->source);
	strbuf_adds(&text, "#include \"meta.c\"\n");
	err = file_write_atomic(at(b, "core.c"), text.s, text.len, 0644);
	strbuf_deinit(&text);
	return err;
}

/* The core's files, and the index of what members define. */
static struct error *read_list(struct build *b)
{
	struct error *err = units_read(b->runtime_dir, b->arena, &b->units);
	struct strbuf index;

	if (!err)
		err = write_core(b);
	if (err)
		return err;
	strbuf_init(&index);
	err = units_index(&b->units, b->runtime_dir, &index);
	if (!err)
		err = file_write_atomic(at(b, "index"), index.s, index.len, 0644);
	if (!err)
		err = dir_create_all(at(b, "members"));
	strbuf_deinit(&index);
	return err;
}

/* ---- tools ---- */

/* Where the compiler has one of its programs, in the arena; NULL when it cannot be asked. */
static const char *ask_program(struct build *b, const char *program)
{
	const char *argv[] = { b->cc, arena_printf(b->arena, "-print-prog-name=%s", program),
			       NULL };
	const char *ret = NULL;
	char *text;
	int status;

	if (tool_run(argv, NULL, &text, &status))
		return NULL;
	if (!status)
		ret = arena_strndup(b->arena, text, strcspn(text, "\n"));
	free(text);
	return ret;
}

static struct error *find_tools(struct build *b)
{
	const char *cc1 = ask_program(b, "cc1"), *text;
	struct error *err;

	b->as = ask_program(b, "as");
	b->ld = ask_program(b, "ld");
	if (!b->as)
		b->as = "as";
	if (!b->ld)
		b->ld = "ld";
	/* clang answers with the bare name: it has no such program */
	if (!cc1 || cc1[0] != '/')
		cc1 = NULL;
	err = base_check_tools(b->arena, cc1, b->as, b->ld);
	if (err)
		return err;
	text = arena_printf(b->arena, "%s\n%s\n%s\n", cc1 ? cc1 : "-", b->as, b->ld);
	return file_write_atomic(at(b, "tools"), text, strlen(text), 0644);
}

static struct error *write_lines(struct build *b, const char *name, const struct argv *lines)
{
	struct strbuf text;
	struct error *err;

	strbuf_init(&text);
	vec_foreach(line, &lines->args)
		strbuf_addf(&text, "%s\n", *line);
	err = file_write_atomic(at(b, name), strbuf_cstr(&text), text.len, 0644);
	strbuf_deinit(&text);
	return err;
}

/* ---- objtool ---- */

/* An object as kbuild's objtool meets it: can this program work here? */
static struct error *try_objtool(struct build *b, const struct argv *objtool, bool *works,
				 char **text)
{
	const char *object = at(b, "try.o");
	struct argv argv;
	struct error *err = flags_check_objtool(argv_done((struct argv *)objtool));
	int status;

	if (err)
		return err;
	argv_init(&argv, b->arena);
	argv_add_all(&argv, argv_done(&b->flags.script));
	argv_add(&argv, "-O1");
	argv_add_compile(&argv, at(b, "try.c"), object);
	err = file_write_atomic(at(b, "try.c"), "int f(int (*g)(void)) { return g() + 1; }\n", 42,
				0644);
	if (!err)
		err = tool_must(argv_done(&argv), NULL);
	if (err)
		return err;
	argv_init(&argv, b->arena);
	argv_add_all(&argv, argv_done((struct argv *)objtool));
	argv_add(&argv, object);
	err = tool_run(argv_done(&argv), NULL, text, &status);
	if (err) {
		*text = strdup(err->text);
		error_destroy(err);
		status = -1;
	}
	*works = !status;
	unlink(object);
	unlink(at(b, "try.c"));
	return NULL;
}

/* The same program under the C library that an unpacked tree brings along. */
static bool with_own_library(struct build *b, const struct argv *objtool, struct argv *ret)
{
	static const char *const tops[] = { "", "/toolchain", NULL };
	const struct module_arch *arch = b->kernel->arch;

	for (unsigned i = 0; *b->kernel->root && tops[i]; i++) {
		const char *top = arena_printf(b->arena, "%s%s", b->kernel->root, tops[i]);
		const char *loader = path_join(b->arena, top, arch->loader);

		/* or an absolute link, which means nothing outside a chroot */
		if (!file_exists(loader))
			loader = arena_printf(b->arena, "%s/usr/lib/%s%s", top, arch->triplet,
					      strrchr(arch->loader, '/'));
		if (!file_exists(loader))
			continue;
		argv_init(ret, b->arena);
		argv_add(ret, loader);
		argv_add(ret, "--library-path");
		argv_addf(ret, "%s/usr/lib/%s:%s/lib/%s", top, arch->triplet, top, arch->triplet);
		argv_add_all(ret, argv_done((struct argv *)objtool));
		return true;
	}
	return false;
}

/* Changes the flag where it stands, if it does. */
static void set_function_return_keep(struct argv *a)
{
	for (size_t i = 0; i < a->args.n; i++)
		if (!strncmp(a->args.data[i], "-mfunction-return=", 18))
			a->args.data[i] = "-mfunction-return=keep";
}

/*
 * Without objtool a module has no list of its returns: kernels since 6.9 warn at the first one that
 * goes through the thunk unpatched. So it gets plain returns then. Its frames also lack ORC data,
 * so the kernel's own backtraces through handlers are marked unreliable. Both are noted; scripts
 * work.
 */
static struct error *choose_objtool(struct build *b)
{
	struct argv own;
	bool works = false;
	char *text, *digest;
	struct error *err;

	if (!b->flags.objtool.args.n)
		return NULL;
	err = try_objtool(b, &b->flags.objtool, &works, &text);
	if (err)
		return err;
	if (!works && with_own_library(b, &b->flags.objtool, &own)) {
		char *unused;

		err = try_objtool(b, &own, &works, &unused);
		free(unused);
		if (!err && works)
			b->flags.objtool = own;
	}
	if (!err && !works) {
		digest = tool_digest(text);
		argv_addf(&b->notes,
			  "kernel %s's objtool cannot run here, so modules have plain returns (no "
			  "Retbleed mitigation in "
			  "the script's own code) and no ORC data: %.*s",
			  b->kernel->release, (int)strcspn(digest, "\n"), digest);
		free(digest);
		set_function_return_keep(&b->flags.kernel);
		set_function_return_keep(&b->flags.script);
		b->flags.objtool.args.n = 0;
	}
	free(text);
	return err;
}

/* ---- kernel headers ---- */

/*
 * A precompiled header can only be the first thing a unit sees, so kbuild's -include list moves
 * into it. CONFIG_CC_HAS_* speak of the compiler that built the kernel; the headers then use what
 * an older one cannot parse.
 */
static const struct {
	const char *config, *test;
} newer_syntax[] = {
	{ "CONFIG_CC_HAS_TYPEOF_UNQUAL", "typeof_unqual(const int) x;" },
	{ "CONFIG_CC_HAS_COUNTED_BY",
	  "struct s { int n; int a[] __attribute__((counted_by(n))); };" },
	{ "CONFIG_CC_HAS_MULTIDIMENSIONAL_NONSTRING",
	  "char x[][2] __attribute__((nonstring)) = { \"ab\" };" },
	{ "CONFIG_CC_HAS_COUNTED_BY_PTR",
	  "struct s { int n; int *a __attribute__((counted_by(n))); };" },
	{ "CONFIG_CC_HAS_ASSUME", "void f(int n) { __attribute__((assume(n))); }" },
};

static struct error *drop_newer_syntax(struct build *b, struct strbuf *header)
{
	for (size_t i = 0; i < sizeof(newer_syntax) / sizeof(newer_syntax[0]); i++) {
		const char *argv[] = { b->cc, "-std=gnu11",    "-Werror",      "-x",
				       "c",   "-fsyntax-only", at(b, "try.c"), NULL };
		struct error *err;
		char *text;
		int status;

		if (!module_kernel_config(b->kernel, newer_syntax[i].config))
			continue;
		err = file_write_atomic(at(b, "try.c"), newer_syntax[i].test,
					strlen(newer_syntax[i].test), 0644);
		if (!err)
			err = tool_run(argv, NULL, &text, &status);
		if (err)
			return err;
		free(text);
		unlink(at(b, "try.c"));
		if (status)
			strbuf_addf(header, "#undef %s\n", newer_syntax[i].config);
	}
	return NULL;
}

/*
 * kernel.h: kbuild's -include list, corrected for our compiler behind kconfig.h, then the
 * runtime's own list of kernel headers. STP_BARE leaves the latter out.
 */
static struct error *write_kernel_header(struct build *b)
{
	struct strbuf h;
	struct error *err = NULL;

	strbuf_init(&h);
	strbuf_adds(
		&h,
		"/* first of every unit with kernel headers; precompiled beside this file */\n");
	vec_foreach(include, &b->flags.includes.args) {
		strbuf_addf(&h, "#include \"%s\"\n", *include);
		if (!err && !strcmp(path_base(*include), "kconfig.h"))
			err = drop_newer_syntax(b, &h);
	}
	strbuf_adds(&h, "#ifndef STP_BARE\n#include \"kernel_headers.h\"\n#endif\n");
	if (!err)
		err = file_write_atomic(at(b, "kernel.h"), h.s, h.len, 0644);
	strbuf_deinit(&h);
	return err;
}

/* DIR/kernel.h.gch of DIR/kernel.h, with its seal. */
static struct error *precompile_header(struct arena *arena, const char *const *kernel_flags,
				       const char *runtime_dir, const char *dir)
{
	const char *gch = path_join(arena, dir, "kernel.h.gch");
	const char *temp = arena_printf(arena, "%s.%d", gch, (int)getpid());
	struct argv argv;
	struct error *err;

	argv_init(&argv, arena);
	argv_add_all(&argv, kernel_flags);
	argv_addf(&argv, "-I%s", runtime_dir);
	argv_add_all(&argv,
		     (const char *const[]){ "-x", "c-header", path_join(arena, dir, "kernel.h"),
					    "-o", temp, NULL });
	cleanup_hold();
	cleanup_add_path(temp);
	cleanup_release();
	err = tool_must(argv_done(&argv), NULL);
	if (!err)
		err = seal_write_one(gch, temp);
	if (!err && rename(temp, gch))
		err = error_create_errno(errno, "cannot create %s", gch);
	if (err)
		unlink(temp);
	cleanup_drop_path(temp);
	return err;
}

struct error *base_check_headers(const struct module_base *base)
{
	if (seal_holds(path_join(base->arena, base->dir, "kernel.h.gch")))
		return NULL;
	return precompile_header(base->arena, base->kernel_flags, base->runtime_dir, base->dir);
}

/* From here on b->compile compiles what includes all it uses. */
static struct error *prepare_headers(struct build *b)
{
	struct error *err = write_kernel_header(b);

	if (err)
		return err;
	argv_init(&b->compile, b->arena);
	units_command(&b->compile, argv_done(&b->flags.kernel), b->runtime_dir, b->dir);
	argv_add(&b->compile, "-DSTP_BARE");
	argv_done(&b->compile);
	return NULL;
}

static struct error *test_features(struct build *b)
{
	struct error *err;

	step(b, "asking what this kernel has");
	err = features_test(&b->features, b->kernel, b->compile.args.data);
	if (!err)
		err = features_write(&b->features, at(b, "stp_features.h"));
	return err;
}

/* ---- the core ---- */

/* By where the first message is: in the runtime, or in the kernel's headers. */
static struct error *core_fail(struct build *b, const char *text)
{
	const char *builder = module_kernel_config(b->kernel, "CC_VERSION_TEXT");
	char *digest = tool_digest(text);
	struct error *err;

	if (!strncmp(digest, b->runtime_dir, strlen(b->runtime_dir)))
		err = error_hint(
			error_create("the runtime does not compile for kernel %s: %s",
				     b->kernel->release, digest),
			"this kernel differs from those known in a way that is not handled "
			"yet; please report it with this message");
	else
		err = error_hint(error_create("kernel %s's headers do not compile: %s",
					      b->kernel->release, digest),
				 "the kernel was built with %s; install that compiler's package if "
				 "this machine's is older",
				 builder ? builder : "another compiler");
	free(digest);
	return err;
}

/* What the compiler says of it, warnings included, stays in build.log. */
static struct error *compile_core(struct build *b)
{
	struct argv argv;
	struct error *err;
	char *text;
	int status;

	step(b, "compiling the runtime");
	argv_init(&argv, b->arena);
	argv_add_all(&argv, b->compile.args.data);
	argv_add_compile(&argv, at(b, "core.c"), at(b, "runtime.o"));
	err = tool_run(argv_done(&argv), NULL, &text, &status);
	if (err)
		return err;
	err = status ? core_fail(b, text)
		     : file_write_atomic(at(b, "build.log"), text, strlen(text), 0644);
	free(text);
	return err;
}

/* ---- linking ---- */

/* The linker's command line up to the inputs. */
static void add_link(struct build *b, struct argv *argv, const char *out)
{
	argv_init(argv, b->arena);
	argv_add(argv, b->ld);
	argv_add_all(argv, (const char *const[]){ "-r", "-m", b->kernel->arch->ld_emulation, "-z",
						  "noexecstack", "-o", out, NULL });
}

static struct error *run_objtool(struct build *b)
{
	struct argv argv;

	if (!b->flags.objtool.args.n)
		return NULL;
	argv_init(&argv, b->arena);
	argv_add_all(&argv, argv_done(&b->flags.objtool));
	argv_add(&argv, at(b, "runtime.o"));
	return tool_must(argv_done(&argv), NULL);
}

/* Names and entries for what base.o uses and for what compilers call by themselves. */
static struct error *collect_versions(struct build *b, struct versions *v)
{
	struct object object;
	struct strbuf extra;
	struct error *err = object_open(at(b, "runtime.o"), &object);

	if (err)
		return err;
	err = versions_add(v, b->kernel, "", "module_layout");
	for (const char *const *name = b->kernel->arch->compiler_symbols; !err && *name; name++)
		err = versions_add(v, b->kernel, "", *name);
	if (!err)
		err = versions_add_object(v, b->kernel, "", &object);
	/* the script itself is the one thing missing here */
	strbuf_adds(&v->names, "\nstp_script\n");
	strbuf_init(&extra);
	if (!err)
		err = check_symbols(b->kernel, NULL, (const struct object *const[]){ &object }, 1,
				    strbuf_cstr(&v->names), &extra, NULL);
	strbuf_deinit(&extra);
	object_close(&object);
	if (err)
		err = error_context(err, "the runtime does not fit kernel %s", b->kernel->release);
	return err;
}

/* base.o: runtime.o and, with MODVERSIONS, its version table. */
static struct error *link_base(struct build *b)
{
	const char *table = at(b, "versions.o");
	struct versions v;
	struct argv argv;
	struct error *err;

	step(b, "linking the runtime");
	versions_init(&v);
	err = run_objtool(b);
	if (!err)
		err = collect_versions(b, &v);
	if (!err)
		err = file_write_atomic(at(b, "provided"), strbuf_cstr(&v.names), v.names.len,
					0644);
	add_link(b, &argv, at(b, "base.o"));
	argv_add(&argv, at(b, "runtime.o"));
	if (!err && module_kernel_config(b->kernel, "MODVERSIONS")) {
		err = versions_assemble(b->kernel, b->as, strbuf_cstr(&v.entries), table);
		argv_add(&argv, table);
	}
	if (!err)
		err = tool_must(argv_done(&argv), NULL);
	versions_deinit(&v);
	return err;
}

/* The linker script of modules, which kernels generate below arch/ or in scripts/. */
static struct error *copy_linker_script(struct build *b)
{
	static const char *const paths[] = { "scripts/module.lds", NULL };
	const char *path =
		path_join(b->arena, b->kernel->build,
			  arena_printf(b->arena, "arch/%s/module.lds", b->kernel->arch->srcarch));

	for (unsigned i = 0; paths[i] && !file_exists(path); i++)
		path = path_join(b->arena, b->kernel->build, paths[i]);
	if (!file_exists(path))
		return error_hint(
			error_create("%s has no linker script for modules (scripts/module.lds)",
				     b->kernel->build),
			"run make modules_prepare there, or install linux-headers-%s again",
			b->kernel->release);
	return file_copy(path, at(b, "module.lds"));
}

static void remove_intermediates(struct build *b)
{
	unlink(at(b, "core.c"));
	unlink(at(b, "runtime.o"));
	unlink(at(b, "versions.o"));
}

/* Tools and flags, as they are written for later processes. */
static struct error *choose_flags(struct build *b)
{
	struct error *err;

	step(b, "asking the kernel's makefiles for flags");
	err = find_tools(b);
	if (!err)
		err = flags_ask(b->kernel, b->cc, b->arena, &b->flags);
	if (!err)
		err = flags_fit(b->kernel, &b->flags, &b->notes);
	if (!err)
		err = choose_objtool(b);
	if (!err)
		err = write_lines(b, "kernel.flags", &b->flags.kernel);
	if (!err)
		err = write_lines(b, "script.flags", &b->flags.script);
	if (!err)
		err = write_lines(b, "objtool.flags", &b->flags.objtool);
	if (!err)
		err = write_lines(b, "notes", &b->notes);
	return err;
}

/*
 * All that a module needs. The precompiled header has a seal of its own, which is looked at only
 * by those who compile with it.
 */
static struct error *seal_base(struct build *b)
{
	static const char *const names[] = { "kernel.flags", "script.flags", "objtool.flags",
					     "tools",        "notes",        "kernel.h",
					     "index",        "provided",     "stp_features.h",
					     "module.lds",   "base.o",       NULL };

	return seal_write(at(b, "seal"), b->dir, names);
}

struct error *base_build(struct module_kernel *kernel, const char *runtime_dir, const char *cc,
			 const char *dir, const struct module_progress *progress)
{
	struct build b = { .arena = arena_create(),
			   .kernel = kernel,
			   .runtime_dir = runtime_dir,
			   .dir = dir,
			   .cc = cc,
			   .progress = progress };
	struct error *err;

	argv_init(&b.notes, b.arena);
	err = read_list(&b);
	if (!err)
		err = features_read(path_join(b.arena, runtime_dir, "features"), b.arena,
				    &b.features);
	b.total = 4;
	if (!err)
		err = choose_flags(&b);
	if (!err)
		err = copy_linker_script(&b);
	if (!err)
		err = prepare_headers(&b);
	if (!err)
		err = test_features(&b);
	if (!err)
		err = compile_core(&b);
	if (!err)
		err = link_base(&b);
	if (!err)
		err = seal_base(&b);
	if (!err)
		err = file_write_atomic(at(&b, "stamp"), "", 0, 0644);
	remove_intermediates(&b);
	arena_destroy(b.arena);
	return err;
}
