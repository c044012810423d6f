/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spile-program NUMBER SCRIPT EXPECTED: writes random program NUMBER and what it prints. Status 3:
 * it takes too long, and is not worth a run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "program.h"

static void write_or_exit(const char *path, const struct strbuf *text)
{
	struct error *err = file_write_atomic(path, text->s, text->len, 0644);

	if (err) {
		fprintf(stderr, "spile-program: %s\n", err->text);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct strbuf script, expected;
	struct arena *arena;
	struct program *p;
	const char *name;
	int status = 3;

	if (argc != 4) {
		fputs("Usage: spile-program NUMBER SCRIPT EXPECTED\n", stderr);
		return 2;
	}
	arena = arena_create();
	strbuf_init(&script);
	strbuf_init(&expected);
	p = program_make(arena, strtoull(argv[1], NULL, 10));
	program_write(p, &script);
	write_or_exit(argv[2], &script);
	name = strrchr(argv[2], '/');
	if (program_evaluate(p, name ? name + 1 : argv[2], &expected)) {
		write_or_exit(argv[3], &expected);
		printf("%u\n", p->max_errors);
		status = 0;
	}
	strbuf_deinit(&expected);
	strbuf_deinit(&script);
	arena_destroy(arena);
	return status;
}
