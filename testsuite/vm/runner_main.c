/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spile-test: options, the loop over kernels and cases, and the report. */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cache_dir.h"
#include "base/file.h"
#include "remote/guest_kernel.h"
#include "remote/qemu.h"
#include "runner_run.h"
#include "unpack/kernel_image.h"

struct settings {
	VEC(const char *) kernels;
	VEC(const char *) requires; /* of --requires */
	const char *self, *stap, *staprun, *build_dir, *filter, *debuginfo, *summary;
	enum test_kernels least; /* only cases for at least so many kernels */
	unsigned int smp, jobs, longer;
	bool update, list, retry;
};

struct tally {
	unsigned int passed, failed, skipped, retried;
};

/* The cases that are left to do, shared by the jobs. */
struct queue {
	unsigned int next;
};

static void usage(FILE *to)
{
	fputs("usage: spile-test [options] CASE-DIR|CASE.stp...\n"
	      "  --kernel RELEASE|DIR  the kernel to test on, may be repeated; the newest "
	      "installed when not given\n"
	      "  --stap PATH           the stap to test; beside this program when not given\n"
	      "  --staprun PATH        beside stap when not given\n"
	      "  --filter GLOB         only cases whose name or last part matches\n"
	      "  --smp N               CPUs of the guest\n"
	      "  --debuginfo DIR       debug files of the kernel are there; without it stap finds none\n"
	      "  --kernels one|each|all  only cases whose directive kernels: is this or a later word\n"
	      "  --requires WORD       also those whose directive requires: has the word, for however few\n"
	      "                        kernels they are; may be repeated\n"
	      "  --longer N            loads that go on for a time go on N times as long\n"
	      "  --jobs N              serve the cases by N guests at once\n"
	      "  --retry               a case that failed in a guest gets a second try in a fresh one, unless\n"
	      "                        the kernel complained or a module was left in it\n"
	      "  --summary FILE        append a line: passed, failed, skipped, seconds, kernel, cases\n"
	      "  --update              write what was printed as expected\n"
	      "  --list                name the cases\n"
	      "Status: 0 when all passed, 1 when some failed, 2 when nothing could be run.\n",
	      to);
}

static int fail(struct error *err)
{
	fprintf(stderr, "spile-test: %s\n", err->text);
	if (err->hint)
		fprintf(stderr, "spile-test: hint: %s\n", err->hint);
	error_destroy(err);
	return 2;
}

static const char *absolute(struct arena *arena, const char *path)
{
	char real[PATH_MAX];

	return realpath(path, real) ? arena_strdup(arena, real) : NULL;
}

/* NAME in the folder of PROGRAM, or in those above it (a build tree); else to be found in PATH. */
static const char *sibling(struct arena *arena, const char *program, const char *name)
{
	char *dir = realpath(program, NULL), *slash;
	const char *ret = NULL;

	for (int up = 0; up < 4 && dir && !ret && (slash = strrchr(dir, '/')) != NULL; up++) {
		const char *path;

		*slash = '\0';
		path = path_join(arena, dir, name);
		if (access(path, X_OK) == 0)
			ret = path;
	}
	free(dir);
	return ret ? ret : name;
}

static char *read_config(struct arena *arena, const struct guest_kernel *kernel)
{
	const char *places[] = {
		arena_printf(arena, "%.*s/config-%s",
			     (int)(path_base(kernel->vmlinuz) - kernel->vmlinuz), kernel->vmlinuz,
			     kernel->release),
		path_join(arena, kernel->modules, "config"),
		path_join(arena, kernel->modules, "build/.config"),
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct error *err;
		char *text, *ret;
		size_t len;

		err = file_read(places[i], &text, &len);
		if (err) {
			error_destroy(err);
			continue;
		}
		ret = arena_strdup(arena, text);
		free(text);
		return ret;
	}
	return arena_strdup(arena, "");
}

static bool requires_wanted(const struct settings *s, const struct test_case *tc)
{
	vec_foreach(word, &s->requires)
		if (tc->requires && test_requires_has(tc->requires, *word))
			return true;
	return false;
}

static bool selected(const struct settings *s, const struct test_case *tc)
{
	if (tc->kernels < s->least && !requires_wanted(s, tc))
		return false;
	return !s->filter || fnmatch(s->filter, tc->name, 0) == 0 ||
	       fnmatch(s->filter, path_base(tc->name), 0) == 0;
}

