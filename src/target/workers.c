/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See workers.h. Children of a process that is still small cost little to make. Objects differ much
 * in size, so each child takes the next number that no other has taken.
 */
#include "target/workers.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/subprocess.h"
#include "target/internal.h"

#define MAX_WORKERS 16

void *workers_memory(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void workers_free(void *memory, size_t size)
{
	munmap(memory, size);
}

/* The child's number, or -1. */
static pid_t start(struct target *t, atomic_size_t *next, size_t n,
		   void (*work)(void *arg, size_t i), void *arg)
{
	pid_t pid;

	cleanup_hold();
	pid = fork();
	if (pid == 0) {
		cleanup_in_child();
		t->progress = NULL;
		t->notice = NULL;
		t->warning = NULL;
		for (size_t i; (i = atomic_fetch_add(next, 1)) < n;)
			work(arg, i);
		_exit(0);
	}
	if (pid > 0)
		cleanup_add_child(pid, false);
	cleanup_release();
	return pid;
}

void workers_run(struct target *t, size_t n, void (*work)(void *arg, size_t i), void *arg)
{
	long n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n_workers = n_cpus < 1 ? 1 : n_cpus > MAX_WORKERS ? MAX_WORKERS : (size_t)n_cpus;
	atomic_size_t *next = workers_memory(sizeof(*next));
	pid_t workers[MAX_WORKERS];

	if (!next)
		return;
	for (size_t i = 0; i < n_workers; i++)
		workers[i] = start(t, next, n, work, arg);
	for (size_t i = 0; i < n_workers; i++) {
		int status;

		if (workers[i] > 0)
			error_destroy(subprocess_wait(workers[i], &status));
	}
	workers_free(next, sizeof(*next));
}
