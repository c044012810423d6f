/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One case: the command on this machine, the session in the guest when it is for one, and the
 * comparison. A case passes only when its status and both of its outputs are as declared; what it
 * does not declare must be empty.
 */
#include "runner_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "remote/guest.h"
#include "remote/qemu.h"

/* The first script for a kernel compiles the runtime too. */
#define COMPILE_TIMEOUT 180.0
/*
 * Times the limit of a case, which is for a quiet machine: what hangs is ended, what is slow is
 * not.
 */
#define PATIENCE 3

/* So many guests in a row that cannot be had, and none is tried any more. */
#define MAX_REFUSED 3

/* What a case did. */
struct outcome {
	struct strbuf out, err;
	int status;
};

static void drop_guest(struct test_run *run)
{
	guest_close(run->guest);
	run->guest = NULL;
}

/* A guest of the wanted kind; the one that runs when it is. */
static const char *need_guest(struct test_run *run, bool kaslr)
{
	struct guest_options options = {
		.kernel = run->kernel.name,
		.smp = run->smp,
		.kaslr = kaslr,
	};
	double start = monotonic_seconds();
	const char *why;
	struct error *err;

	if (run->guest && run->guest_kaslr != kaslr)
		drop_guest(run);
	if (run->guest || run->no_guest)
		return run->no_guest;
	err = guest_open(&options, &run->guest);
	if (err) {
		run->guest = NULL;
		why = arena_printf(run->arena, "no guest: %s", err->text);
		error_destroy(err);
		if (++run->n_refused == MAX_REFUSED)
			run->no_guest = why;
		return why;
	}
	run->guest_kaslr = kaslr;
	run->n_refused = 0;
	run->n_guests++;
	run->guest_seconds += monotonic_seconds() - start;
	return NULL;
}

/* PROGRAM ARGUMENTS, with FILE in place of %s or where an argument list without it has room for the
 * script. */
static void add_arguments(struct strbuf *line, const char *arguments, const char *file)
{
	const char *at = arguments ? strstr(arguments, "%s") : NULL;

	if (at)
		strbuf_addf(line, " %.*s%s%s", (int)(at - arguments), arguments, file, at + 2);
	else if (arguments && arguments[0] == '-')
		strbuf_addf(line, " %s %s", arguments, file);
	else
		strbuf_addf(line, " %s %s", file, arguments ? arguments : "");
}

/* A program of the build tree, or with ./ or ../ before it one beside the cases. */
static const char *program_path(struct test_run *run, const struct test_case *tc)
{
	const char *dir = tc->program[0] == '.' ? tc->dir : run->build_dir;

	return path_join(run->arena, dir, tc->program);
}

/* The shell command that compiles (or, on the host, is) the case. */
static const char *stap_line(struct test_run *run, const struct test_case *tc)
{
	struct strbuf line;
	const char *ret;

	if (tc->shell)
		return tc->shell;
	strbuf_init(&line);
	strbuf_adds(&line, "exec ");
	if (tc->program) {
		strbuf_adds(&line, shell_quote(run->arena, program_path(run, tc)));
	} else {
		/* A kernel that came with its own compiler wants it. */
		if (run->kernel.suite && !tc->host)
			strbuf_addf(&line, "%s %s ", shell_quote(run->arena, IN_SUITE),
				    shell_quote(run->arena, run->kernel.suite));
		strbuf_addf(&line, "%s -r %s", shell_quote(run->arena, run->stap),
			    shell_quote(run->arena, run->kernel.name));
	}
	if (test_is_for_guest(tc))
		strbuf_adds(&line, " -p4");
	if (tc->trigger)
		strbuf_addf(&line, " -c %s", shell_quote(run->arena, tc->trigger));
	add_arguments(&line, tc->run, shell_quote(run->arena, tc->script));
	ret = arena_strdup(run->arena, line.s);
	strbuf_deinit(&line);
	return ret;
}

/*
 * Where stap looks for debug files: the tests' own, or nowhere, whatever this machine has
 * installed.
 */
static const char *debuginfo_path(const struct test_run *run)
{
	return run->kernel.debuginfo ? run->kernel.debuginfo : "";
}

