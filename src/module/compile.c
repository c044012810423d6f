/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One module. Of its 30 ms the compiler proper takes 20, so nothing is done twice: cc1 and as run
 * on a pipe without the driver, the text goes in through an anonymous file, base.o is linked as it
 * is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/subprocess.h"
#include "module/archive.h"
#include "module/base.h"
#include "module/check.h"
#include "module/member.h"
#include "module/name.h"
#include "module/versions.h"
#include "runtime/uapi/script.h"
#include "runtime/uapi/wire.h"

/*
 * -O1 costs 7 ms per 10 kB of C, -O2 twice that for no handler anyone measured as faster. -O0 would
 * halve it, but its stack frames grow with every temporary, and handlers run on whatever kernel
 * stack is there. So long scripts get -O1 without the passes that find little in code made of
 * calls: a quarter less.
 */
#define OPT_FULL_SIZE (64 * 1024)
static const char *const light_passes[] = { "-fno-tree-dominator-opts",
					    "-fno-tree-sra",
					    "-fno-tree-pta",
					    "-fno-ipa-pure-const",
					    "-fno-if-conversion",
					    "-fno-if-conversion2",
					    NULL };
/*
 * Bytes of stack a function is expected to take at most: the test before a handler counts so much
 * for each. What some take beyond is counted, too, up to a limit: others are on a 16 kB stack
 * already.
 */
#define FRAME_EXPECTED STP_FRAME_STACK
#define FRAME_EXCESS_MAX 4096

/*
 * One module in the making; everything is in its own arena. dir is temporary unless the caller
 * wants to keep what is in it.
 */
struct compile {
	struct arena *arena;
	struct module_base *base;
	const struct module_request *request;
	const char *dir;
	const char *script_o, *guru_c, *guru_o, *extra_o;
	pid_t guru_pid;
	int guru_err;
	bool extra;             /* extra_o exists */
	unsigned excess;        /* bytes that functions take beyond FRAME_EXPECTED, in all */
	struct members members; /* whose paths are linked */
};

/* Since *since, which is set to now. */
static unsigned microseconds(struct timespec *since)
{
	struct timespec now;
	long us;

	clock_gettime(CLOCK_MONOTONIC, &now);
	us = (now.tv_sec - since->tv_sec) * 1000000 + (now.tv_nsec - since->tv_nsec) / 1000;
	*since = now;
	return (unsigned)us;
}

/* WHAT with the first lines of the tool's output; a full disk gets its own hint. */
static struct error *tool_error(const char *what, const char *hint, char *text)
{
	char *digest = tool_digest(text);
	struct error *err = error_create("%s: %s", what, digest);

	if (strstr(text, "No space left on device"))
		err = error_hint(err, "the disk is full: free some space, or set TMPDIR");
	else if (hint)
		err = error_hint(err, "%s", hint);
	free(digest);
	return err;
}

/* ---- script.c ---- */

/* What cc1 and the driver both get beside the kernel's flags. */
static void add_common(struct compile *c, struct argv *argv)
{
	int level = c->request->opt_level;

	if (level == MODULE_OPT_AUTO) {
		level = 1;
		if (strlen(c->request->script) > OPT_FULL_SIZE)
			argv_add_all(argv, light_passes);
	}
	argv_addf(argv, "-O%d", level);
	if (c->request->debug)
		argv_add(argv, "-g");
	argv_addf(argv, "-Wframe-larger-than=%d", FRAME_EXPECTED);
	if (c->excess)
		argv_addf(argv, "-DSTP_FRAME_EXCESS=%u", c->excess);
	argv_addf(argv, "-I%s/uapi", c->base->runtime_dir);
	argv_addf(argv, "-I%s", c->base->runtime_dir);
	for (const char *const *define = c->request->defines; define && *define; define++)
		argv_addf(argv, "-D%s", *define);
}

/* The assembler's command line; source "-" is standard input. */
static const char *const *assembler(struct compile *c, const char *out, const char *source)
{
	struct argv argv;

	argv_init(&argv, c->arena);
	argv_add(&argv, c->base->as);
	argv_add_all(&argv, c->base->kernel->arch->as_flags);
	argv_add_all(&argv, (const char *const[]){ "-o", out, source, NULL });
	return argv_done(&argv);
}

