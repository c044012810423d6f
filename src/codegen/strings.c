/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings are views (struct stp_str). A string local is a view, and a buffer of MAXSTRINGLEN
 * bytes in the body's frame for what is assigned to it; literals are viewed where they are.
 * Temporaries are in scratch above the frame; the value of a local that is assigned only once,
 * at the top level, stays there, and the mark for later temporaries moves above it.
 */
#include <string.h>

#include "base/intern.h"
#include "codegen/expr.h"
#include "codegen/flow.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"

struct value cg_string_literal(struct cg *cg, const struct istr *s)
{
	size_t most = cg->in->limits.max_string - 1, len = s->len < most ? s->len : most;

	return cg_string(cg_printf(cg, "STP_S(%s)", emit_string(cg->arena, s->text, len)), V_FREE,
			 BYTES_LITERAL);
}

/*
 * kept: the bytes stay where the value was made, and the mark has to move above them before
 * scratch is given back.
 */
void cg_string_store_local(struct cg *cg, const struct ir_local *local, struct value v)
{
	const struct local_facts *l = cg_local(cg, local);

	if (l->kept && v.bytes != BYTES_LITERAL) {
		if (cg_is_view(v))
			v = cg_string_copy(cg, v);
		cg_line(cg, "%s = %s;", l->c_name, v.text);
		cg_keep_scratch(cg);
	} else if (v.bytes == BYTES_LITERAL)
		cg_line(cg, "%s = %s;", l->c_name, v.text);
	else if (l->buffer)
		cg_line(cg, "%s = stp_str_store(&frame[%u * MAXSTRINGLEN], MAXSTRINGLEN, %s);",
			l->c_name, l->buffer, v.text);
	else
		cg_line(cg, "%s = stp_str_store(frame, MAXSTRINGLEN, %s);", l->c_name, v.text);
}

/* Made in scratch, where it may be cut short: soft. */
struct value cg_concat_values(struct cg *cg, struct value a, struct value b)
{
	cg_use_scratch(cg);
	return cg_at_least(cg_combine(cg_printf(cg, "stp_str_concat(c, %s, %s)", a.text, b.text),
				      PREC_PRIMARY, a, b),
			   V_SOFT);
}

/* A long chain is cut into temporaries, left to right. */
struct value cg_concat(struct cg *cg, const struct ir_expr *e)
{
	struct ir_expr *data[] = { e->binary.left, e->binary.right };
	struct ir_exprs list = { .data = data, .n = 2 };
	struct value v[2];

	cg_lower_list(cg, &list, v);
	v[0] = cg_bound(cg, v[0], e->binary.left->type);
	return cg_concat_values(cg, v[0], v[1]);
}

/* A text as a literal of C. */
static const char *literal(struct cg *cg, const char *text)
{
	return emit_string(cg->arena, text, strlen(text));
}

/* A name from the table, or those of the bits; what has none, as a number. */
struct value cg_enumname(struct cg *cg, const struct ir_expr *e)
{
	const struct ir_enumeration *t = &cg->program->enumerations.data[e->enumname.table];
	struct value v = cg_lower(cg, e->enumname.value);
	const char *text;

	cg_use_scratch(cg);
	if (t->delimiter)
		text = cg_printf(cg, "stp_bit_names(c, enum_%u, %zu, %s, %s, %s)",
				 e->enumname.table, t->n, literal(cg, t->delimiter),
				 literal(cg, t->none), v.text);
	else
		text = cg_printf(cg, "stp_enum_name(c, enum_%u, %zu, %s)", e->enumname.table, t->n,
				 v.text);
	return cg_at_least(cg_around(text, PREC_PRIMARY, v), V_SOFT);
}

/* In the order in which stp_enum_name() and stp_bit_names() look them up. */
void cg_enumerations(struct cg *cg)
{
	size_t i = 0;

	vec_foreach(t, &cg->program->enumerations) {
		emit_comment(&cg->w, "%s", t->name);
		emit_open(&cg->w, "static const struct stp_enumerator enum_%zu[] =", i++);
		for (size_t k = 0; k < t->n; k++)
			emit_line(&cg->w, "{ %s, %s },", cg_number(cg, t->values[k].value).text,
				  literal(cg, t->values[k].name));
		emit_close(&cg->w, ";");
		emit_blank(&cg->w);
	}
}

/* By concatenation with nothing, which always makes new bytes. */
struct value cg_string_copy(struct cg *cg, struct value v)
{
	return cg_concat_values(cg, v, cg_value("STP_S(\"\")", PREC_PRIMARY, V_FREE));
}