static bool is_notice(const char *line, size_t n)
{
	static const char *const notices[] = { "First use with this kernel: ",
					       "Booting a guest",
					       "indexing ",
					       "looking for tracepoints in ",
					       "compiling kernel<",
					       "compiling headers of the kernel, " };
	size_t blanks, digits;

	for (size_t i = 0; i < sizeof(notices) / sizeof(notices[0]); i++)
		if (n >= strlen(notices[i]) && !memcmp(line, notices[i], strlen(notices[i])))
			return true;
	/* "  3/51 compiling the runtime: ..." */
	blanks = strspn(line, " ");
	digits = strspn(line + blanks, "0123456789");
	return blanks && digits && line[blanks + digits] == '/';
}

/* Drop what stap says while it fills its caches: it depends on what ran before, not on the case. */
static void drop_notices(struct strbuf *text)
{
	struct strbuf kept;

	strbuf_init(&kept);
	for (const char *line = strbuf_cstr(text); *line;) {
		size_t n = strcspn(line, "\n");

		n += line[n] == '\n';
		if (!is_notice(line, n))
			strbuf_add(&kept, line, n);
		line += n;
	}
	strbuf_deinit(text);
	*text = kept;
}

static const char *run_stap(struct test_run *run, const struct test_case *tc, struct outcome *o)
{
	const char *env[] = {
		arena_printf(run->arena, "STAP=%s", run->stap),
		arena_printf(run->arena, "KERNEL=%s", run->kernel.name),
		arena_printf(run->arena, "BUILD=%s", run->build_dir),
		arena_printf(run->arena, "SLOW=%.0f", run->kernel.slowness),
		arena_printf(run->arena, "SYSTEMTAP_DEBUGINFO_PATH=%s", debuginfo_path(run)),
		"DEBUGINFOD_URLS=",
		"LC_ALL=C",
		"TZ=UTC",
		NULL,
	};
	struct host_command cmd = {
		.shell = stap_line(run, tc),
		.dir = tc->dir,
		.env = env,
		.timeout = test_is_for_guest(tc) ? COMPILE_TIMEOUT * run->kernel.slowness
						 : PATIENCE * tc->timeout,
	};
	struct error *err = host_run(&cmd, &o->out, &o->err, &o->status);

	drop_notices(&o->err);
	if (err) {
		const char *why = arena_strdup(run->arena, err->text);

		error_destroy(err);
		return why;
	}
	if (o->status == HOST_LATE)
		return arena_printf(run->arena, "stap took more than %.0f s", cmd.timeout);
	return NULL;
}

/*
 * All that -p4 prints is the module's path. It is copied to a path no guest has looked at: guests
 * keep what they once read of the host's files.
 */
static const char *take_module(struct test_run *run, const struct test_case *tc, struct outcome *o,
			       const char **ret)
{
	const char *text = strbuf_cstr(&o->out), *from, *dir;
	size_t n = strcspn(text, "\n");
	struct error *err;
	bool is_local;

	if (n < 4 || memcmp(text + n - 3, ".ko", 3) != 0 || strcmp(text + n, "\n") != 0)
		return arena_printf(run->arena,
				    "stap -p4 printed more than the path of a module:\n%.2000s",
				    text);
	from = arena_strndup(run->arena, text, n);
	/* -m leaves it in the working directory and says so. */
	is_local = from[0] != '/';
	if (is_local)
		from = path_join(run->arena, tc->dir, from);
	dir = arena_printf(run->arena, "%s/%u", run->temp, run->n_modules++);
	*ret = path_join(run->arena, dir, path_base(from));
	err = dir_create_all(dir);
	if (!err)
		err = file_copy(from, *ret);
	if (!err && is_local)
		unlink(from);
	if (err) {
		const char *why = arena_strdup(run->arena, err->text);

		error_destroy(err);
		return why;
	}
	strbuf_reset(&o->out);
	return NULL;
}

static void take_output(void *data, int fd, const char *bytes, size_t n)
{
	struct outcome *o = data;

	strbuf_add(fd == 1 ? &o->out : &o->err, bytes, n);
}