/* cc1 | as; messages of both go to err_fd. */
static struct error *run_cc1(struct compile *c, int in, int err_fd, int *status)
{
	struct argv argv;
	struct error *err, *err2 = NULL;
	int pipe_fds[2], cc1_status = 0, as_status = 0;
	pid_t cc1, as = 0;

	argv_init(&argv, c->arena);
	argv_add(&argv, c->base->cc1);
	argv_add_all(&argv, c->base->script_flags + 1);
	add_common(c, &argv);
	argv_add_all(&argv, (const char *const[]){ "-quiet", "-o", "-", "-", NULL });
	if (pipe2(pipe_fds, O_CLOEXEC))
		return error_create_errno(errno, "cannot create a pipe");
	fcntl(pipe_fds[0], F_SETPIPE_SZ, 1 << 20);
	err = tool_start(argv_done(&argv), NULL, in, pipe_fds[1], err_fd, &cc1);
	close(pipe_fds[1]);
	if (!err) {
		err = tool_start(assembler(c, c->script_o, "-"), NULL, pipe_fds[0], SUBPROCESS_NULL,
				 err_fd, &as);
		/* before waiting: without an assembler cc1 must see a broken pipe */
		close(pipe_fds[0]);
		err2 = tool_wait(cc1, &cc1_status);
		if (!err && !err2)
			err2 = tool_wait(as, &as_status);
	} else {
		close(pipe_fds[0]);
	}
	*status = cc1_status ? cc1_status : as_status;
	if (err)
		error_destroy(err2);
	return err ? err : err2;
}

/* Without a cc1 (another compiler than gcc) the driver does it. */
static struct error *run_driver(struct compile *c, int in, int err_fd, int *status)
{
	struct argv argv;
	struct error *err;
	pid_t pid;

	argv_init(&argv, c->arena);
	argv_add_all(&argv, c->base->script_flags);
	add_common(c, &argv);
	argv_add_all(&argv, (const char *const[]){ "-x", "c", NULL });
	argv_add_compile(&argv, "-", c->script_o);
	err = tool_start(argv_done(&argv), NULL, in, SUBPROCESS_NULL, err_fd, &pid);
	return err ? err : tool_wait(pid, status);
}

/* Functions of which one of each kind at most is on the stack, by what their names begin with. */
struct single {
	const char *name;
	size_t kind;
};

#define N_KINDS 2

static const struct single single_script[] = { { STP_HANDLER_NAME, 0 },
					       { STP_OBJECT_TEXT_NAME, 1 },
					       { NULL, 0 } };
static const struct single single_guru[] = { { STP_EMBEDDED_NAME, 0 },
					     { STP_EXPRESSION_NAME, 0 },
					     { STP_EMBEDDED_TEXT_NAME, 1 },
					     { NULL, 0 } };

/* The kind of the last function that MESSAGES name before END; N_KINDS: it is of none. */
static size_t kind_of_function(const struct single *single, const char *messages, const char *end)
{
	static const char in[] = "In function '";
	const char *last = NULL;

	for (const char *p = messages; (p = strstr(p, in)) && p < end; p += strlen(in))
		last = p + strlen(in);
	for (; last && single->name; single++)
		if (strncmp(last, single->name, strlen(single->name)) == 0)
			return single->kind;
	return N_KINDS;
}

#define FRAME_SAID "the frame size of "

/*
 * The excess that the compiler's warnings tell. Each function can be on the stack once between two
 * tests of it, but of a kind that calls none of its own only the largest.
 */
static unsigned frame_excess(const struct single *single, const char *messages)
{
	static const char said[] = FRAME_SAID;
	unsigned sum = 0, most[N_KINDS] = { 0 };

	for (const char *p = messages, *from = p; (p = strstr(p, said)); from = p) {
		unsigned excess = (unsigned)strtoul(p + strlen(said), NULL, 10) - FRAME_EXPECTED;
		size_t kind = kind_of_function(single, from, p);

		if (kind == N_KINDS)
			sum += excess;
		else if (excess > most[kind])
			most[kind] = excess;
		p += strlen(said);
	}
	for (size_t i = 0; i < N_KINDS; i++)
		sum += most[i];
	return sum;
}

/* The script's unit. Adds to *excess. */
static struct error *compile_once(struct compile *c, unsigned *excess)
{
	struct error *err;
	int in, err_fd, status = 0;
	char *text;

