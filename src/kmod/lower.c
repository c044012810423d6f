/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 3: the program as C, in memory; in a file too when people will want to read it (-v, -k).
 * Requires open, check and gather to have succeeded; ensures that k->script and k->guru hold the
 * whole text.
 */
#include <string.h>
#include <unistd.h>

#include "backend/limits.h"
#include "base/arena.h"
#include "base/file.h"
#include "emit/writer.h"
#include "kmod/internal.h"
#include "runtime/uapi/script.h"

/* Options that change no code: the runtime reads them from the script's table. */
static uint32_t script_flags(const struct backend_options *o)
{
	return (o->timing ? STP_SCRIPT_TIMING : 0) | (o->bulk ? STP_SCRIPT_BULK : 0) |
	       (limits_defined(o->defines, o->n_defines, "STP_TIMING_NSECS") ? STP_SCRIPT_NSECS
									     : 0) |
	       (limits_defined(o->defines, o->n_defines, "STP_ENTRY_KPROBES")
			? STP_SCRIPT_ENTRY_KPROBES
			: 0) |
	       (o->suppress_handler_errors ? STP_SCRIPT_SUPPRESS_ERRORS : 0) |
	       (o->suppress_time_limits ? STP_SCRIPT_NO_TIME_LIMITS : 0);
}

/* Both texts in one file, for people only: pass 4 takes them from memory. */
static struct error *write_source(struct backend_job *job)
{
	struct kmod *k = kmod_of(job);
	const char *dir, *text = arena_printf(job->arena, "%s%s", strbuf_cstr(&k->script),
					      strbuf_cstr(&k->guru));
	struct error *err = job->environment.tmpdir(job->environment.tmpdir_arg, &dir);

	if (err)
		return err;
	k->source = arena_printf(job->arena, "%s/stap_%d_src.c", dir, (int)getpid());
	return file_write_atomic(k->source, text, strlen(text), 0644);
}

/* --modinfo: as MODULE_INFO() of linux/moduleparam.h has it; the script's text knows no headers. */
static void add_modinfo(struct backend_job *job, struct strbuf *text)
{
	for (size_t i = 0; i < job->options.n_modinfo; i++) {
		const char *item = job->options.modinfo[i];

		strbuf_addf(text,
			    "static const char modinfo_%zu[] __attribute__((used, "
			    "section(\".modinfo\"), aligned(1))) = %s;\n",
			    i, emit_string(job->arena, item, strlen(item)));
	}
}

struct error *kmod_lower(struct backend_job *job)
{
	struct kmod *k = kmod_of(job);
	const struct backend_options *o = &job->options;
	struct codegen_input input = {
		.arena = job->arena,
		.program = job->program,
		.regexes = k->regexes,
		.carries = k->carries,
		.sources = job->sources,
		.limits = k->limits,
		.flags = script_flags(o),
		.remote = o->remote,
		.skip_badvars = o->skip_badvars,
		.script_name = o->script_name,
		.defines = o->defines,
		.n_defines = o->n_defines,
	};

	codegen_program(&input, &k->script, &k->guru);
	add_modinfo(job, &k->script);
	return o->verbose[3] || o->keep ? write_source(job) : NULL;
}