/* The lines of TEXT behind the first, as comments. */
static void print_details(const char *text)
{
	for (const char *p = text + strcspn(text, "\n"); *p; p += strcspn(p, "\n")) {
		p++;
		if (*p)
			printf("# %.*s\n", (int)strcspn(p, "\n"), p);
	}
}

/* The first line of a reason goes beside the name, the rest below it. */
static void report(const struct test_case *tc, const struct test_kernel *kernel,
		   enum test_verdict verdict, const char *why, double seconds, double cpu)
{
	const char *release = tc->program ? "here" : kernel->label;

	if (verdict == TEST_PASSED) {
		printf("ok %s [%s] %.2f s, %.2f s CPU\n", tc->name, release, seconds, cpu);
	} else if (verdict == TEST_SKIPPED) {
		printf("ok %s [%s] # skipped: %s\n", tc->name, release, why);
	} else {
		printf("not ok %s [%s] %.*s\n", tc->name, release, (int)strcspn(why, "\n"), why);
		print_details(why);
	}
	fflush(stdout);
}

/*
 * Machines that run the check may be busy enough to upset what a case takes for granted. The first
 * failure is printed all the same, in a line of its own, to be looked into.
 */
static enum test_verdict second_try(struct test_run *run, const struct test_case *tc,
				    struct strbuf *why)
{
	printf("# second try: %s [%s] %.*s\n", tc->name, run->kernel.label,
	       (int)strcspn(strbuf_cstr(why), "\n"), strbuf_cstr(why));
	print_details(strbuf_cstr(why));
	strbuf_reset(why);
	test_run_end(run);
	return test_run_case(run, tc, why);
}

/* What one job does: take the next case that nobody has, with a guest of its own. */
static void run_share(const struct settings *s, const struct test_list *list, struct test_run *run,
		      struct queue *queue, struct tally *tally)
{
	unsigned int i;

	while ((i = __atomic_fetch_add(&queue->next, 1, __ATOMIC_RELAXED)) < list->cases.n) {
		const struct test_case *tc = list->cases.data[i];
		double start = monotonic_seconds(), cpu = test_run_cpu_seconds(run);
		enum test_verdict verdict;
		struct strbuf why;

		strbuf_init(&why);
		verdict = test_run_case(run, tc, &why);
		if (verdict == TEST_FAILED && s->retry && test_is_for_guest(tc) && !run->harmed) {
			verdict = second_try(run, tc, &why);
			tally->retried++;
		}
		report(tc, &run->kernel, verdict, strbuf_cstr(&why), monotonic_seconds() - start,
		       test_run_cpu_seconds(run) - cpu);
		strbuf_deinit(&why);
		tally->passed += verdict == TEST_PASSED;
		tally->failed += verdict == TEST_FAILED;
		tally->skipped += verdict == TEST_SKIPPED;
	}
	test_run_end(run);
	if (run->n_guests)
		printf("# %s: %u guest%s, %.2f s to open\n", run->kernel.label, run->n_guests,
		       run->n_guests == 1 ? "" : "s", run->guest_seconds);
}

/* A process per job; each sends its tally through a pipe. A job that dies counts as a failure. */
static struct error *run_jobs(const struct settings *s, const struct test_list *list,
			      struct test_run *run, struct tally *tally)
{
	struct queue *queue;
	struct tally one;
	int fds[2];

	if (pipe(fds) < 0)
		return error_create_errno(errno, "pipe");
	queue = mmap(NULL, sizeof(*queue), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (queue == MAP_FAILED)
		return error_create_errno(errno, "mmap");
	fflush(stdout);
	for (unsigned int i = 0; i < s->jobs; i++) {
		pid_t pid = fork();

		if (pid < 0)
			tally->failed++;
		if (pid != 0)
			continue;
		memset(&one, 0, sizeof(one));
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		run->temp = arena_printf(run->arena, "%s/job%u", run->temp, i);
		run_share(s, list, run, queue, &one);
		fflush(stdout);
		_exit(write(fds[1], &one, sizeof(one)) != sizeof(one));
	}
	close(fds[1]);
	while (read(fds[0], &one, sizeof(one)) == sizeof(one)) {
		tally->passed += one.passed;
		tally->failed += one.failed;
		tally->skipped += one.skipped;
		tally->retried += one.retried;
	}
	close(fds[0]);
	for (int status; wait(&status) > 0;)
		tally->failed += status != 0;
	munmap(queue, sizeof(*queue));
	return NULL;
}

/*
 * What the file "slow" beside an unpacked kernel says: how many times as long everything takes on
 * it.
 */
static double read_slowness(struct arena *arena, const char *name)
{
	struct error *err;
	double factor;
	char *text;
	size_t len;

	if (!name || !file_exists(path_join(arena, name, "slow")))
		return 1;
	err = file_read(path_join(arena, name, "slow"), &text, &len);
	if (err) {
		error_destroy(err);
		return 1;
	}
	factor = strtod(text, NULL);
	free(text);
	return factor > 1 ? factor : 1;
}

static struct error *find_kernel(struct arena *arena, const struct settings *s, const char *name,
				 struct test_kernel *ret)
{
	struct guest_kernel kernel;
	struct error *err;