	err = tool_memory_file(c->request->script, &in);
	if (err)
		return err;
	err = tool_memory_file("", &err_fd);
	if (!err) {
		err = c->base->cc1 ? run_cc1(c, in, err_fd, &status)
				   : run_driver(c, in, err_fd, &status);
		text = tool_collect(err_fd);
		if (!err && status)
			err = tool_error("the generated C does not compile",
					 "this is a bug in the translation, not in the script; -k "
					 "keeps the C for a report",
					 text);
		*excess += frame_excess(single_script, text);
		free(text);
	}
	close(in);
	return err;
}

/* Most scripts are compiled once; those with large frames once more, knowing them. */
static struct error *compile_again(struct compile *c, unsigned excess)
{
	if (excess > FRAME_EXCESS_MAX)
		return error_hint(
			error_create("the script's functions take %u bytes of kernel stack "
				     "beyond what is expected, and no more than %u can be "
				     "counted on",
				     excess, FRAME_EXCESS_MAX),
			"split what is in one handler or function into several");
	c->excess = excess;
	return compile_once(c, &excess);
}

/* ---- guru.c ---- */

/*
 * Starts the compiler of guru.c, which runs beside that of the script. Nothing without embedded
 * C.
 */
static struct error *start_guru(struct compile *c)
{
	/* a number where a pointer belongs, or the other way round, is an oops of the kernel */
	static const char *const strict[] = { "-Werror=int-conversion",
					      "-Werror=incompatible-pointer-types", "-Wformat",
					      NULL }; /* see is_harmful() */
	const struct module_base *base = c->base;
	const char *text = c->request->guru;
	struct argv argv;
	struct error *err;

	if (!text)
		return NULL;
	argv_init(&argv, c->arena);
	argv_add_all(&argv, base->kernel_flags);
	argv_add_all(&argv, strict);
	argv_addf(&argv, "-Wframe-larger-than=%d", FRAME_EXPECTED);
	argv_addf(&argv, "-I%s", base->runtime_dir);
	argv_add_all(&argv, (const char *const[]){
				    "-include", path_join(c->arena, base->dir, "kernel.h"), NULL });
	argv_addf(&argv, "-I%s/uapi", base->runtime_dir);
	argv_addf(&argv, "-I%s", base->dir);
	if (file_exists(path_join(c->arena, base->runtime_dir, "core/embedded.h")))
		argv_add_all(&argv, (const char *const[]){ "-include", "core/embedded.h", NULL });
	for (const char *const *define = c->request->defines; define && *define; define++)
		argv_addf(&argv, "-D%s", *define);
	argv_add_compile(&argv, c->guru_c, c->guru_o);
	err = base_check_headers(base);
	if (!err)
		err = file_write_atomic(c->guru_c, text, strlen(text), 0644);
	if (!err)
		err = tool_memory_file("", &c->guru_err);
	if (err)
		return err;
	err = tool_start(argv_done(&argv), NULL, SUBPROCESS_NULL, c->guru_err, c->guru_err,
			 &c->guru_pid);
	if (err)
		close(c->guru_err);
	return err;
}

/*
 * Is the warning one of a format that is an oops, or a complaint of the kernel, when it is printed:
 * a number for a text, an argument that is missing, no conversion? A number of another size prints
 * as SystemTap prints it.
 */
static bool is_harmful(const char *line, size_t len)
{
	static const char *const harmful[] = { "expects a matching", "unknown conversion type",
					       "spurious trailing '%'",
					       "expects argument of type 'char *'" };
	static const char found[] = "has type '";
	const char *type = memmem(line, len, found, sizeof(found) - 1);
	size_t i = 0;

	while (i < sizeof(harmful) / sizeof(harmful[0]) &&
	       !memmem(line, len, harmful[i], strlen(harmful[i])))
		i++;
	return i < sizeof(harmful) / sizeof(harmful[0]) &&
	       !(type && memchr(type, '*', (size_t)(line + len - type)));
}

/* Is the warning one of a function that no stack can be counted on to have room for? */
static bool is_large_frame(const char *line, size_t len)
{
	const char *at = memmem(line, len, FRAME_SAID, sizeof(FRAME_SAID) - 1);

	return at && strtoul(at + sizeof(FRAME_SAID) - 1, NULL, 10) > FRAME_EXCESS_MAX;
}

