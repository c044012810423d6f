/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types that header files declare: @cast(p, "sockaddr_un", "<sys/un.h>") of programs, "kernel<linux/fs.h>" of the kernel's
 * own. The headers are compiled to an object with nothing in it but BTF of all their types (gcc -gbtf, from version 12 on), kept
 * in the cache with the list of files that went into it: it is made again when one of those is newer.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/subprocess.h"
#include "diag/diag.h"
#include "target/internal.h"

/* A list of words for a command line. */
struct words {
	const char **data;
	size_t n, cap;
};

/* Headers whose types were asked for; problem is NULL when types can be used. */
struct target_headers {
	const char *text; /* as asked for: "<a.h><b.h>", "kernel" in front of the kernel's */
	struct image image;
	struct btf_types types;
	const char *problem, *hint;
};

/* Appends "-include NAME" for each <NAME>; false: it is no such list. */
static bool add_headers(struct arena *arena, const char *text, struct words *ret)
{
	while (*text == '<') {
		size_t n = strcspn(text + 1, "<>\n");

		if (!n || text[1] == '-' || text[1 + n] != '>')
			return false;
		vec_push(arena, ret, "-include");
		vec_push(arena, ret, arena_strndup(arena, text + 1, n));
		text += n + 2;
	}
	return !*text;
}