/* Run a shell command in the guest; a reason when the guest is of no more use. */
static const char *in_guest(struct test_run *run, const char *dir, const char *shell,
			    double timeout, struct outcome *o)
{
	const char *const argv[] = { "/bin/sh", "-c", shell, NULL };
	struct guest_command cmd = {
		.argv = argv,
		.cwd = dir,
		.stdin_fd = -1,
		.output = take_output,
		.data = o,
		.timeout = PATIENCE * timeout * run->kernel.slowness * run->longer,
	};
	struct error *err = guest_run(run->guest, &cmd, &o->status);
	const char *why;

	if (!err)
		return NULL;
	why = arena_strdup(run->arena, err->text);
	error_destroy(err);
	return why;
}

/* A module that is not the kernel's own, still in it: /proc/modules marks those with an O. */
static const char *left_behind(struct test_run *run)
{
	struct outcome o = { 0 };
	const char *ret = NULL, *why;

	strbuf_init(&o.out);
	strbuf_init(&o.err);
	why = in_guest(run, "/", "cat /proc/modules", 10, &o);
	if (why)
		ret = why;
	for (const char *line = strbuf_cstr(&o.out); *line && !ret; line += strspn(line, "\n")) {
		const char *end = line + strcspn(line, "\n"),
			   *taint = memmem(line, end - line, " (O", 3);

		if (taint)
			ret = arena_printf(run->arena, "module %.*s was left loaded",
					   (int)strcspn(line, " "), line);
		line = end;
	}
	strbuf_deinit(&o.out);
	strbuf_deinit(&o.err);
	return ret;
}

static const char *session_line(struct test_run *run, const struct test_case *tc,
				const char *module)
{
	struct strbuf line;
	const char *ret;

	strbuf_init(&line);
	if (tc->session) {
		strbuf_addf(
			&line,
			"export SYSTEMTAP_DEBUGINFO_PATH=%s BUILD=%s\nSTAP=%s KERNEL=%s SLOW=%.0f LONGER=%u STAPRUN=%s MODULE=%s NAME=%.*s\n%s",
			shell_quote(run->arena, debuginfo_path(run)),
			shell_quote(run->arena, run->build_dir), shell_quote(run->arena, run->stap),
			shell_quote(run->arena, run->kernel.name), run->kernel.slowness,
			run->longer, shell_quote(run->arena, run->staprun),
			shell_quote(run->arena, module), (int)strcspn(path_base(module), "."),
			path_base(module), tc->session);
		ret = arena_strdup(run->arena, line.s);
		strbuf_deinit(&line);
		return ret;
	}
	strbuf_addf(&line, "exec %s", shell_quote(run->arena, run->staprun));
	if (tc->trigger)
		strbuf_addf(&line, " -c %s", shell_quote(run->arena, tc->trigger));
	add_arguments(&line, tc->staprun, shell_quote(run->arena, module));
	ret = arena_strdup(run->arena, line.s);
	strbuf_deinit(&line);
	return ret;
}

/* The guest's part. Reasons that need a new guest drop this one. */
static const char *run_session(struct test_run *run, const struct test_case *tc, const char *module,
			       struct outcome *o)
{
	const char *why = in_guest(run, tc->dir, session_line(run, tc, module), tc->timeout, o);
	bool late = why;

	if (why)
		why = arena_printf(run->arena, "%s, having printed:\n%.2000s%.2000s", why,
				   strbuf_cstr(&o->out), strbuf_cstr(&o->err));
	else
		why = left_behind(run);
	run->harmed = !late && why;
	if (!why && tc->after) {
		struct outcome after = { .out = { 0 } };

		strbuf_init(&after.out);
		strbuf_init(&after.err);
		why = in_guest(run, tc->dir, tc->after, tc->timeout, &after);
		if (!why && after.status)
			why = arena_printf(run->arena, "after: status %d: %s%s", after.status,
					   strbuf_cstr(&after.out), strbuf_cstr(&after.err));
		strbuf_deinit(&after.out);
		strbuf_deinit(&after.err);
	}
	if (guest_kernel_failure(run->guest)) {
		run->harmed = true;
		why = arena_printf(run->arena, "kernel: %s\n%.4000s",
				   guest_kernel_failure(run->guest),
				   guest_kernel_log(run->guest, 40));
		drop_guest(run);
	} else if (why) {
		drop_guest(run);
	}
	return why;
}

