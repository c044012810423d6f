/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process("BUILD-ID"): the file that has it: the program of -c or -x, or among links of
 * distributions that keep some by build-id, what runs here, what $PATH leads to, and the system's
 * libraries. The first found stands for all, which are the same.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/build_id.h"
#include "base/file.h"
#include "base/path_search.h"
#include "probe/library.h"
#include "probe/point.h"
#include "probe/process.h"
#include "target/objects.h"
#include "target/target.h"

#define DIGITS (2 * BUILD_ID_SIZE)

/* One search. */
struct search {
	struct probe_env *env;
	char wanted[BUILD_ID_HEX]; /* in lower case */
	const char *found;         /* canonical; NULL: not yet */
};

bool process_is_build_id(const char *text)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");

	return n >= DIGITS && !text[n];
}

/*
 * What is read is the file that the link's text means here: the link of a process in a mount
 * namespace of its own leads to a file that may have no path in this one, or whose path is another
 * file's.
 */
static void look_at(struct search *s, const char *path)
{
	unsigned char id[BUILD_ID_SIZE];
	char text[BUILD_ID_HEX], real[PATH_MAX];
	struct stat st;

	if (!realpath(path, real) || stat(real, &st) || !S_ISREG(st.st_mode) ||
	    !target_build_id_of(real, id))
		return;
	build_id_hex(id, text);
	if (!strcmp(text, s->wanted))
		s->found = arena_strdup(s->env->arena, real);
}

/* All names in DIR, with SUFFIX behind each; what cannot be read has none. */
static void look_in(struct search *s, const char *dir, const char *suffix)
{
	DIR *d = s->found ? NULL : opendir(dir);
	const struct dirent *e;

	while (d && !s->found && (e = readdir(d)))
		if (*e->d_name != '.')
			look_at(s, arena_printf(s->env->arena, "%s/%s%s", dir, e->d_name, suffix));
	if (d)
		closedir(d);
}

static void look_in_each(struct search *s, const char *dirs)
{
	char dir[PATH_MAX];

	while (!s->found && path_next(&dirs, dir))
		look_in(s, dir, "");
}

/* The program of -c or -x. */
static void look_at_target(struct search *s)
{
	const char *why, *file = s->env->command || s->env->target_pid
					 ? process_target_file(s->env, &why)
					 : NULL;

	if (file)
		look_at(s, file);
}

/* Links by build-id: of Fedora and its kin, and of debuginfo packages. */
static void look_at_links(struct search *s)
{
	static const char *const dirs[] = { "/usr/lib", "/usr/lib/debug" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs) && !s->found; i++)
		look_at(s, arena_printf(s->env->arena, "%s/.build-id/%.2s/%s", dirs[i], s->wanted,
					s->wanted + 2));
}

void process_find_build_id(struct probe_env *env, const char *text, struct process_files *ret,
			   const char **why)
{
	struct search s = { .env = env };

	for (size_t i = 0; i < DIGITS; i++)
		s.wanted[i] = (char)tolower((unsigned char)text[i]);
	if (env->sysroot) {
		*why = " (files below a sysroot are not looked for by build-id)";
		return;
	}
	if (!text[DIGITS]) {
		look_at_target(&s);
		if (!s.found)
			look_at_links(&s);
		if (!env->is_remote)
			look_in(&s, "/proc", "/exe");
		look_in_each(&s, path_directories());
		look_in_each(&s,
			     library_directories(env->arena, target_system_machine(env->target)));
	}
	if (s.found)
		vec_push(env->arena, ret, s.found);
	else
		*why = arena_printf(env->arena,
				    " (no program that runs here, is in $PATH or a library of the "
				    "system has the build-id %s)",
				    text);
}
