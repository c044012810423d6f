/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builtins as declared functions: a declaration is made of the row when its name is first asked
 * for, and its text is added to the source map, so that messages can quote it as they quote a
 * script.
 */
#include "sema/builtins.h"

#include "ast/ast.h"
#include "base/strbuf.h"
#include "ir/builtins.h"
#include "ir/names.h"

const struct ast_file sema_builtin_file = { .name = "<builtins>", .library = true };

/* Appends TEXT to the declaration; its place there. */
static struct span add(struct strbuf *b, const char *text, size_t len)
{
	struct span span = { .start = (uint32_t)b->len };

	strbuf_add(b, text, len);
	span.end = (uint32_t)b->len;
	return span;
}

static void add_type(struct strbuf *b, enum ir_type type)
{
	if (type != IR_UNKNOWN)
		strbuf_addf(b, ":%s", ir_type_name(type));
}

/* From an offset in the declaration to one in the source map. */
static void move(struct span *span, uint32_t start)
{
	span->start += start;
	span->end += start;
}

static void add_param(struct sema *s, struct ast_function *f, struct strbuf *text,
		      const struct ir_builtin_param *row)
{
	struct ast_param param = {
		.name = intern_n(s->in, row->name, row->name_len),
		.type = (enum ast_type)row->type,
	};

	if (f->params.n)
		strbuf_adds(text, ", ");
	param.span = add(text, row->name, row->name_len);
	add_type(text, row->type);
	vec_push(s->arena, &f->params, param);
}

/* "function NAME:TYPE (A:TYPE, ...)", as a tree and as text. It has no body. */
static const struct ast_function *declare(struct sema *s, const struct istr *name,
					  const struct ir_builtin *row)
{
	struct ast_function *f = arena_new(s->arena, struct ast_function);
	struct ir_builtin_param params[IR_BUILTIN_MAX_PARAMS];
	size_t n = ir_builtin_params(row, params);
	struct strbuf text;
	uint32_t start;

	f->name = name;
	f->type = (enum ast_type)row->result;
	strbuf_init(&text);
	strbuf_adds(&text, "function ");
	f->span = add(&text, name->text, name->len);
	add_type(&text, row->result);
	strbuf_adds(&text, " (");
	for (size_t i = 0; i < n; i++)
		add_param(s, f, &text, &params[i]);
	strbuf_addc(&text, ')');
	start = source_map_add(diag_sink_map(s->sink), sema_builtin_file.name,
			       arena_strndup(s->arena, strbuf_cstr(&text), text.len), text.len,
			       true);
	strbuf_deinit(&text);
	move(&f->span, start);
	vec_foreach(param, &f->params)
		move(&param->span, start);
	return f;
}

void sema_builtins_find(struct sema *s, const struct istr *name,
			void (*call)(struct sema *s, const struct ast_function *ast,
				     const struct ir_builtin *row))
{
	const struct ir_builtin *row = NULL;

	while ((row = ir_builtin_find(name->text, row ? row + 1 : NULL)))
		call(s, declare(s, name, row), row);
}
