/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cases as they lie in folders. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "runner.h"

/* Directives at the top of PATH, if it is there. */
static struct error *read_directives(struct arena *arena, struct test_case *tc, const char *path)
{
	struct error *err;
	char *text;
	size_t len;

	if (!file_exists(path))
		return NULL;
	err = file_read(path, &text, &len);
	if (err)
		return err;
	test_directives_parse(arena, tc, text);
	free(text);
	return NULL;
}

static struct error *add_case(struct test_list *list, const char *path)
{
	struct arena *arena = list->arena;
	struct test_case *tc = arena_new(arena, struct test_case);
	char real[4096], *slash;
	struct error *err;
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
	tc->kernels = KERNELS_DEFAULT;
	vec_push(arena, &list->cases, tc);
	err = read_directives(arena, tc, path_join(arena, tc->dir, "directives"));
	if (!err)
		err = read_directives(arena, tc, real);
	if (!err)
		test_directives_check(arena, tc);
	if (tc->kernels == KERNELS_DEFAULT)
		tc->kernels = test_is_for_guest(tc) ? KERNELS_EACH : KERNELS_ONE;
	return err;
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

		/* what cases use, no cases */
		if (name[0] != '.' && strcmp(name, "tapset") != 0 && !err)
			err = test_list_add(list, path_join(list->arena, path, name));
		free(names[i]);
	}
	free(names);
	return err;
}

/* One word of a shell line: blanks separate, quotes of either kind keep together what is inside. */
static const char *take_word(struct strbuf *word, const char *text)
{
	char quote = 0;

	for (; *text && (quote || (*text != ' ' && *text != '\t')); text++) {
		if (quote ? *text == quote : *text == '\'' || *text == '"')
			quote = quote ? 0 : *text;
		else
			strbuf_addc(word, *text);
	}
	return text;
}

char **test_case_arguments(struct arena *arena, const struct test_case *tc, int *ret_n)
{
	VEC(char *) words = { 0 };
	const char *text = tc->run ? tc->run : "";

	vec_push(arena, &words, arena_strdup(arena, tc->name ? tc->name : ""));
	while (*(text += strspn(text, " \t"))) {
		struct strbuf word;

		strbuf_init(&word);
		text = take_word(&word, text);
		vec_push(arena, &words, arena_strdup(arena, strbuf_cstr(&word)));
		strbuf_deinit(&word);
	}
	*ret_n = words.n;
	vec_push(arena, &words, NULL);
	return words.data;
}
