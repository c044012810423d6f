/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One stap run: what the command line asked for, where things are on this machine, and what each
 * pass left for the next. Passes themselves get const input and never see it.
 */
#ifndef SPILE_DRIVER_SESSION_H
#define SPILE_DRIVER_SESSION_H

#include "ast/ast.h"
#include "backend/backend.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "driver/options.h"
#include "library/library.h"
#include "module/module.h"
#include "parse/parse.h"
#include "probe/family.h"

struct session {
	struct options options;
	struct arena *arena;
	struct interner *in;
	struct source_map *map;
	struct diag_sink *sink;
	size_t rendered; /* diagnostics already shown */

	/* where things are */
	const char *tapset_dir, *runtime_dir, *staprun;
	const char *cache_dir; /* NULL: none, caching is off */
	const char *tmpdir;    /* made by the first who needs it */

	/* the kernel to compile for */
	const char *release;          /* as found or asked */
	const char *kernel_spec;      /* for module_kernel_open; NULL: the running one */
	struct module_kernel *kernel; /* NULL: no build tree; kernel_error says why */
	struct error *kernel_error;
	struct target *target; /* opened on first need; NULL: target_error says why */
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
	const struct backend *backend; /* NULL: none was needed */
	struct backend_job job;
	/* --remote: the guest that comes up meanwhile, until the back end takes it */
	struct remote_guest *guest;
	volatile bool
		ran; /* pass 5 was begun and is over; read by the thread that serves signals */
};

/* Finds the machine's side of things. Only broken files are errors; a missing kernel or cache is
 * not yet one. */
struct error *session_open(struct session *s) ERROR_MUST_CHECK;
void session_close(struct session *s); /* removes the temporary directory unless -k */
/* The temporary directory, made when first asked for. */
struct error *session_tmpdir(struct session *s, const char **ret) ERROR_MUST_CHECK;
/* Gives the back end its job: options and places. After session_open; an error: a wrong option. */
struct error *session_open_job(struct session *s) ERROR_MUST_CHECK;
/* --clean-cache */
struct error *session_clean_cache(struct session *s) ERROR_MUST_CHECK;
/* Opens the target once and fills probe_env. */
void session_need_target(struct session *s);
/* Show the diagnostics collected since the last call; returns false when an error was among them. */
bool session_show_diagnostics(struct session *s);
/* How many like them were left out: the last words on stderr. */
void session_show_suppressed(struct session *s);
/* One struct error on stderr, hint included; destroys it. */
void session_show_error(struct error *err);

#endif
