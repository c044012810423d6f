/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Indexing the debug information of many modules at once, on all CPUs, before a query that means
 * them all collects its answers.
 */
#include "target/dwarf.h"
#include "target/workers.h"

/* What fails will fail again where it is reported. */
static void prepare(void *arg, size_t i)
{
	struct target_object *const *modules = arg;

	dwarf_keep_index(modules[i]);
}

void dwarf_prepare(struct target *t, struct target_object *const *modules, size_t n)
{
	if (t->progress)
		t->progress(t->progress_arg,
			    arena_printf(t->arena,
					 "indexing the debug information of %zu modules, once", n));
	workers_run(t, n, prepare, (void *)modules);
}
