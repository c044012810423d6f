/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of objects and sections: what the script's points are in, with build-ids. Objects of
 * files, and sections, from 1, are numbered as points ask for them, so the tables are written
 * behind those of the points; the kernel and its modules follow.
 */
#include <inttypes.h>
#include <string.h>

#include "base/build_id.h"
#include "codegen/internal.h"
#include "codegen/tables.h"

uint32_t cg_section(struct cg *cg, const struct ir_section *section)
{
	uint32_t number = (uint32_t)(uintptr_t)map_get(&cg->section_numbers, section);

	if (number)
		return number;
	vec_push(cg->arena, &cg->sections, section);
	number = (uint32_t)cg->sections.n;
	map_put(&cg->section_numbers, section, (void *)(uintptr_t)number);
	return number;
}

/* The list is short; the last ones are the likely ones. */
uint32_t cg_object(struct cg *cg, const struct ir_object *object)
{
	for (size_t i = cg->objects.n; i > 0; i--)
		if (cg->objects.data[i - 1] == object)
			return (uint32_t)(i - 1);
	vec_push(cg->arena, &cg->objects, object);
	return (uint32_t)(cg->objects.n - 1);
}

/* As a literal with all its bytes. */
static const char *build_id(struct cg *cg, const struct ir_object *object)
{
	return emit_string(cg->arena, (const char *)object->build_id, sizeof(object->build_id));
}