/* Makes errors of such warnings in what the compiler said. False: there are none. */
static bool promote_warnings(char *text)
{
	static const char warning[] = ": warning: ", error[] = ": error: ";
	bool ret = false;

	for (char *line = text, *end; line && *line; line = end + (*end == '\n')) {
		char *at;

		end = line + strcspn(line, "\n");
		at = memmem(line, (size_t)(end - line), warning, sizeof(warning) - 1);
		if (!at || !(is_harmful(line, (size_t)(end - line)) ||
			     is_large_frame(line, (size_t)(end - line))))
			continue;
		memcpy(at, error, sizeof(error) - 1);
		at += sizeof(error) - 1;
		memmove(at, at + sizeof(warning) - sizeof(error),
			strlen(at + sizeof(warning) - sizeof(error)) + 1);
		end -= sizeof(warning) - sizeof(error);
		ret = true;
	}
	return ret;
}

/* Must follow start_guru() on every path: the child is waited for here. Adds to *excess. */
static struct error *finish_guru(struct compile *c, unsigned *excess)
{
	struct error *err;
	int status = 0;
	char *text;

	if (!c->guru_pid)
		return NULL;
	err = tool_wait(c->guru_pid, &status);
	c->guru_pid = 0;
	text = tool_collect(c->guru_err);
	*excess += frame_excess(single_guru, text);
	if (promote_warnings(text))
		status = 1;
	if (!err && text && *text && c->request->guru_said)
		c->request->guru_said(c->request->guru_said_arg, !status, text);
	if (!err && status)
		err = tool_error("the embedded C does not compile", NULL, text);
	free(text);
	return err;
}

/* ---- the rest ---- */

/*
 * Finds the members, and whether everything can be linked; writes the table of versions that are
 * still missing.
 */
static struct error *check(struct compile *c)
{
	const char *const units[] = { c->script_o, c->guru_o };
	unsigned n_units = c->request->guru ? 2 : 1, n = 0;
	VEC(const struct object *) linked = { 0 };
	struct object base, own[2];
	struct strbuf extra;
	struct error *err;
	char *name = NULL;
	bool clash;

	strbuf_init(&extra);
	err = object_open(path_join(c->arena, c->base->dir, "base.o"), &base);
	if (err)
		return err;
	for (; !err && n < n_units; n += !err)
		err = object_open(units[n], &own[n]);
	if (!err && n > 1)
		err = check_definitions(&own[1], (const struct object *const[]){ &base, &own[0] },
					2, &name);
	clash = name != NULL;
	if (!err)
		err = members_find(c->base, own, n, c->arena, &c->members);
	for (unsigned i = 0; i < n; i++)
		vec_push(c->arena, &linked, &own[i]);
	if (!err) {
		vec_foreach(member, &c->members.list)
			vec_push(c->arena, &linked, &member->object);
		err = check_symbols(c->base->kernel, &base, linked.data, linked.n,
				    strbuf_cstr(&c->members.provided), &extra, &name);
		members_close(&c->members);
	}
	if (err && name && n > 1 && c->request->guru_unlinked)
		c->request->guru_unlinked(c->request->guru_said_arg, name, clash, err);
	free(name);
	while (n--)
		object_close(&own[n]);
	object_close(&base);
	if (!err && extra.len) {
		err = versions_assemble(c->base->kernel, c->base->as, extra.s, c->extra_o);
		c->extra = !err;
	}
	strbuf_deinit(&extra);
	return err;
}

/* What is linked: to the command line, as one archive where paths allow it. */
static struct error *add_inputs(struct compile *c, struct argv *argv)
{
	const char *archive = path_join(c->arena, c->dir, "objects.a");
	struct argv inputs;
	struct error *err;
	bool fit = true;

	argv_init(&inputs, c->arena);
	argv_add(&inputs, path_join(c->arena, c->base->dir, "base.o"));
	argv_add(&inputs, c->script_o);
	vec_foreach(member, &c->members.list)
		argv_add(&inputs, member->path);
	if (c->request->guru)
		argv_add(&inputs, c->guru_o);
	if (c->extra)
		argv_add(&inputs, c->extra_o);
	vec_foreach(path, &inputs.args)
		fit &= archive_can_hold(*path);
	if (!fit) {
		argv_add_all(argv, argv_done(&inputs));
		return NULL;
	}
	err = archive_write(archive, inputs.args.data, inputs.args.n);
	argv_add(argv, "--whole-archive");
	argv_add(argv, archive);
	return err;
}

