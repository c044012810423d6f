/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-mutate: mutated scripts against what stap promises for every script (judge.h). Script I of
 * seed S is always the same, whatever the number of jobs. Its last line is "N passed, N failed".
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "corpus.h"
#include "judge.h"

struct run {
	struct corpus corpus;
	struct judge judge;
	unsigned seed, first, count, jobs;
	const char *keep; /* folder for the scripts that fail, or NULL */
	bool print;       /* the scripts, instead of running stap */
};

static int usage(FILE *f, int status)
{
	fputs("Usage: spile-mutate [--stap PATH] [--seed N] [--first N] [--count N] [--jobs N] [--seconds N]\n"
	      "                    [--keep DIR] [--print] CASE-OR-FOLDER... [-- STAP-ARGUMENTS]\n"
	      "Runs stap (-p4, or with STAP-ARGUMENTS) on mutated scripts.\n",
	      f);
	return status;
}

static void make_script(const struct run *run, unsigned index, struct strbuf *text)
{
	struct random r = { ((uint64_t)run->seed << 32) + index * 0x1000193ull };

	corpus_mutate(&run->corpus, &r, text);
}

static struct error *keep_script(const struct run *run, unsigned index, const struct strbuf *text)
{
	struct error *err;
	char *path;

	if (!run->keep)
		return NULL;
	if (asprintf(&path, "%s/mutant_%u_%u.stp", run->keep, run->seed, index) < 0)
		return &error_no_memory;
	err = dir_create_all(run->keep);
	if (!err)
		err = file_write_atomic(path, text->s, text->len, 0644);
	free(path);
	return err;
}

/* Returns whether it passed; what did not is told in one write, so that jobs do not mix. */
static bool run_one(const struct run *run, unsigned index)
{
	struct strbuf text;
	struct error *err;
	char *verdict;

	strbuf_init(&text);
	make_script(run, index, &text);
	err = judge_script(&run->judge, text.s, text.len, &verdict);
	if (!err && verdict)
		err = keep_script(run, index, &text);
	if (err) {
		fprintf(stderr, "spile-mutate: %s\n", err->text);
		exit(2);
	}
	if (verdict) {
		printf("not ok --seed %u --first %u --count 1: %.3000s\n", run->seed, index,
		       verdict);
		fflush(stdout);
	}
	free(verdict);
	strbuf_deinit(&text);
	return !verdict;
}

/*
 * Job number job: every jobs-th script. Ends the process; status 0: all passed. The failures are
 * counted through fd.
 */
static void work(struct run *run, unsigned job, int fd)
{
	struct error *err;
	char *dir;

	err = dir_create_temp(run->corpus.arena, "spile-mutate", &dir);
	if (err) {
		fprintf(stderr, "spile-mutate: %s\n", err->text);
		exit(2);
	}
	run->judge.dir = dir;
	for (unsigned i = job; i < run->count; i += run->jobs)
		if (!run_one(run, run->first + i) && write(fd, "", 1) != 1)
			exit(2);
	error_destroy(dir_remove_all(dir));
	exit(0);
}

static int run_jobs(struct run *run)
{
	unsigned failed = 0;
	int fds[2], status;
	bool broken = false;
	char byte;

	if (pipe(fds)) {
		perror("spile-mutate");
		return 2;
	}
	for (unsigned job = 0; job < run->jobs; job++) {
		if (fork())
			continue;
		close(fds[0]);
		work(run, job, fds[1]);
	}
	close(fds[1]);
	while (read(fds[0], &byte, 1) == 1)
		failed++;
	while (wait(&status) > 0)
		broken |= !WIFEXITED(status) || WEXITSTATUS(status);
	if (broken)
		return 2;
	printf("%u passed, %u failed\n", run->count - failed, failed);
	return failed ? 1 : 0;
}

static void print_scripts(const struct run *run)
{
	struct strbuf text;

	strbuf_init(&text);
	for (unsigned i = 0; i < run->count; i++)
		make_script(run, run->first + i, &text);
	fwrite(text.s, 1, text.len, stdout);
	strbuf_deinit(&text);
}

enum { OPT_STAP = 256, OPT_SEED, OPT_FIRST, OPT_COUNT, OPT_JOBS, OPT_SECONDS, OPT_KEEP, OPT_PRINT };

static const struct option long_options[] = { { "stap", required_argument, NULL, OPT_STAP },
					      { "seed", required_argument, NULL, OPT_SEED },
					      { "first", required_argument, NULL, OPT_FIRST },
					      { "count", required_argument, NULL, OPT_COUNT },
					      { "jobs", required_argument, NULL, OPT_JOBS },
					      { "seconds", required_argument, NULL, OPT_SECONDS },
					      { "keep", required_argument, NULL, OPT_KEEP },
					      { "print", no_argument, NULL, OPT_PRINT },
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };

/* False: not an option, or no number. */
static bool set_option(struct run *run, int option, char *value)
{
	unsigned *numbers[] = { &run->seed, &run->first, &run->count, &run->jobs,
				&run->judge.seconds };
	char *end = NULL;

	if (option == OPT_STAP)
		run->judge.stap = value;
	else if (option == OPT_KEEP)
		run->keep = value;
	else if (option == OPT_PRINT)
		run->print = true;
	else if (option >= OPT_SEED && option <= OPT_SECONDS)
		*numbers[option - OPT_SEED] = strtoul(value, &end, 10);
	else
		return false;
	return !end || (*value && !*end);
}

int main(int argc, char **argv)
{
	static const char *const compile[] = { "-p4", NULL };
	struct run run = { .corpus.arena = arena_create(),
			   .judge = { .stap = "stap", .arguments = compile, .seconds = 30 },
			   .seed = 1,
			   .count = 300,
			   .jobs = sysconf(_SC_NPROCESSORS_ONLN) };
	int option, status = 0, last = argc;

	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			run.judge.arguments = (const char *const *)&argv[i + 1];
			last = i;
			break;
		}
	while ((option = getopt_long(last, argv, "h", long_options, NULL)) != -1) {
		if (option == 'h')
			return usage(stdout, 0);
		if (!set_option(&run, option, optarg))
			return usage(stderr, 2);
	}
	for (; optind < last; optind++) {
		struct error *err = corpus_add(&run.corpus, argv[optind]);

		if (err) {
			fprintf(stderr, "spile-mutate: %s\n", err->text);
			return 2;
		}
	}
	if (!run.corpus.scripts.n || !run.jobs)
		return usage(stderr, 2);
	if (run.print)
		print_scripts(&run);
	else
		status = run_jobs(&run);
	arena_destroy(run.corpus.arena);
	return status;
}