/* May add objects, so their table comes after it. */
static void section_rows(struct cg *cg)
{
	if (!cg->sections.n)
		return;
	emit_open(&cg->w, "static struct stp_section sections[] =");
	vec_foreach(s, &cg->sections)
		emit_line(&cg->w,
			  "{ .object = %u, .name = %s, .anchor = %s, .anchor_offset = 0x%" PRIx64
			  ", .size = 0x%" PRIx64 " },",
			  cg_object(cg, (*s)->object), cg_quoted(cg, (*s)->name),
			  cg_quoted(cg, (*s)->anchor), (*s)->anchor_offset, (*s)->size);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* A file: the loaded one is compared by build-id, or else by size and time. */
static void object_row(struct cg *cg, const struct ir_object *o)
{
	const char *id = o->has_build_id ? build_id(cg, o) : "NULL";

	if (!o->path)
		emit_line(&cg->w, "{ .name = %s, .build_id = %s },", cg_quoted(cg, o->name), id);
	else if (o->has_build_id)
		emit_line(&cg->w, "{ .path = %s, .build_id = %s, .build_id_at = 0x%" PRIx64 " },",
			  cg_quoted(cg, o->path), id, o->build_id_at);
	else
		emit_line(&cg->w, "{ .path = %s, .size = %" PRIu64 "ULL, .mtime = %" PRId64 "LL },",
			  cg_quoted(cg, o->path), o->size, o->mtime);
}

/* For staprun, which compares it with the running kernel. */
static void kernel_line(struct cg *cg, const struct ir_object *kernel)
{
	char hex[BUILD_ID_HEX];

	if (!kernel->has_build_id)
		return;
	build_id_hex(kernel->build_id, hex);
	emit_line(&cg->w, "STP_KERNEL(\"%s\");", hex);
	emit_blank(&cg->w);
}

/* As the assembler reads a string in quotes. */
static const char *assembler_path(struct cg *cg, const char *path)
{
	char *text = arena_alloc(cg->arena, 2 * strlen(path) + 1), *at = text;

	for (; *path; path++) {
		if (*path == '"' || *path == '\\')
			*at++ = '\\';
		*at++ = *path;
	}
	*at = '\0';
	return text;
}

/*
 * The assembler includes the file: a literal of megabytes would take seconds. PATH NULL: nothing.
 */
static void included_table(struct cg *cg, const char *type, const char *name, size_t number,
			   const char *path)
{
	const char *text;

	if (!path)
		return;
	text = arena_printf(cg->arena,
			    ".pushsection .rodata\n.balign 8\n%s_%zu: .incbin \"%s\"\n.popsection",
			    name, number, assembler_path(cg, path));
	emit_directive(&cg->w, "asm(%s);", emit_string(cg->arena, text, strlen(text)));
	emit_line(&cg->w, "extern const struct %s %s_%zu;", type, name, number);
}

void cg_carried(struct cg *cg)
{
	size_t number = 0;

	if (!cg->in->carries.files.n)
		return;
	vec_foreach(c, &cg->in->carries.files)
		included_table(cg, "stp_user_table", "user_table", number++, c->table);
	emit_open(&cg->w, "static struct stp_carried carried[] =");
	number = 0;
	vec_foreach(c, &cg->in->carries.files)
		emit_line(&cg->w, "{ .object = %u, .table = &user_table_%zu },",
			  cg_object(cg, c->object), number++);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

static void line_sections(struct cg *cg, size_t number, const struct codegen_lines *lines)
{
	if (!lines->sections.n)
		return;
	emit_open(&cg->w, "static const struct stp_line_section line_sections_%zu[] =", number);
	vec_foreach(s, &lines->sections)
		emit_line(&cg->w, "{ .section = %u, .addr = 0x%" PRIx64 " },",
			  cg_section(cg, s->section), s->addr);
	emit_close(&cg->w, ";");
}

static void line_row(struct cg *cg, size_t number, const struct codegen_lines *lines)
{
	emit_line(&cg->w, "{ .object = %u,", cg_object(cg, lines->object));
	if (lines->lines)
		emit_line(&cg->w, "  .lines = &line_table_%zu,", number);
	if (lines->inlines)
		emit_line(&cg->w, "  .inlines = &inline_table_%zu,", number);
	if (lines->sections.n)
		emit_line(&cg->w, "  .sections = line_sections_%zu, .n_sections = %zu,", number,
			  lines->sections.n);
	emit_line(&cg->w, "},");
}

void cg_lines(struct cg *cg)
{
	size_t number = 0;

	if (!cg->in->carries.lines.n)
		return;
	vec_foreach(l, &cg->in->carries.lines) {
		included_table(cg, "stp_line_table", "line_table", number, l->lines);
		included_table(cg, "stp_inline_table", "inline_table", number, l->inlines);
		line_sections(cg, number++, l);
	}
	emit_open(&cg->w, "static const struct stp_lines lines[] =");
	number = 0;
	vec_foreach(l, &cg->in->carries.lines)
		line_row(cg, number++, l);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* Few: those that @var names. */
uint32_t cg_mapped(struct cg *cg, const struct ir_section *section)
{
	for (size_t i = 0; i < cg->mapped.n; i++)
		if (cg->mapped.data[i] == section)
			return (uint32_t)i;
	vec_push(cg->arena, &cg->mapped, section);
	return (uint32_t)(cg->mapped.n - 1);
}

void cg_mapped_table(struct cg *cg)
{
	if (!cg->mapped.n)
		return;
	emit_open(&cg->w, "static struct stp_mapped mapped[] =");
	vec_foreach(m, &cg->mapped)
		emit_line(&cg->w,
			  "{ .object = %u, .offset = 0x%" PRIx64 ", .addr = 0x%" PRIx64
			  ", .dynamic = 0x%" PRIx64 ", .dynamic_sum = 0x%" PRIx64
			  "ULL, .build_id = 0x%" PRIx64 " },",
			  cg_object(cg, (*m)->object), (*m)->anchor_offset, (*m)->anchor_addr,
			  (*m)->dynamic, (*m)->dynamic_sum, (*m)->build_id);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

const struct ir_anchor *cg_anchor(const struct cg *cg)
{
	return cg->program->anchor.symbol ? &cg->program->anchor : &cg->in->carries.anchor;
}

/* The kernel, when addresses of it are used, is object 0. */
void cg_objects(struct cg *cg)
{
	const struct ir_object *kernel = cg_anchor(cg)->kernel;

	if (kernel) {
		kernel_line(cg, kernel);
		cg_object(cg, kernel);
	}
	section_rows(cg);
	if (!cg->objects.n)
		return;
	emit_open(&cg->w, "static struct stp_object objects[] =");
	vec_foreach(o, &cg->objects)
		object_row(cg, *o);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}
