/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun's command line. staprun may be set-uid root, so what is parsed here comes from a caller
 * without privileges: numbers and forms are checked, texts are passed to the reader, which runs
 * as the caller, or to the module as parameters.
 */
#ifndef SPILE_LOADER_OPTIONS_H
#define SPILE_LOADER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Texts point into argv; NULL, 0 or false: not given. */
struct loader_options {
	const char *module;  /* path of a .ko, or a name with -A and -d */
	char *const *params; /* name=value, n_params of them; with -d more names */
	size_t n_params;
	const char *command;    /* -c */
	const char *target;     /* -x */
	const char *namespaces; /* -N */
	const char *output;     /* -o */
	const char *rotation;   /* -S */
	const char *color;      /* -C */
	const char *poll_ms;    /* -T */
	const char *timeout;    /* --timeout */
	/* --parent: who started us; the session ends when it dies. 0: it may go on */
	int parent;
	unsigned buffer_mb; /* -b; 0: the module's choice */
	unsigned verbose;
	bool no_warnings;
	bool progress;  /* --progress */
	bool rename;    /* -R */
	bool remove;    /* -d */
	bool attach;    /* -A */
	bool load_only; /* -L */
	bool daemon;    /* -D */
};

/*
 * -1: go on, with *opt filled; else the exit status, after help, version or a complaint was
 * printed.
 */
int loader_options_parse(struct loader_options *opt, int argc, char **argv);

#endif