	err = guest_kernel_find(name, cache_directory(arena), arena, &kernel);
	if (err)
		return err;
	ret->name = name ? name : kernel.release;
	ret->release = kernel.release;
	ret->modules = kernel.modules;
	ret->debuginfo = s->debuginfo;
	ret->label =
		s->debuginfo ? arena_printf(arena, "%s debuginfo", kernel.release) : kernel.release;
	if (name && file_exists(path_join(arena, name, "toolchain")))
		ret->suite = absolute(arena, name);
	ret->slowness = read_slowness(arena, name);
	ret->config = read_config(arena, &kernel);
	return NULL;
}

/*
 * Longest first, as far as the time they are given tells, so that no job ends long after the
 * others.
 */
static int by_time(const void *a, const void *b)
{
	const struct test_case *x = *(struct test_case *const *)a,
			       *y = *(struct test_case *const *)b;

	if (x->timeout != y->timeout)
		return x->timeout > y->timeout ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Those of ALL that are wanted on this kernel. What is for one kernel only runs on the first. */
static struct test_list select_cases(const struct settings *s, const struct test_list *all,
				     bool first)
{
	struct test_list ret = { .arena = all->arena };

	vec_foreach(it, &all->cases)
		if (selected(s, *it) && (first || (*it)->kernels != KERNELS_ONE))
			vec_push(ret.arena, &ret.cases, *it);
	if (s->jobs > 1 && ret.cases.n)
		qsort(ret.cases.data, ret.cases.n, sizeof(ret.cases.data[0]), by_time);
	return ret;
}

static bool needs_kernel(const struct test_list *list)
{
	vec_foreach(it, &list->cases)
		if (!(*it)->program)
			return true;
	return false;
}

static void add_tally(struct tally *to, const struct tally *more)
{
	to->passed += more->passed;
	to->failed += more->failed;
	to->skipped += more->skipped;
	to->retried += more->retried;
}

static void write_summary(const struct settings *s, const struct tally *tally, const char *kernel,
			  double seconds, const char *cases)
{
	FILE *f = fopen(s->summary, "a");

	if (f) {
		fprintf(f, "%u\t%u\t%u\t%.0f\t%s\t%s\n", tally->passed, tally->failed,
			tally->skipped, seconds, kernel, cases);
		fclose(f);
	} else {
		perror(s->summary);
	}
}

static struct error *run_kernel(const struct settings *s, const struct test_list *all,
				const char *name, bool first, struct tally *total)
{
	struct test_list list = select_cases(s, all, first);
	struct test_run run = { .arena = list.arena,
				.stap = s->stap,
				.staprun = s->staprun,
				.build_dir = s->build_dir,
				.smp = s->smp,
				.longer = s->longer,
				.update = s->update,
				.kernel = { .label = "here", .slowness = 1 } };
	double start = monotonic_seconds();
	struct tally tally = { 0 };
	struct error *err = NULL;
	char *temp;

	if (needs_kernel(&list))
		err = find_kernel(run.arena, s, name, &run.kernel);
	if (!err)
		err = dir_create_temp(run.arena, "spile-test", &temp);
	if (err)
		return err;
	run.temp = temp;
	if (s->jobs > 1)
		err = run_jobs(s, &list, &run, &tally);
	else
		run_share(s, &list, &run, &(struct queue){ 0 }, &tally);
	error_destroy(dir_remove_all(temp));
	add_tally(total, &tally);
	if (s->summary && all->cases.n)
		write_summary(s, &tally, run.kernel.label, monotonic_seconds() - start,
			      all->cases.data[0]->dir);
	return err;
}

static int run_all(const struct settings *s, const struct test_list *list)
{
	struct tally tally = { 0 };
	struct error *err;

	for (size_t i = 0; i < s->kernels.n; i++) {
		err = run_kernel(s, list, s->kernels.data[i], i == 0, &tally);
		if (err)
			return fail(err);
	}
	if (tally.retried)
		printf("# %u tried twice\n", tally.retried);
	printf("%u passed, %u failed", tally.passed, tally.failed);
	if (tally.skipped)
		printf(", %u skipped", tally.skipped);
	printf("\n");
	if (tally.failed)
		return 1;
	return tally.passed + tally.skipped ? 0 : 2;
}

static bool parse_kernels(const char *word, enum test_kernels *ret)
{
	static const char *const words[] = { "one", "each", "all" };

	for (int i = 0; i < 3; i++)
		if (strcmp(word, words[i]) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

static bool parse_options(int argc, char **argv, struct arena *arena, struct settings *s)
{
	enum {
		KERNEL = 1,
		STAP,
		STAPRUN,
		FILTER,
		DEBUGINFO,
		KERNELS,
		REQUIRES,
		SUMMARY,
		SMP,
		LONGER,
		JOBS,
		UPDATE,
		RETRY,
		LIST,
		HELP
	};
	static const struct option options[] = {
		{ "kernel", required_argument, NULL, KERNEL },
		{ "stap", required_argument, NULL, STAP },
		{ "staprun", required_argument, NULL, STAPRUN },
		{ "filter", required_argument, NULL, FILTER },
		{ "debuginfo", required_argument, NULL, DEBUGINFO },
		{ "kernels", required_argument, NULL, KERNELS },
		{ "requires", required_argument, NULL, REQUIRES },
		{ "summary", required_argument, NULL, SUMMARY },
		{ "smp", required_argument, NULL, SMP },
		{ "longer", required_argument, NULL, LONGER },
		{ "jobs", required_argument, NULL, JOBS },
		{ "update", no_argument, NULL, UPDATE },
		{ "retry", no_argument, NULL, RETRY },
		{ "list", no_argument, NULL, LIST },
		{ "help", no_argument, NULL, HELP },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case KERNEL:
			vec_push(arena, &s->kernels, optarg);
			break;
		case STAP:
			s->stap = optarg;
			break;
		case STAPRUN:
			s->staprun = optarg;
			break;
		case FILTER:
			s->filter = optarg;
			break;
		case DEBUGINFO:
			s->debuginfo = absolute(arena, optarg);
			if (!s->debuginfo)
				return false;
			break;
		case KERNELS:
			if (!parse_kernels(optarg, &s->least))
				return false;
			break;
		case REQUIRES:
			if (test_requires_unknown(arena, optarg))
				return false;
			vec_push(arena, &s->requires, optarg);
			break;
		case SUMMARY:
			s->summary = optarg;
			break;
		case SMP:
			s->smp = atoi(optarg);
			break;
		case LONGER:
			s->longer = atoi(optarg) > 0 ? atoi(optarg) : 1;
			break;
		case JOBS:
			s->jobs = atoi(optarg) > 0 ? atoi(optarg) : 1;
			break;
		case UPDATE:
			s->update = true;
			break;
		case RETRY:
			s->retry = true;
			break;
		case LIST:
			s->list = true;
			break;
		case HELP:
			usage(stdout);
			exit(0);
		default:
			return false;
		}
	}
	return optind < argc;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct test_list list = { .arena = arena };
	struct settings s = { .jobs = 1, .longer = 1 };
	struct error *err;
	int status;

	if (!parse_options(argc, argv, arena, &s)) {
		usage(stderr);
		return 2;
	}
	if (!s.kernels.n)
		vec_push(arena, &s.kernels, NULL);
	s.self = absolute(arena, "/proc/self/exe");
	s.stap = s.stap ? s.stap : sibling(arena, "/proc/self/exe", "stap");
	if (strchr(s.stap, '/') && (s.stap = absolute(arena, s.stap)) == NULL) {
		perror("spile-test: --stap");
		return 2;
	}
	s.build_dir = arena_strndup(arena, s.self, strrchr(s.self, '/') - s.self);
	if (!s.staprun)
		s.staprun = sibling(arena, s.stap, "staprun");
	for (int i = optind; i < argc; i++) {
		err = test_list_add(&list, argv[i]);
		if (err)
			return fail(err);
	}
	if (s.list) {
		vec_foreach(it, &list.cases)
			if (selected(&s, *it))
				printf("%s\n", (*it)->name);
		return 0;
	}
	/* A case's report in one piece, also from several jobs. */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	status = run_all(&s, &list);
	fflush(stdout);
	arena_destroy(arena);
	return status;
}
