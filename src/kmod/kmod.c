/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The back end that makes kernel modules: C through codegen/, a .ko through module/, run by staprun
 * here or in a guest of remote/. Here: its row, and what it says of its steps under -v; those of
 * more than a few lines have a file each, see internal.h. What of the command line it takes for its
 * own: the limits of stap(1) and STP_ names, by -D.
 */
#include "base/arena.h"
#include "kmod/internal.h"
#include "module/module.h"

/* The state is there even when a limit is wrong: close follows in that case, too. */
static struct error *open_job(struct backend_job *job)
{
	struct kmod *k = arena_new(job->arena, struct kmod);

	strbuf_init(&k->script);
	strbuf_init(&k->guru);
	job->state = k;
	return kmod_limits(&job->options, &k->limits);
}

static struct error *check(struct backend_job *job)
{
	struct kmod *k = kmod_of(job);

	return codegen_check(job->arena, job->sink, job->program, &k->limits, &k->regexes);
}

static struct error *gather(struct backend_job *job, bool *ok)
{
	kmod_carry_files(job);
	return kmod_carry_lines(job, ok);
}

/* guru.c follows script.c, as in the file that write_source() makes. */
static void show(const struct backend_job *job, FILE *out)
{
	const struct kmod *k = kmod_of(job);

	fwrite(strbuf_cstr(&k->script), 1, k->script.len, out);
	fwrite(strbuf_cstr(&k->guru), 1, k->guru.len, out);
}

/* k->source is set under -v and -k only, and -v is why this is called. */
static const char *said(const struct backend_job *job, int pass)
{
	const struct kmod *k = kmod_of(job);

	if (pass == 3)
		return arena_printf(job->arena, "translated to C into \"%s\"", k->source);
	if (k->cached_ko)
		return arena_printf(job->arena, "using cached %s", k->cached_ko);
	return arena_printf(job->arena, "compiled C into \"%s.ko\"", k->module_name);
}

static void close_job(struct backend_job *job)
{
	struct kmod *k = kmod_of(job);

	strbuf_deinit(&k->script);
	strbuf_deinit(&k->guru);
	module_kernel_close(k->kernel);
}

const struct backend kmod_backend = {
	.name = "kernel",
	.makes = "kernel modules",
	.kernel_open = kmod_kernel_open,
	.header_command = kmod_header_command,
	.kernel_config = kmod_kernel_config,
	.kernel_close = kmod_kernel_close,
	.cache_dir = module_cache_default_dir,
	.clean_cache = kmod_clean_cache,
	.open = open_job,
	.check = check,
	.gather = gather,
	.lower = kmod_lower,
	.show = show,
	.build = kmod_build,
	.run = kmod_run,
	.said = said,
	.close = close_job,
};
