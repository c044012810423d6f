/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Indexing the debug information of many modules at once, on all CPUs, before a query that means
 * them all collects its answers: children of a process that is still small cost little to make.
 */
#include <unistd.h>

#include "base/cleanup.h"
#include "base/subprocess.h"
#include "target/dwarf.h"

#define MAX_WORKERS 16

/* Indexes every STEP-th module from FIRST on. What fails will fail again where it is reported. */
static void work(struct target_object *const *modules, size_t n, size_t first, size_t step)
{
	for (size_t i = first; i < n; i += step)
		dwarf_keep_index(modules[i]);
}

/* The worker's number, or -1. What it asks of the target is lost with it, all but the cache. */
static pid_t start_worker(struct target *t, struct target_object *const *modules, size_t n,
			  size_t first, size_t step)
{
	pid_t pid;

	cleanup_hold();
	pid = fork();
	if (pid == 0) {
		cleanup_in_child();
		t->progress = NULL;
		t->notice = NULL;
		work(modules, n, first, step);
		_exit(0);
	}
	if (pid > 0)
		cleanup_add_child(pid, false);
	cleanup_release();
	return pid;
}

void dwarf_prepare(struct target *t, struct target_object *const *modules, size_t n)
{
	long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n_workers = n_cpus < 1 ? 1 : n_cpus > MAX_WORKERS ? MAX_WORKERS : (size_t)n_cpus;
	pid_t workers[MAX_WORKERS];

	if (t->progress)
		t->progress(t->progress_arg,
			    arena_printf(t->arena,
					 "indexing the debug information of %zu modules, once", n));
	for (size_t i = 0; i < n_workers; i++)
		workers[i] = start_worker(t, modules, n, i, n_workers);
	for (size_t i = 0; i < n_workers; i++) {
		int status;

		if (workers[i] > 0)
			error_destroy(subprocess_wait(workers[i], &status));
	}
}
