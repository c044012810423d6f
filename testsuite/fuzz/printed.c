/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-printed: the text of -p1 is a script that gives the same text again, for every script
 * (*.stp) below the folders it is given that pass 1 accepts, and for mutations of them. Prints
 * where that is not so, and how many were compared.
 */
#include <ftw.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/tree.h"
#include "base/file.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "corpus.h"
#include "diag/render.h"
#include "parse/parse.h"

static struct {
	struct arena *arena;
	VEC(const char *) macros; /* .stpm files */
	size_t compared, failed;
} run;

static const char *config_value(const char *name, void *data)
{
	return strcmp(name, "CONFIG_HZ") ? "y" : "250";
}

/* One pass 1, all of it in the arena. */
struct pass {
	struct arena *arena;
	struct diag_sink *sink;
	struct parser *parser;
};

/* For parse_on_macros(). */
static void read_macros(void *arg)
{
	struct pass *p = arg;

	vec_foreach(path, &run.macros) {
		size_t len;
		char *text;
		struct error *err = file_read(*path, &text, &len);

		if (err ||
		    !parse_macro_file(p->parser, *path, arena_strndup(p->arena, text, len), len)) {
			fprintf(stderr, "spile-printed: %s: %s\n", *path,
				err ? err->text : "no macro file");
			exit(2);
		}
		free(text);
	}
}

static void pass_begin(struct pass *p)
{
	static const char *const args[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9" };
	struct parse_env env = { .kernel_vr = "6.1.0-56-amd64",
				 .arch = "x86_64",
				 .compatible = "5.6",
				 .runtime = "kernel",
				 .privilege = "stapdev",
				 .guru = true,
				 .config = config_value,
				 .args = args,
				 .n_args = 9 };

	p->arena = arena_create();
	p->sink = diag_sink_create(p->arena, source_map_create(p->arena));
	env.macros = arena_new(p->arena, struct map);
	map_init(env.macros, p->arena);
	p->parser = parser_create(p->arena, interner_create(p->arena), p->sink, &env);
	parse_on_macros(p->parser, read_macros, p);
}

/* The text of -p1 into RET; false: refused. */
static bool print_script(struct pass *p, const char *name, const char *text, size_t len,
			 struct strbuf *ret)
{
	const struct ast_file *file = parse_text(p->parser, name, text, len, false);

	if (!file || diag_error_count(p->sink))
		return false;
	ast_print_file(file, ret);
	return true;
}

static void complain(const char *name, const char *what, const struct strbuf *text,
		     const struct strbuf *again)
{
	run.failed++;
	printf("not ok %s: %s\n%.*s\n----\n%.*s\n", name, what, (int)text->len, text->s,
	       (int)again->len, again->s);
}

/* NAME, whose text is given, is printed, read and printed. */
static void compare(const char *name, const char *script, size_t len)
{
	struct diag_style style = { .verbose = 1 };
	struct strbuf text, again;
	struct pass one, two;

	strbuf_init(&text);
	strbuf_init(&again);
	pass_begin(&one);
	if (print_script(&one, "<input>", script, len, &text)) {
		run.compared++;
		pass_begin(&two);
		if (!print_script(&two, "<input>", strbuf_cstr(&text), text.len, &again)) {
			diag_render(two.sink, 0, &style, &again);
			complain(name, "the text of -p1 is refused", &text, &again);
		} else if (text.len != again.len || memcmp(text.s, again.s, text.len)) {
			complain(name, "the text of -p1 gives another text", &text, &again);
		}
		arena_destroy(two.arena);
	}
	arena_destroy(one.arena);
	strbuf_deinit(&text);
	strbuf_deinit(&again);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *at)
{
	const char *end = strrchr(path, '.');
	struct error *err;
	size_t len;
	char *text;

	if (type != FTW_F || !end || strcmp(end, ".stp"))
		return 0;
	err = file_read(path, &text, &len);
	if (err) {
		fprintf(stderr, "spile-printed: %s\n", err->text);
		return 1;
	}
	compare(path, text, len);
	free(text);
	return 0;
}

static void compare_mutations(const struct corpus *corpus, unsigned seed, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct random r = { ((uint64_t)seed << 32) + i * 0x1000193ull };
		struct strbuf text;
		char name[40];

		strbuf_init(&text);
		corpus_mutate(corpus, &r, &text);
		snprintf(name, sizeof(name), "mutation %u of seed %u", i, seed);
		compare(name, strbuf_cstr(&text), text.len);
		strbuf_deinit(&text);
	}
}

/* --mutations N, --seed N and --macros FILE; false: anything else. */
static bool read_options(int argc, char **argv, unsigned *n, unsigned *seed)
{
	static const struct option options[] = { { "mutations", required_argument, NULL, 'n' },
						 { "seed", required_argument, NULL, 's' },
						 { "macros", required_argument, NULL, 'm' },
						 { NULL, 0, NULL, 0 } };
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'n')
			*n = strtoul(optarg, NULL, 10);
		else if (option == 's')
			*seed = strtoul(optarg, NULL, 10);
		else if (option == 'm')
			vec_push(run.arena, &run.macros, optarg);
		else
			return false;
	}
	return optind < argc;
}

int main(int argc, char **argv)
{
	struct corpus corpus = { .arena = arena_create() };
	unsigned n = 0, seed = 1;

	run.arena = corpus.arena;
	if (!read_options(argc, argv, &n, &seed)) {
		fputs("Usage: spile-printed [--mutations N] [--seed N] [--macros FILE]... FOLDER...\n",
		      stderr);
		return 2;
	}
	for (; optind < argc; optind++) {
		struct error *err = corpus_add(&corpus, argv[optind]);

		if (err || nftw(argv[optind], visit, 20, FTW_PHYS)) {
			fprintf(stderr, "spile-printed: %s\n", err ? err->text : argv[optind]);
			return 2;
		}
	}
	if (corpus.scripts.n)
		compare_mutations(&corpus, seed, n);
	printf("%zu compared, %zu failed\n", run.compared, run.failed);
	arena_destroy(corpus.arena);
	return run.failed || !run.compared;
}
