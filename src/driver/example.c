/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Examples by name, and the list of them. */
#include "driver/example.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/session.h"

/* For scandir(). */
static int is_script(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".stp");
}

/* "  NAME  WHAT", from the line "# NAME: WHAT" behind that of the licence. */
static void say_one(const struct session *s, const char *dir, const char *file)
{
	int len = (int)strlen(file) - (int)strlen(".stp");
	const char *what;
	struct error *err;
	char *text;
	size_t n;

	err = file_read(path_join(s->arena, dir, file), &text, &n);
	if (err) {
		error_destroy(err);
		return;
	}
	what = strstr(text, "\n# ");
	what = what ? strstr(what, ": ") : NULL;
	fprintf(stderr, "  %-13.*s %.*s\n", len, file, what ? (int)strcspn(what + 2, "\n") : 0,
		what ? what + 2 : "");
	free(text);
}

/*
 * In the order of their names, each with what its first line says; to standard error, as it follows
 * an error.
 */
static void say_all(const struct session *s, const char *dir)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_script, alphasort);

	fputs("The examples are:\n", stderr);
	for (int i = 0; i < n; i++) {
		say_one(s, dir, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/*
 * A name has no slash: examples are those of the library's folder only. The ".stp" may be left out.
 */
const char *example_path(const struct session *s, const char *name)
{
	const char *dir = path_join(s->arena, s->tapset_dir, "examples");
	const char *path = name ? path_join(s->arena, dir, name) : NULL;

	if (path && !strchr(name, '.'))
		path = arena_printf(s->arena, "%s.stp", path);
	if (path && !strchr(name, '/') && !access(path, R_OK))
		return path;
	if (name)
		fprintf(stderr, "ERROR: there is no example '%s'\n", name);
	else
		fputs("ERROR: --example needs the name of one\n", stderr);
	say_all(s, dir);
	return NULL;
}
