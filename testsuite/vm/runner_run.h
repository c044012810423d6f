/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of the suite on one kernel: the guest that serves it, and the verdict on each case. */
#ifndef SPILE_TESTSUITE_RUNNER_RUN_H
#define SPILE_TESTSUITE_RUNNER_RUN_H

#include "runner.h"

struct test_run {
	struct arena *arena;
	const char *stap, *staprun;
	const char *build_dir; /* where this program is */
	struct test_kernel kernel;
	unsigned int smp;
	unsigned int longer; /* --longer; 1 every day */
	bool update;
	bool harmed;      /* by the last case: its kernel complained, or a module was left in it */
	const char *temp; /* modules are copied here, each under a name no guest has seen */
	unsigned int n_modules;
	struct guest *guest;    /* NULL: none runs */
	bool guest_kaslr;       /* of that guest */
	const char *no_guest;   /* why none can be had, once known */
	unsigned int n_refused; /* in a row */
	unsigned int n_guests;  /* opened so far */
	double guest_seconds;   /* spent opening them */
};

enum test_verdict { TEST_PASSED, TEST_FAILED, TEST_SKIPPED };

/* The reason and the diff of a failure, or why it was skipped, are appended to WHY. */
enum test_verdict test_run_case(struct test_run *run, const struct test_case *tc,
				struct strbuf *why);
void test_run_end(struct test_run *run);
/* CPU time of the run so far in seconds: programs here, and guests. */
double test_run_cpu_seconds(const struct test_run *run);

#endif
