/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a module: formats, points, objects, scopes, patterns, fetch programs, embedded C.
 * Each is written once, after everything that may ask for a number of its rows.
 */
#ifndef SPILE_CODEGEN_TABLES_H
#define SPILE_CODEGEN_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codegen/value.h"

struct arena;
struct cg;
struct diag_sink;
struct fetch_program;
struct ir_anchor;
struct ir_expr;
struct ir_function;
struct ir_object;
struct ir_program;
struct ir_scope;
struct ir_section;

/* ---- fetch.c: fetch programs that rows of points name ---- */
/*
 * A struct stp_point_value that stands for a program without operands: a constant, or the number
 * of a case of cg_fetches(), the same for equal programs. Where the program can fail
 * (fetch_can_fail) it gives 0 and leaves c->error set; the position is the caller's to set.
 */
const char *cg_point_value(struct cg *cg, const struct fetch_program *program);
/* Writes the table of functions that serve these numbers; false when there are none. */
bool cg_fetches(struct cg *cg);

/* ---- regexes.c ---- */
/*
 * The tables of all patterns, by index, in the arena. A pattern whose tables would be too large is
 * reported, and has none.
 */
const struct stp_regex **cg_compile_regexes(struct arena *arena, struct diag_sink *sink,
					    const struct ir_program *program);
/* Writes them, each a struct stp_regex named regex_N. */
void cg_regexes(struct cg *cg);
/* The list of those whose groups somebody asks for; how many. */
size_t cg_regex_table(struct cg *cg);

/* ---- strings.c, globals.c, prints.c ---- */
/* Tables of names. */
void cg_enumerations(struct cg *cg);
/* Names all globals and writes their objects and locks; before anything that refers to one. */
void cg_globals(struct cg *cg);
/* Written first: the tables of formats and of histogram shapes, numbered as in the program. */
void cg_formats(struct cg *cg);

/* ---- points.c ---- */
/* A text that each point has of its own, by its number in the row. */
struct value cg_point_text(struct cg *cg, const struct ir_expr *e);
const char *cg_quoted(struct cg *cg, const char *s); /* a C literal; NULL for NULL */
/* The tables of points and probes; after the handlers, which they name. */
void cg_probes(struct cg *cg);
/* Over all probes; points are numbered through in the order of the tables. */
size_t cg_point_count(const struct ir_program *program);

/* ---- rows.c ---- */
/* What the value of a member is, and how C has it. */
enum cg_field_kind {
	CG_SIGNED, /* number: an int64_t */
	CG_DECIMAL,
	CG_HEX,
	CG_OCTAL,
	CG_FLAGS,   /* number; text is its names in C */
	CG_TEXT,    /* text */
	CG_ADDRESS, /* text: a constant address in C */
};
/* A member of struct stp_point. member: as C has it behind the dot; a literal. */
struct cg_field {
	const char *member;
	enum cg_field_kind kind;
	uint64_t number;
	const char *text;
};
/* The members of one point that are not 0, NULL or "". */
struct cg_row {
	struct cg_field *data;
	size_t n, cap;
};
/* Appends the member, unless its value is 0, NULL or "". */
void cg_row_add(struct cg *cg, struct cg_row *row, struct cg_field field);
/*
 * Writes the table NAME of N rows, one at least: an array of struct stp_point, or, true, a struct
 * stp_point_rows.
 */
bool cg_point_table(struct cg *cg, const char *name, const struct cg_row *rows, size_t n);

/* ---- objects.c ---- */
/* Number of OBJECT in the table that cg_objects() writes, from 0. */
uint32_t cg_object(struct cg *cg, const struct ir_object *object);
/* Number of SECTION in the table that cg_objects() writes, from 1; points ask first. */
uint32_t cg_section(struct cg *cg, const struct ir_section *section);
/* Number of a file's row in stp_script.mapped. */
uint32_t cg_mapped(struct cg *cg, const struct ir_section *section);
/* The table of those; after everything that may ask for one, before cg_objects(). */
void cg_mapped_table(struct cg *cg);
/* After everything that may ask for a section. */
void cg_objects(struct cg *cg);
/*
 * The tables of files that the module carries, with rows that name their objects: before
 * cg_objects().
 */
void cg_carried(struct cg *cg);
/* And of those whose source lines are known: their tables, and where their code is. */
void cg_lines(struct cg *cg);
/* The program's, or else that of the lines that go along with it. */
const struct ir_anchor *cg_anchor(const struct cg *cg);

/* ---- scopes.c ---- */
/* The table of scopes of all points; before the points. */
void cg_scopes(struct cg *cg);
/* "&scopes[1]": its row. */
const char *cg_scope(struct cg *cg, const struct ir_scope *scope);

/* ---- tables.c, guru.c ---- */
/*
 * The rest of script.c, with struct stp_script at the end: the one symbol that the runtime
 * looks for.
 */
void cg_tables(struct cg *cg);
/* Whether embedded C is used; known once cg_embedded_prototypes() has been called. */
bool cg_needs_guru(const struct cg *cg);
bool cg_uses_next(const struct ir_function *f); /* its call may go on with the next overload */
/* The text of guru.c, into the writer as it stands. */
void cg_guru(struct cg *cg);
/* Numbers the embedded C expressions and writes their prototypes. */
void cg_embedded_prototypes(struct cg *cg);
/* Functions by which embedded C reads and sets the globals that its pragmas name. */
void cg_accessors(struct cg *cg);
/* The function of guru.c that gives the value of an embedded C expression. */
const char *cg_embedded_name(struct cg *cg, const struct ir_expr *e);
/* "struct stp_ctx *c, stp_long a_x, ..." */
const char *cg_parameters(struct cg *cg, const struct ir_function *f, const char *prefix);

#endif