/* Beside the result, so that it can be renamed into place when it is whole. */
static struct error *link_module(struct compile *c)
{
	const char *out = c->request->out;
	const char *temp = arena_printf(c->arena, "%s.%d", out, (int)getpid());
	struct argv argv;
	struct error *err;
	char *text;
	int status;

	argv_init(&argv, c->arena);
	argv_add(&argv, c->base->ld);
	argv_add_all(&argv, (const char *const[]){ "-r", "-m", c->base->kernel->arch->ld_emulation,
						   "-z", "noexecstack", "-T",
						   path_join(c->arena, c->base->dir, "module.lds"),
						   "-o", temp, NULL });
	err = add_inputs(c, &argv);
	if (err)
		return err;
	cleanup_hold();
	cleanup_add_path(temp);
	cleanup_release();
	err = tool_run(argv_done(&argv), NULL, &text, &status);
	if (!err) {
		if (status)
			err = tool_error("the module does not link", NULL, text);
		free(text);
	}
	if (!err)
		err = module_rename(temp, c->request->name);
	if (!err && rename(temp, out))
		err = error_create_errno(errno, "cannot create %s", out);
	if (err)
		unlink(temp);
	cleanup_drop_path(temp);
	return err;
}

/* All steps with their times, also of those that failed. times is never NULL. */
static struct error *run_steps(struct compile *c, struct module_times *times)
{
	struct timespec now;
	struct error *err, *guru_err;
	unsigned excess = 0;

	clock_gettime(CLOCK_MONOTONIC, &now);
	err = start_guru(c);
	if (!err)
		err = compile_once(c, &excess);
	times->compile = microseconds(&now);
	guru_err = finish_guru(c, &excess);
	/* both may have failed; the user's own text is the better one to show */
	if (guru_err) {
		error_destroy(err);
		err = guru_err;
	}
	times->guru = c->request->guru ? microseconds(&now) : 0;
	if (!err && excess) {
		err = compile_again(c, excess);
		times->compile += microseconds(&now);
	}
	if (!err)
		err = base_objtool(c->base, c->script_o);
	if (!err && c->request->guru)
		err = base_objtool(c->base, c->guru_o);
	times->objtool = microseconds(&now);
	if (!err)
		err = check(c);
	times->check = microseconds(&now);
	if (!err)
		err = link_module(c);
	times->link = microseconds(&now);
	return err;
}

/*
 * Where intermediate files go: the caller's directory, which gets the script too, or a temporary
 * one.
 */
static struct error *make_directory(struct compile *c, bool *temporary)
{
	const char *keep = c->request->keep_dir;
	char *dir;
	struct error *err;

	*temporary = !keep;
	if (keep) {
		c->dir = keep;
		return file_write_atomic(path_join(c->arena, keep, "script.c"), c->request->script,
					 strlen(c->request->script), 0644);
	}
	err = dir_create_temp(c->arena, "stap", &dir);
	if (!err)
		c->dir = dir;
	return err;
}

struct error *module_compile(struct module_base *base, const struct module_request *request,
			     struct module_times *times)
{
	struct compile c = { .base = base, .request = request };
	struct module_times unused;
	struct error *err;
	bool temporary;

	if (!module_name_valid(request->name))
		return error_create(
			"\"%s\" is not a module name: 1 to %d letters, digits and underscores",
			request->name, STP_MODULE_NAME_MAX);
	c.arena = arena_create();
	err = make_directory(&c, &temporary);
	if (!err) {
		c.script_o = path_join(c.arena, c.dir, "script.o");
		c.guru_c = path_join(c.arena, c.dir, "guru.c");
		c.guru_o = path_join(c.arena, c.dir, "guru.o");
		c.extra_o = path_join(c.arena, c.dir, "versions.o");
		err = run_steps(&c, times ? times : &unused);
		if (temporary)
			error_destroy(dir_remove_all(c.dir));
	}
	arena_destroy(c.arena);
	return err;
}