static bool is_newer(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
						      : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/*
 * Is the object there, and older than nothing that it was made of? The list is one rule of make: words behind the colon,
 * backslashes at the ends of lines.
 */
static bool is_fresh(struct arena *arena, const char *object)
{
	const char *list = arena_printf(arena, "%s.d", object);
	struct stat made, st;
	char *text, *word, *save;
	bool fresh = true;
	struct error *err;
	size_t len;

	if (stat(object, &made))
		return false;
	err = file_read(list, &text, &len);
	error_destroy(err);
	if (err)
		return false;
	word = strstr(text, ": ");
	fresh = word != NULL;
	for (word = word ? strtok_r(word + 2, " \\\n", &save) : NULL; word && fresh;
	     word = strtok_r(NULL, " \\\n", &save))
		fresh = !stat(word, &st) && !is_newer(&st, &made);
	free(text);
	return fresh;
}

/* What the compiler found wrong first, without the name of its input, which is none of the user's. */
static const char *first_error(struct arena *arena, const char *text)
{
	const char *at = strstr(text, "error: ");

	at = at ? at + strlen("error: ") : text;
	return arena_strndup(arena, at, strcspn(at, "\n"));
}

/* Runs COMMAND, which writes OBJECT.new and its list, and puts both in their places. */
static void compile(struct target_headers *h, struct arena *arena, const char *const *command,
		    const char *object)
{
	const char *made = arena_printf(arena, "%s.%d", object, (int)getpid());
	const char *list = arena_printf(arena, "%s.d", made);
	const char *const env[] = { "LC_ALL=C", NULL };
	struct subprocess sp = { .argv = command,
				 .cwd = "/",
				 .env = env,
				 .in = SUBPROCESS_NULL,
				 .out = SUBPROCESS_NULL };
	char *out, *messages;
	size_t len;
	int status;
	struct error *err = subprocess_capture(&sp, &out, &len, &messages, &status);

	if (err) {
		h->problem = arena_printf(arena, "cannot compile %s: %s", h->text, err->text);
		error_destroy(err);
		return;
	}
	if (status)
		h->problem = arena_printf(arena, "%s does not compile: %s", h->text,
					  first_error(arena, messages));
	else if (rename(list, arena_printf(arena, "%s.d", object)) || rename(made, object))
		h->problem = arena_printf(arena, "cannot write %s: %s", object, strerror(errno));
	if (h->problem) {
		unlink(made);
		unlink(list);
	}
	free(out);
	free(messages);
}

static bool is_kernels(const struct target_headers *h)
{
	return h->text[0] != '<';
}

/* CACHE/headers/HASH.o, by what was asked for; the list of files says whether the kernel's tree has changed since. */
static const char *object_path(struct target *t, const struct target_headers *h)
{
	const char *dir = path_join(t->arena, target_cache_directory(t), "headers");
	uint64_t hash = hash_bytes64(h->text, strlen(h->text) + 1, 0);

	if (is_kernels(h) && t->root)
		hash = hash_bytes64(t->root, strlen(t->root) + 1, hash);
	if (is_kernels(h) && t->release)
		hash = hash_bytes64(t->release, strlen(t->release) + 1, hash);
	error_destroy(dir_create_all(dir));
	return arena_printf(t->arena, "%s/%016llx.o", dir, (unsigned long long)hash);
}

/* As kbuild compiles, which is asked for that. */
static void add_kernel_command(struct target *t, struct target_headers *h, struct words *ret)
{
	const char *const *words;
	struct error *err = t->header_command
				    ? t->header_command(t->progress_arg, t->arena, &words)
				    : error_create("the kernel's headers are not read here");

	if (err) {
		h->problem = arena_printf(t->arena, "cannot compile %s: %s", h->text, err->text);
		h->hint = err->hint ? arena_strdup(t->arena, err->hint) : NULL;
		error_destroy(err);
		return;
	}
	for (; *words; words++)
		vec_push(t->arena, ret, *words);
}

/* The command up to the names of what it makes; false: h->problem says why there is none. */
static bool make_command(struct target *t, struct target_headers *h, struct words *ret)
{
	const char *headers = strchr(h->text, '<');

	if (is_kernels(h))
		add_kernel_command(t, h, ret);
	else
		vec_push(t->arena, ret, "gcc");
	if (!h->problem && !add_headers(t->arena, headers, ret)) {
		h->problem = arena_printf(t->arena, "'%s' is no list of header files", h->text);
		h->hint = "write \"<a.h>\" or \"<a.h><b.h>\"";
	}
	return !h->problem;
}

/* Sees to it that the object is there. */
static const char *make_object(struct target *t, struct target_headers *h)
{
	struct words command = { 0 };
	const char *object = object_path(t, h), *made;

	if (is_fresh(t->arena, object))
		return object;
	if (!make_command(t, h, &command))
		return NULL;
	if (is_kernels(h) && t->progress)
		t->progress(t->progress_arg, arena_printf(t->arena, "compiling %s, once", h->text));
	made = arena_printf(t->arena, "%s.%d", object, (int)getpid());
	const char *const rest[] = { "-gbtf", "-fno-eliminate-unused-debug-types",
				     "-w",    "-MD",
				     "-MF",   arena_printf(t->arena, "%s.d", made),
				     "-c",    "-x",
				     "c",     "/dev/null",
				     "-o",    made,
				     NULL };
	for (const char *const *word = rest; *word; word++)
		vec_push(t->arena, &command, *word);
	vec_push(t->arena, &command, NULL);
	compile(h, t->arena, command.data, object);
	return h->problem ? NULL : object;
}

static void open_types(struct target *t, struct target_headers *h, const char *object)
{
	struct error *err = image_open(object, &h->image);
	struct image_section s;
	struct btf_name *names;

	btf_types_init(&h->types, t);
	if (!is_kernels(h))
		h->types.source.space = FETCH_USER;
	if (!err && (!image_section(&h->image, ".BTF", &s) || !s.data))
		err = error_create("the compiler wrote no BTF (gcc does from version 12 on)");
	if (!err)
		err = btf_open(s.data, s.size, NULL, NULL, 0, t->arena, &h->types.btf);
	if (err) {
		h->problem = arena_printf(t->arena, "types of %s: %s", h->text, err->text);
		error_destroy(err);
		return;
	}
	h->types.n_names = btf_names(&h->types.btf, t->arena, &names);
	h->types.names = names;
}

struct btf_types *headers_types(struct target *t, const char *text,
				struct target_type_result *problem)
{
	struct target_headers *h = NULL;
	const char *object;

	vec_foreach(known, &t->headers)
		if (!strcmp((*known)->text, text))
			h = *known;
	if (!h) {
		h = arena_new(t->arena, struct target_headers);
		*h = (struct target_headers){ .text = arena_strdup(t->arena, text) };
		vec_push(t->arena, &t->headers, h);
		object = make_object(t, h);
		if (object)
			open_types(t, h, object);
	}
	problem->tag = DIAG_HEADER_TYPES;
	problem->message = h->problem ? diag_text(t->arena, problem->tag, h->problem) : NULL;
	problem->hint = h->hint;
	return h->problem ? NULL : &h->types;
}

void headers_close(struct target *t)
{
	vec_foreach(h, &t->headers)
		image_close(&(*h)->image);
}
