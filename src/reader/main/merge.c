/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap-merge: the files of bulk mode (stap -b) as one text, in the order in which it was printed.
 * The exit status is 0 or 1.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "reader/bulk.h"

/* A file with the header of its next portion. */
struct source {
	const char *path;
	FILE *file;
	struct bulk_header next;
	bool there; /* next is */
};

static int usage(FILE *to, int status)
{
	fputs("Usage: stap-merge [-v] [-o FILE] FILE...\n"
	      "Puts the files of stap -b together.\n"
	      "  -v       say of each portion from which file it is, its number and length\n"
	      "  -o FILE  write to FILE instead of standard output\n",
	      to);
	return status;
}

/* False, after a complaint, when the file is damaged. */
static bool read_header(struct source *s)
{
	size_t n = fread(&s->next, 1, sizeof(s->next), s->file);

	s->there = n == sizeof(s->next);
	if (s->there || (!n && !ferror(s->file)))
		return true;
	fprintf(stderr, "stap-merge: %s: %s\n", s->path,
		ferror(s->file) ? strerror(errno) : "it ends within a portion");
	return false;
}

static bool open_sources(struct source *sources, char **paths, int n)
{
	for (int i = 0; i < n; i++) {
		sources[i].path = paths[i];
		sources[i].file = fopen(paths[i], "re");
		if (!sources[i].file) {
			fprintf(stderr, "stap-merge: %s: %s\n", paths[i], strerror(errno));
			return false;
		}
		if (!read_header(&sources[i]))
			return false;
	}
	return true;
}

/* The file with the earliest portion, or NULL. */
static struct source *find_first(struct source *sources, int n)
{
	struct source *first = NULL;

	for (int i = 0; i < n; i++)
		if (sources[i].there && (!first || sources[i].next.sequence < first->next.sequence))
			first = &sources[i];
	return first;
}

/* The text of the portion, and the header behind it. */
static bool copy_portion(struct source *s, FILE *to)
{
	char buf[16384];
	size_t left = s->next.length;

	while (left) {
		size_t n = fread(buf, 1, left < sizeof(buf) ? left : sizeof(buf), s->file);

		if (!n) {
			fprintf(stderr, "stap-merge: %s: it ends within a portion\n", s->path);
			return false;
		}
		fwrite(buf, 1, n, to);
		left -= n;
	}
	return read_header(s);
}

static bool merge(struct source *sources, int n, bool verbose, FILE *to)
{
	unsigned long drops = 0, expected = 0;
	bool fine = true;
	struct source *s;

	while (fine && (s = find_first(sources, n))) {
		if (s->next.sequence > expected)
			drops += s->next.sequence - expected;
		expected = (unsigned long)s->next.sequence + 1;
		if (verbose)
			fprintf(to, "[CPU:%d, seq=%u, length=%u]\n", (int)(s - sources),
				s->next.sequence, s->next.length);
		fine = copy_portion(s, to);
	}
	if (drops)
		fprintf(to, "sequence had %lu drops\n", drops);
	return fine;
}

/* Says so when not all could be written. */
static bool finish(FILE *to)
{
	bool fine = !ferror(to);

	if (fclose(to) || !fine) {
		perror("stap-merge: writing");
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	const char *out = NULL;
	bool verbose = false, fine;
	struct source *sources;
	FILE *to = stdout;
	int c;

	file_guard_standard();
	while ((c = getopt(argc, argv, "vho:")) != -1) {
		if (c == 'v')
			verbose = true;
		else if (c == 'o')
			out = optarg;
		else
			return c == 'h' ? usage(stdout, 0) : usage(stderr, 1);
	}
	if (optind == argc)
		return usage(stderr, 1);
	sources = calloc(argc - optind, sizeof(*sources));
	if (!sources || !open_sources(sources, argv + optind, argc - optind))
		return 1;
	if (out)
		to = fopen(out, "we");
	if (!to) {
		fprintf(stderr, "stap-merge: %s: %s\n", out, strerror(errno));
		return 1;
	}
	fine = merge(sources, argc - optind, verbose, to);
	for (int i = 0; i < argc - optind; i++)
		fclose(sources[i].file);
	free(sources);
	return finish(to) && fine ? 0 : 1;
}
