/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which objects' source lines and inlined functions a module carries: those of what the script
 * probes, of the kernel, and of -d.
 */
#include <stdio.h>
#include <string.h>

#include "ir/builtins.h"
#include "ir/kind.h"
#include "kmod/internal.h"
#include "probe/family.h"
#include "target/functions.h"
#include "target/objects.h"

/* A part of the kernel, and what is asked of it. */
struct request {
	struct backend_job *job;
	struct target *target;
	struct codegen_carries *carries;
	bool lines, inlines;
	bool fine; /* so far */
};

static void tell_no_lines(const char *name, const char *why)
{
	fprintf(stderr, "WARNING: no source lines of %s: %s\n", name, why);
}

/* Without them the option would be given for nothing. Each is told of, where its turn is. */
static void refuse_inlines(struct request *r, const char *name, const char *why)
{
	fprintf(stderr, "ERROR: --inline-stacks: the inlined functions of %s are not known: %s\n",
		name, why);
	r->fine = false;
}

static void add_sections(struct arena *arena, const struct target_object *o,
			 struct codegen_lines *row)
{
	struct target_codes codes = { 0 };

	target_code_sections(o, &codes);
	vec_foreach(c, &codes)
		vec_push(arena, &row->sections,
			 ((struct codegen_line_section){ c->section, c->addr }));
}

static void tell_missing(struct request *r, const char *name, const char *why)
{
	if (r->lines)
		tell_no_lines(name, why);
	if (r->inlines)
		refuse_inlines(r, name, why);
}

/* Once for each object. */
static void add_part(struct request *r, const char *name)
{
	const struct target_object *o = target_find_object(r->target, name);
	struct codegen_lines row = { 0 };
	const char *why;

	if (!o) {
		tell_missing(r, name, "there is no such part of the kernel that can be read");
		return;
	}
	row.object =
		target_names_kernel(name) ? target_kernel_row(r->target) : target_object_row(o);
	vec_foreach(l, &r->carries->lines)
		if (l->object == row.object)
			return;
	row.lines = r->lines ? target_line_table(o, false, &why) : NULL;
	if (r->lines && !row.lines)
		tell_no_lines(name, why);
	row.inlines = r->inlines ? target_line_table(o, true, &why) : NULL;
	if (r->inlines && !row.inlines)
		refuse_inlines(r, name, why);
	add_sections(r->job->arena, o, &row);
	if (row.lines || row.inlines)
		vec_push(r->job->arena, &r->carries->lines, row);
}

static void add_probed_modules(struct request *r)
{
	vec_foreach(probe, &r->job->program->probes)
		vec_foreach(point, &(*probe)->points)
			if (point->module && ir_kind_is((*probe)->kind, IR_KIND_KERNEL))
				add_part(r, point->module);
}

static void add_named_modules(struct request *r)
{
	const struct backend_options *o = &r->job->options;

	for (size_t i = 0; i < o->n_carried; i++)
		if (!strchr(o->carried[i], '/'))
			add_part(r, o->carried[i]);
}

/*
 * Addresses of the kernel are told from the slide: see struct ir_anchor. The program has one when
 * its points need it.
 */
static struct error *set_anchor(struct request *r)
{
	struct ir_anchor *anchor = &r->carries->anchor;

	if (r->job->program->anchor.symbol)
		return NULL;
	anchor->kernel = target_kernel_row(r->target);
	return target_anchor(r->target, &anchor->symbol, &anchor->addr);
}

static struct error *add_kernel(struct request *r)
{
	add_part(r, "kernel");
	add_probed_modules(r);
	add_named_modules(r);
	return r->fine && r->carries->lines.n ? set_anchor(r) : NULL;
}

/*
 * Of files that have tables of stacks and symbols: those that have debug information. Most
 * libraries have none.
 */
static void add_programs(struct request *r)
{
	vec_foreach(c, &r->carries->files) {
		const struct target_object *o;
		struct error *err = target_open_file(r->target, c->object->path, &o);
		struct codegen_lines row = { .object = c->object };
		const char *why;

		if (!err)
			row.lines = target_line_table(o, false, &why);
		if (!err && !row.lines && target_has_debug_file(o))
			tell_no_lines(c->object->path, why);
		error_destroy(err);
		if (row.lines)
			vec_push(r->job->arena, &r->carries->lines, row);
	}
}

struct error *kmod_carry_lines(struct backend_job *job, bool *ok)
{
	unsigned needs = ir_program_needs(job->program);
	struct request r = { .job = job,
			     .target = job->environment.probe_env->target,
			     .carries = &kmod_of(job)->carries,
			     .lines = needs & IR_NEEDS_LINES,
			     .inlines = job->options.inline_stacks && needs & IR_NEEDS_FRAMES,
			     .fine = true };
	struct error *err = NULL;

	if (r.target && (r.lines || r.inlines))
		err = add_kernel(&r);
	*ok = !err && r.fine;
	if (r.target && *ok && needs & IR_NEEDS_USER_LINES)
		add_programs(&r);
	return err;
}
