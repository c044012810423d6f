/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "runner.h"

static void set_match(struct arena *arena, struct test_case *tc, enum test_match *match,
		      const char *value)
{
	static const char *const names[] = { "exact", "regex", "contains", "lines" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(value, names[i]) == 0) {
			*match = i;
			return;
		}
	tc->mistake = arena_printf(arena, "%s is none of exact, regex, contains, lines", value);
}

static void set_directive(struct arena *arena, struct test_case *tc, const char *name,
			  const char *value)
{
	const struct {
		const char *name;
		const char **where;
	} texts[] = {
		{ "run", &tc->run },           { "staprun", &tc->staprun }, { "shell", &tc->shell },
		{ "requires", &tc->requires }, { "trigger", &tc->trigger }, { "after", &tc->after },
		{ "skip", &tc->skip },         { "session", &tc->session },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(name, texts[i].name) == 0) {
			*texts[i].where = value;
			return;
		}
	if (strcmp(name, "host") == 0)
		tc->host = strcmp(value, "0") != 0;
	else if (strcmp(name, "status") == 0)
		tc->status = atoi(value);
	else if (strcmp(name, "timeout") == 0)
		tc->timeout = atof(value);
	else if (strcmp(name, "match") == 0)
		set_match(arena, tc, &tc->match, value);
	else if (strcmp(name, "errors") == 0)
		set_match(arena, tc, &tc->errors, value);
	else
		tc->mistake = arena_printf(arena, "unknown directive \"%s\"", name);
}

/* "# name: value" with a lower-case word for its name; anything else in the comment is prose. */
static void parse_line(struct arena *arena, struct test_case *tc, const char *line, size_t len)
{
	const char *end = line + len, *name, *colon;

	while (line < end && (*line == '#' || *line == ' ' || *line == '\t'))
		line++;
	name = line;
	while (line < end && ((*line >= 'a' && *line <= 'z') || *line == '-'))
		line++;
	colon = line;
	if (colon == name || colon == end || *colon != ':' || (colon + 1 < end && colon[1] != ' '))
		return;
	for (line = colon + 1; line < end && *line == ' '; line++)
		continue;
	set_directive(arena, tc, arena_strndup(arena, name, colon - name),
		      arena_strndup(arena, line, end - line));
}

static struct error *parse_directives(struct arena *arena, struct test_case *tc, const char *path)
{
	struct error *err;
	const char *line;
	char *text;
	size_t len;

	err = file_read(path, &text, &len);
	if (err)
		return err;
	for (line = text; *line;) {
		size_t n = strcspn(line, "\n");

		if (n && line[0] != '#')
			break;
		parse_line(arena, tc, line, n);
		line += n + (line[n] == '\n');
	}
	free(text);
	return NULL;
}

static struct error *add_case(struct test_list *list, const char *path)
{
	struct arena *arena = list->arena;
	struct test_case *tc = arena_new(arena, struct test_case);
	char real[4096], *slash;
	size_t stem;

	if (!realpath(path, real))
		return error_create_errno(errno, "%s", path);
	slash = strrchr(real, '/');
	stem = strlen(real) - strlen(".stp");
	tc->name = arena_strndup(arena, path, strlen(path) - strlen(".stp"));
	tc->dir = arena_strndup(arena, real, slash - real);
	tc->script = arena_strdup(arena, slash + 1);
	tc->out_path = arena_printf(arena, "%.*s.out", (int)stem, real);
	tc->err_path = arena_printf(arena, "%.*s.err", (int)stem, real);
	tc->timeout = 30;
	tc->errors = MATCH_LINES;
	vec_push(arena, &list->cases, tc);
	return parse_directives(arena, tc, real);
}

static bool is_script(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && strcmp(path + n - 4, ".stp") == 0;
}

struct error *test_list_add(struct test_list *list, const char *path)
{
	struct error *err = NULL;
	struct dirent **names;
	struct stat st;
	int n;

	if (stat(path, &st) < 0)
		return error_create_errno(errno, "%s", path);
	if (!S_ISDIR(st.st_mode))
		return is_script(path) ? add_case(list, path) : NULL;
	n = scandir(path, &names, NULL, alphasort);
	if (n < 0)
		return error_create_errno(errno, "%s", path);
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		if (name[0] != '.' && !err)
			err = test_list_add(list, path_join(list->arena, path, name));
		free(names[i]);
	}
	free(names);
	return err;
}
