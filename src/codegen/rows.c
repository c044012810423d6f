/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of points in C. A few are an array as one would write it. The compiler takes a quarter of
 * a millisecond for each row of such an array, and the kernel relocates each pointer in it, so a
 * table of many is written by columns (struct stp_point_rows): what all rows have in common once,
 * and of each row its other members as text, from which the runtime makes the array at load.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"

/* Rows that are an array in C; of more a table by columns is cheaper. */
#define ARRAY_MAX 64
#define COLUMNS_MAX 24

void cg_row_add(struct cg *cg, struct cg_row *row, struct cg_field field)
{
	bool has_text = field.kind == CG_TEXT || field.kind == CG_ADDRESS;

	if (has_text ? field.text && *field.text : field.number != 0)
		vec_push(cg->arena, row, field);
}

/* The value of a member in C. */
static const char *value_of(struct cg *cg, const struct cg_field *f)
{
	switch (f->kind) {
	case CG_SIGNED:
		return cg_number(cg, (int64_t)f->number).text;
	case CG_DECIMAL:
		return cg_printf(cg, "%" PRIu64, f->number);
	case CG_HEX:
		return cg_printf(cg, "0x%" PRIx64, f->number);
	case CG_OCTAL:
		return cg_printf(cg, "0%" PRIo64, f->number);
	case CG_FLAGS:
	case CG_ADDRESS:
		return f->text;
	case CG_TEXT:
		return cg_quoted(cg, f->text);
	}
	return NULL;
}

/* "{ .pp = "timer.s(1)" }" */
static const char *initializer(struct cg *cg, const struct cg_row *row)
{
	struct strbuf b;
	const char *ret;

	strbuf_init(&b);
	vec_foreach(f, row)
		strbuf_addf(&b, "%s .%s = %s", f == row->data ? "{" : ",", f->member,
			    value_of(cg, f));
	ret = row->n ? cg_printf(cg, "%s }", strbuf_cstr(&b)) : "{ }";
	strbuf_deinit(&b);
	return ret;
}

static void write_array(struct cg *cg, const char *name, const struct cg_row *rows, size_t n)
{
	emit_open(&cg->w, "static const struct stp_point %s[] =", name);
	for (size_t i = 0; i < n; i++)
		emit_line(&cg->w, "%s,", initializer(cg, &rows[i]));
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* ---- by columns ---- */

/* A member that some row has. */
struct column {
	struct cg_field first; /* of the first row that has it */
	size_t n_same;         /* rows with that value */
	size_t number;         /* of those that vary */
};

struct table {
	struct cg *cg;
	struct column columns[COLUMNS_MAX];
	size_t n_columns;
	struct map addresses; /* istr -> number, from 1 */
	VEC(const char *) address_list;
};

static struct column *find_column(struct table *t, const char *member)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i].first.member, member))
			return &t->columns[i];
	return NULL;
}

static bool is_same(const struct cg_field *a, const struct cg_field *b)
{
	return a->number == b->number &&
	       (a->text == b->text || (a->text && b->text && !strcmp(a->text, b->text)));
}

/* Which columns there are, in the order in which rows bring them. */
static void find_columns(struct table *t, const struct cg_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		vec_foreach(f, &rows[i]) {
			struct column *c = find_column(t, f->member);

			if (!c) {
				assert(t->n_columns < COLUMNS_MAX);
				c = &t->columns[t->n_columns++];
				*c = (struct column){ .first = *f };
			}
			c->n_same += is_same(&c->first, f);
		}
	}
}

static size_t address_number(struct table *t, const char *address)
{
	const struct istr *key = intern(t->cg->intern, address);
	size_t number = (size_t)map_get(&t->addresses, key);

	if (number)
		return number;
	vec_push(t->cg->arena, &t->address_list, address);
	map_put(&t->addresses, key, (void *)t->address_list.n);
	return t->address_list.n;
}

/* The row's member in column C as text; NULL: it has none. */
static void add_field(struct table *t, const struct cg_row *row, const struct column *c,
		      struct strbuf *b)
{
	vec_foreach(f, row) {
		if (strcmp(f->member, c->first.member))
			continue;
		if (f->kind == CG_TEXT)
			strbuf_adds(b, f->text);
		else
			strbuf_addf(b, "%" PRIx64,
				    f->kind == CG_ADDRESS ? address_number(t, f->text) : f->number);
	}
	strbuf_addc(b, '\0');
}

/* The texts of all rows, and which addresses they name. */
static void write_rows(struct table *t, const char *name, const struct cg_row *rows, size_t n)
{
	struct cg *cg = t->cg;
	struct strbuf b;

	emit_line(&cg->w, "static const char %s_text[] =", name);
	cg->w.depth++;
	strbuf_init(&b);
	for (size_t i = 0; i < n; i++) {
		strbuf_reset(&b);
		for (size_t k = 0; k < t->n_columns; k++)
			if (t->columns[k].n_same < n)
				add_field(t, &rows[i], &t->columns[k], &b);
		emit_line(&cg->w, "%s%s", emit_string(cg->arena, strbuf_cstr(&b), b.len),
			  i + 1 < n ? "" : ";");
	}
	strbuf_deinit(&b);
	cg->w.depth--;
	emit_blank(&cg->w);
}

static void write_addresses(struct table *t, const char *name)
{
	struct cg *cg = t->cg;

	if (!t->address_list.n)
		return;
	emit_open(&cg->w, "static const void *const %s_addresses[] =", name);
	vec_foreach(address, &t->address_list)
		emit_line(&cg->w, "%s,", *address);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
}

/* Those that vary, in the order of the texts; *common gets the others. */
static size_t write_columns(struct table *t, const char *name, size_t n, struct cg_row *common)
{
	struct cg *cg = t->cg;
	size_t n_varying = 0;

	emit_open(&cg->w, "static const struct stp_column %s_columns[] =", name);
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct cg_field *f = &t->columns[i].first;

		if (t->columns[i].n_same == n) {
			vec_push(cg->arena, common, *f);
			continue;
		}
		n_varying++;
		emit_line(&cg->w, "STP_COLUMN(%s, %s),", f->member,
			  f->kind == CG_TEXT      ? "TEXT"
			  : f->kind == CG_ADDRESS ? "ADDRESS"
						  : "NUMBER");
	}
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
	return n_varying;
}

static void write_by_columns(struct cg *cg, const char *name, const struct cg_row *rows, size_t n)
{
	struct table t = { .cg = cg };
	struct cg_row common = { 0 };
	size_t n_varying;

	map_init(&t.addresses, cg->arena);
	find_columns(&t, rows, n);
	write_rows(&t, name, rows, n);
	write_addresses(&t, name);
	n_varying = write_columns(&t, name, n, &common);
	emit_open(&cg->w, "static const struct stp_point_rows %s =", name);
	emit_line(&cg->w, ".common = %s,", initializer(cg, &common));
	emit_line(&cg->w, ".columns = %s_columns,", name);
	emit_line(&cg->w, ".n_columns = %zu,", n_varying);
	if (t.address_list.n)
		emit_line(&cg->w, ".addresses = %s_addresses,", name);
	emit_line(&cg->w, ".text = %s_text,", name);
	emit_close(&cg->w, ";");
	emit_blank(&cg->w);
	cg->n_row_tables++;
}

bool cg_point_table(struct cg *cg, const char *name, const struct cg_row *rows, size_t n)
{
	if (n > ARRAY_MAX)
		write_by_columns(cg, name, rows, n);
	else
		write_array(cg, name, rows, n);
	return n > ARRAY_MAX;
}
