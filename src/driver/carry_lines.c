/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See carry_lines.h. */
#include <stdio.h>
#include <string.h>

#include "driver/carry_lines.h"
#include "driver/session.h"
#include "ir/builtins.h"
#include "ir/kind.h"

/* A part of the kernel, and what is asked of it. */
struct request {
	struct session *session;
	bool lines, inlines;
	bool fine; /* so far */
};

static void tell_no_lines(const char *name, const char *why)
{
	fprintf(stderr, "WARNING: no source lines of %s: %s\n", name, why);
}

/* Without them the option would be given for nothing. */
static void refuse_inlines(struct request *r, const char *name, const char *why)
{
	struct error *err = error_create(
		"--inline-stacks: the inlined functions of %s are not known: %s", name, why);

	session_show_error(err);
	r->fine = false;
}

static void add_sections(struct session *s, const struct target_object *o, struct ir_lines *row)
{
	struct target_codes codes = { 0 };

	target_code_sections(o, &codes);
	vec_foreach(c, &codes)
		vec_push(s->arena, &row->sections,
			 ((struct ir_line_section){ c->section, c->addr }));
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
	struct session *s = r->session;
	const struct target_object *o = target_find_object(s->target, name);
	struct ir_lines row = { 0 };
	const char *why;

	if (!o) {
		tell_missing(r, name, "there is no such part of the kernel that can be read");
		return;
	}
	row.object = !strcmp(name, "kernel") ? target_kernel_row(s->target) : target_object_row(o);
	vec_foreach(l, &s->program->lines)
		if (l->object == row.object)
			return;
	row.lines = r->lines ? target_line_table(o, false, &why) : NULL;
	if (r->lines && !row.lines)
		tell_no_lines(name, why);
	row.inlines = r->inlines ? target_line_table(o, true, &why) : NULL;
	if (r->inlines && !row.inlines)
		refuse_inlines(r, name, why);
	add_sections(s, o, &row);
	if (row.lines || row.inlines)
		vec_push(s->arena, &s->program->lines, row);
}

static void add_probed_modules(struct request *r)
{
	vec_foreach(probe, &r->session->program->probes)
		vec_foreach(point, &(*probe)->points)
			if (point->module && point->attach.tag == IR_ATTACH_TEXT)
				add_part(r, point->module);
}

static void add_named_modules(struct request *r)
{
	const struct options *o = &r->session->options;

	for (size_t i = 0; i < o->carried.n; i++)
		if (!strchr(o->carried.data[i], '/'))
			add_part(r, o->carried.data[i]);
}

/* Addresses of the kernel are told from the slide: see the program's anchor. */
static bool set_anchor(struct session *s)
{
	struct ir_program *p = s->program;
	struct error *err;

	if (p->anchor_symbol)
		return true;
	p->kernel = target_kernel_row(s->target);
	err = target_anchor(s->target, &p->anchor_symbol, &p->anchor_addr);
	if (err)
		session_show_error(err);
	return p->anchor_symbol != NULL;
}

static bool add_kernel(struct request *r)
{
	add_part(r, "kernel");
	add_probed_modules(r);
	add_named_modules(r);
	return r->fine && (!r->session->program->lines.n || set_anchor(r->session));
}

/* Of files that have tables of stacks and symbols: those that have debug information. Most libraries have none. */
static void add_programs(struct session *s)
{
	vec_foreach(c, &s->program->carried) {
		const struct target_object *o;
		struct error *err = target_open_file(s->target, c->object->path, &o);
		struct ir_lines row = { .object = c->object };
		const char *why;

		if (!err)
			row.lines = target_line_table(o, false, &why);
		if (!err && !row.lines && target_has_debug_file(o))
			tell_no_lines(c->object->path, why);
		error_destroy(err);
		if (row.lines)
			vec_push(s->arena, &s->program->lines, row);
	}
}

bool carry_lines(struct session *s)
{
	unsigned needs = ir_program_needs(s->program);
	struct request r = { .session = s,
			     .lines = needs & IR_NEEDS_LINES,
			     .inlines = s->options.inline_stacks && needs & IR_NEEDS_FRAMES,
			     .fine = true };

	if (!s->target)
		return true;
	if ((r.lines || r.inlines) && !add_kernel(&r))
		return false;
	if (needs & IR_NEEDS_USER_LINES)
		add_programs(s);
	return true;
}
