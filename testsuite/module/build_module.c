/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_module [-k SPEC] [-c CACHE] [-g GURU.c] [-O LEVEL] [-n NAME] [-r REPEAT] [-K KEEP-DIR] RUNTIME SCRIPT.c OUT.ko
 *
 * Compile a C text as pass 4 does. Prints the base's directory, its notes, and for each repetition the wall time of the steps and the
 * processor time of all, in microseconds. Without SCRIPT.c and OUT.ko it only prepares the base.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "module/module.h"

static long cpu_microseconds(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	return (self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec +
		children.ru_stime.tv_sec) *
		       1000000L +
	       self.ru_utime.tv_usec + self.ru_stime.tv_usec + children.ru_utime.tv_usec +
	       children.ru_stime.tv_usec;
}

static int fail(struct error *err)
{
	fprintf(stderr, "ERROR: %s\n", err->text);
	if (err->hint)
		fprintf(stderr, "hint: %s\n", err->hint);
	error_destroy(err);
	return 1;
}

static void show_step(void *arg, const char *what, unsigned done, unsigned total)
{
	fprintf(stderr, "%u/%u %s\n", done, total, what);
}

static int compile(struct module_base *base, struct module_request *request, unsigned repeat,
		   const char *script, const char *guru)
{
	char *text, *guru_text = NULL;
	struct error *err;
	size_t len;

	err = file_read(script, &text, &len);
	if (!err && guru)
		err = file_read(guru, &guru_text, &len);
	request->script = text;
	request->guru = guru_text;
	for (; !err && repeat; repeat--) {
		struct module_times t;
		long before = cpu_microseconds();

		err = module_compile(base, request, &t);
		if (!err)
			printf("compile %u guru %u objtool %u check %u link %u cpu %ld\n",
			       t.compile, t.guru, t.objtool, t.check, t.link,
			       cpu_microseconds() - before);
	}
	free(guru_text);
	if (err)
		return fail(err);
	free(text);
	return 0;
}

int main(int argc, char **argv)
{
	const char *spec = NULL, *cache = NULL, *guru = NULL;
	struct module_request request = { .name = "stap_test", .opt_level = MODULE_OPT_AUTO };
	struct module_progress progress = { show_step, NULL };
	struct module_kernel *kernel;
	struct module_base *base;
	unsigned repeat = 1;
	struct error *err;
	long before;
	int c, status = 0;

	while ((c = getopt(argc, argv, "k:c:g:O:n:r:K:")) != -1) {
		switch (c) {
		case 'k':
			spec = optarg;
			break;
		case 'c':
			cache = optarg;
			break;
		case 'g':
			guru = optarg;
			break;
		case 'O':
			request.opt_level = atoi(optarg);
			break;
		case 'n':
			request.name = optarg;
			break;
		case 'r':
			repeat = (unsigned)atoi(optarg);
			break;
		case 'K':
			request.keep_dir = optarg;
			break;
		default:
			return 2;
		}
	}
	if (argc - optind != 1 && argc - optind != 3)
		return 2;
	err = module_kernel_open(spec, &kernel);
	if (err)
		return fail(err);
	before = cpu_microseconds();
	err = module_base_prepare(kernel, argv[optind], cache ? cache : module_cache_default_dir(),
				  &progress, &base);
	if (err)
		return fail(err);
	printf("%s\nprepare cpu %ld\n", module_base_dir(base), cpu_microseconds() - before);
	for (const char *const *note = module_base_notes(base); *note; note++)
		printf("note: %s\n", *note);
	if (argc - optind == 3) {
		request.out = argv[optind + 2];
		status = compile(base, &request, repeat, argv[optind + 1], guru);
	}
	module_base_close(base);
	module_kernel_close(kernel);
	return status;
}
