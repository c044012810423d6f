/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One stap run: what the command line asked for, where things are on this machine, and what each
 * pass left for the next. Passes themselves get const input and never see it.
 *
 * There is one, made by main(), for one thread; the guard thread of base/cleanup reads ran and
 * options. All texts and trees are in its arena. What is not memory - kernel, target, guest,
 * temporary directory - is released by session_close().
 */
#ifndef SPILE_DRIVER_SESSION_H
#define SPILE_DRIVER_SESSION_H

#include "ast/ast.h"
#include "backend/backend.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "driver/options.h"
#include "library/library.h"
#include "parse/parse.h"
#include "probe/family.h"

/*
 * main() sets options, arena and backend, session_open() the rest but for what a comment says is
 * made later. What a pass leaves is NULL before it has run.
 */
struct session {
	struct options options;
	struct arena *arena;
	struct interner *in;
	struct source_map *map;
	struct diag_sink *sink;
	size_t rendered; /* diagnostics already shown */

	/* where things are */
	const char *tapset_dir, *runtime_dir, *staprun;
	/* what the build made of its tables; NULL: SYSTEMTAP_TAPSET is set */
	const char *tapset_made_dir;
	const char *cache_dir; /* NULL: none, caching is off */
	const char *tmpdir;    /* made by the first who needs it */

	/* the kernel to compile for */
	const char *release;          /* as found or asked */
	const char *kernel_root;      /* the directory of packages it is in; "" or NULL: "/" */
	const char *kernel_spec;      /* for the back end; NULL: the running one */
	struct backend_kernel kernel; /* not open: no build tree */
	struct target *target;        /* opened on first need; NULL: target_error says why */
	struct error *target_error;

	/* pass 1 */
	struct parse_env parse_env;
	struct parser *parser;
	struct library *library;
	VEC(struct ast_file *) files;
	/* pass 2 */
	struct probe_env probe_env;
	struct ir_program *program;
	/* passes 3 to 5 */
	const struct backend *backend;
	struct backend_job job;
	/* --remote: the guest that comes up meanwhile, until the back end takes it */
	struct remote_guest *guest;
	/* pass 5 was begun and is over; read by the thread that serves signals */
	volatile bool ran;
};

/*
 * Finds the machine's side of things, from options and environment. Only broken files are errors;
 * a missing kernel or cache is not yet one. May lower options.last_pass to 4, for a kernel that
 * does not run here.
 */
struct error *session_open(struct session *s) ERROR_MUST_CHECK;
/*
 * Releases what is no memory, and removes the temporary directory unless -k. The arena is the
 * caller's. After a successful session_open() only.
 */
void session_close(struct session *s);
/*
 * The temporary directory, made when first asked for: --tmpdir's, which stays, or one of its own.
 */
struct error *session_tmpdir(struct session *s, const char **ret) ERROR_MUST_CHECK;
/*
 * Gives the back end its job: options and environment. After session_open; an error: a wrong
 * option.
 */
struct error *session_open_job(struct session *s) ERROR_MUST_CHECK;
/*
 * --clean-cache: brings the cache of modules below its limit, whether it is time to or not. No
 * cache: nothing to do.
 */
struct error *session_clean_cache(struct session *s) ERROR_MUST_CHECK;
/*
 * Opens the target once and fills probe_env. Failure is no error here: probe_env then says why
 * there is none.
 */
void session_need_target(struct session *s);
/*
 * Show the diagnostics collected since the last call on standard error; returns false when an
 * error was among them, or, with -W, a warning.
 */
bool session_show_diagnostics(struct session *s);
/* How many like them were left out: the last words on stderr. */
void session_show_suppressed(struct session *s);
/* One struct error on stderr, hint included; destroys it. */
void session_show_error(struct error *err);
/*
 * What was printed so far, to standard output. False: some of it could not be written, now or
 * before, which is said on stderr.
 */
bool session_flush_output(void);

#endif
