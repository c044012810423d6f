/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * base.o must be made again when anything it is made of changed. Files are told apart by path, size
 * and times rather than read: that takes a tenth of a millisecond for the sixty of them, on every
 * start. Not by inode: a guest sees the host's files under other numbers, and the change time tells
 * as much.
 */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/intern.h"
#include "base/path_search.h"
#include "module/base.h"

/* Changes with what base_build writes. */
#define BASE_FORMAT "4"

/* With its NUL, so that two texts do not run together. *S is the sum so far. */
static void add_text(uint64_t *s, const char *text)
{
	*s = hash_bytes64(text, strlen(text) + 1, *s);
}

/* Name, size, change and modification time. */
static void add_stat(uint64_t *s, const char *name, const struct stat *st)
{
	const int64_t facts[] = { st->st_size, st->st_ctim.tv_sec, st->st_ctim.tv_nsec,
				  st->st_mtim.tv_sec, st->st_mtim.tv_nsec };

	add_text(s, name);
	*s = hash_bytes64(facts, sizeof(facts), *s);
}

static void add_file(uint64_t *s, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		add_text(s, "none");
	else
		add_stat(s, path, &st);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* What the runtime is compiled from, and its tables; documents beside them do not count. */
static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".def") ||
		       !strcmp(dot, ".list"));
}

/* Every source below DIR, in the order of names, links followed. */
static struct error *add_tree(uint64_t *s, const char *dir)
{
	char *paths[] = { (char *)dir, NULL };
	FTS *fts = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	size_t below = strlen(dir);
	FTSENT *e;
	unsigned n = 0;

	if (!fts)
		return error_create_errno(errno, "cannot read the runtime's directory %s", dir);
	while ((e = fts_read(fts))) {
		if (e->fts_info == FTS_F && is_source(e->fts_name)) {
			add_stat(s, e->fts_path + below, e->fts_statp);
			n++;
		}
	}
	fts_close(fts);
	if (!n)
		return error_hint(error_create("the runtime's directory %s has no sources", dir),
				  "the installation is incomplete, or -R or SYSTEMTAP_RUNTIME "
				  "names another directory");
	return NULL;
}

/* The program a name in PATH means now. */
static void add_program(uint64_t *s, const char *name)
{
	char file[PATH_MAX];

	if (!strchr(name, '/') && path_search(name, file))
		add_file(s, file);
}

struct error *base_id(struct module_kernel *kernel, const char *runtime_dir, const char *cc,
		      struct arena *arena, const char **ret)
{
	struct error *err;
	uint64_t s = 0;

	add_text(&s, BASE_FORMAT);
	add_text(&s, kernel->release);
	add_text(&s, kernel->build);
	add_file(&s, kernel->symvers_path);
	add_file(&s, path_join(arena, kernel->build, ".config"));
	add_file(&s, path_join(arena, kernel->build, "include/generated/autoconf.h"));
	for (size_t i = 0; i < kernel->n_make_variables; i++)
		add_text(&s, kernel->make_variables[i]);
	add_text(&s, cc);
	add_program(&s, cc);
	add_text(&s, runtime_dir);
	err = add_tree(&s, runtime_dir);
	if (err)
		return err;
	*ret = arena_printf(arena, "%s-%016llx", kernel->release, (unsigned long long)s);
	return NULL;
}