static const char *perform(struct test_run *run, const struct test_case *tc, struct outcome *o)
{
	const char *why = run_stap(run, tc, o), *module = NULL;

	if (why || !test_is_for_guest(tc))
		return why;
	if (o->status)
		return arena_printf(run->arena, "stap -p4 ended with status %d, before the guest",
				    o->status);
	why = take_module(run, tc, o, &module);
	if (!why)
		why = need_guest(run, tc->kaslr);
	if (!why)
		why = run_session(run, tc, module, o);
	return why;
}

/* The expected text; "" and false when there is no such file. */
static bool read_expected(const char *path, char **text)
{
	struct error *err;
	size_t len;

	*text = NULL;
	if (!file_exists(path))
		return false;
	err = file_read(path, text, &len);
	if (!err)
		return true;
	error_destroy(err);
	return false;
}

/*
 * What is not expected anywhere must be empty: an empty file is as good as none, but where any text
 * contains it.
 */
static void check_text(enum test_match how, const char *what, const char *path,
		       const struct strbuf *actual, struct strbuf *why)
{
	char *expected, *diff;

	if (how == MATCH_ANY)
		return;
	if (!read_expected(path, &expected) || (!*expected && how != MATCH_CONTAINS)) {
		if (actual->len)
			strbuf_addf(why, "%s is not empty, and %s %s:\n%.2000s", what,
				    expected ? "nothing is in" : "there is no", path_base(path),
				    strbuf_cstr(actual));
		free(expected);
		return;
	}
	diff = test_compare(how, what, expected, strbuf_cstr(actual));
	if (diff)
		strbuf_adds(why, diff);
	free(diff);
	free(expected);
}

/* Only exact texts can be written anew. No file stands for no text. */
static struct error *write_golden(enum test_match how, const char *path,
				  const struct strbuf *actual)
{
	if (how != MATCH_EXACT)
		return NULL;
	if (actual->len)
		return file_write_atomic(path, strbuf_cstr(actual), actual->len, 0644);
	if (unlink(path) < 0 && errno != ENOENT)
		return error_create_errno(errno, "%s", path);
	return NULL;
}

static void write_goldens(const struct test_case *tc, const struct outcome *o, struct strbuf *why)
{
	struct error *err = write_golden(tc->match, tc->out_path, &o->out);

	if (!err)
		err = write_golden(tc->errors, tc->err_path, &o->err);
	if (err) {
		strbuf_addf(why, "%s\n", err->text);
		error_destroy(err);
	}
}

static void judge(const struct test_run *run, const struct test_case *tc, const struct outcome *o,
		  struct strbuf *why)
{
	if (o->status != tc->status)
		strbuf_addf(why, "status %d instead of %d\n", o->status, tc->status);
	else if (run->update)
		write_goldens(tc, o, why);
	check_text(tc->match, "standard output", tc->out_path, &o->out, why);
	check_text(tc->errors, "standard error", tc->err_path, &o->err, why);
}

enum test_verdict test_run_case(struct test_run *run, const struct test_case *tc,
				struct strbuf *why)
{
	struct outcome o = { 0 };
	const char *reason, *lacks;

	run->harmed = false;
	if (tc->skip && !tc->mistake) {
		strbuf_adds(why, tc->skip);
		return TEST_SKIPPED;
	}
	lacks = tc->requires && !tc->mistake ? test_requires(run->arena, &run->kernel, tc->requires)
					     : NULL;
	if (lacks) {
		strbuf_addf(why, "requires %s", lacks);
		return TEST_SKIPPED;
	}
	strbuf_init(&o.out);
	strbuf_init(&o.err);
	reason = tc->mistake ? tc->mistake : perform(run, tc, &o);
	if (reason)
		strbuf_addf(why, "%s\n", reason);
	else
		judge(run, tc, &o, why);
	if (why->len && o.err.len)
		strbuf_addf(why, "--- standard error ---\n%.4000s", o.err.s);
	strbuf_deinit(&o.out);
	strbuf_deinit(&o.err);
	return why->len ? TEST_FAILED : TEST_PASSED;
}

double test_run_cpu_seconds(const struct test_run *run)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return u.ru_utime.tv_sec + u.ru_stime.tv_sec +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6 +
	       (run->guest ? guest_cpu_seconds(run->guest) : 0);
}

void test_run_end(struct test_run *run)
{
	drop_guest(run);
}
