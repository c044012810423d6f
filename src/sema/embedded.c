/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Embedded C: the one file that turns its text and pragmas into struct ir_code. Nothing is
 * known of what the text does but what pragmas say: without "pure" it is taken to have effects.
 */
#include "sema/embedded.h"

#include "sema/pragma.h"

/* TEXT is kept as it is, pragmas included. */
static struct ir_code *new_code(struct sema *s, const struct istr *text, struct span span,
				const struct pragmas *pragmas)
{
	struct ir_code *code = arena_new(s->arena, struct ir_code);

	code->text = text;
	code->span = span;
	code->effects = IR_READS | (pragmas->pure ? 0 : IR_WRITES);
	code->last = pragmas->suffix;
	code->next = pragmas->next;
	code->structure = pragmas->this;
	return code;
}

const struct ir_code *sema_code(struct sema *s, const struct istr *text, struct span span)
{
	struct pragmas pragmas;

	pragmas_read(s->arena, text, &pragmas);
	return new_code(s, text, span, &pragmas);
}

static void add_use(struct sema *s, struct ir_code *code, struct ir_global *g, unsigned access)
{
	vec_foreach(use, &code->uses)
		if (use->global == g) {
			use->access |= access;
			return;
		}
	vec_push(s->arena, &code->uses, ((struct ir_global_use){ g, access }));
}

/* The globals that the C at SPAN of FILE may reach. */
static void find_uses(struct sema *s, const struct ast_file *file, struct span span,
		      const struct pragmas *pragmas, struct ir_code *code)
{
	vec_foreach(named, &pragmas->globals) {
		struct sema_global *g = sema_find_global(s, file, intern(s->in, named->name));

		if (!g)
			diag_report(s->sink, DIAG_PRAGMA_GLOBAL, span, named->name);
		else
			add_use(s, code, &g->ir, named->write ? IR_ACCESS_SET : IR_ACCESS_READ);
	}
}

void sema_embedded_expr(struct sema *s, const struct ast_file *file, const struct istr *text,
			struct ir_expr *e)
{
	struct pragmas pragmas;
	struct ir_code *code;

	pragmas_read(s->arena, text, &pragmas);
	code = new_code(s, text, e->span, &pragmas);
	find_uses(s, file, e->span, &pragmas, code);
	e->code = code;
	e->type = pragmas.string ? IR_STRING : IR_LONG;
}

/* Its body needs no binding. The types are those declared. */
void sema_embedded_function(struct sema *s, struct sema_function *f)
{
	const struct istr *text = f->ast->body->code.text;
	struct pragmas pragmas;

	pragmas_read(s->arena, text, &pragmas);
	f->bound = true;
	f->context = SEMA_CONTEXT_NONE;
	f->guru = pragmas.guru;
	f->ir.code = new_code(s, text, f->ast->body->span, &pragmas);
	f->ir.pure = pragmas.pure;
	f->ir.uses_next = pragmas.next;
}

/* Asked once per function; a repeated call finds the list filled. */
void sema_embedded_uses(struct sema *s, struct sema_function *f)
{
	struct pragmas pragmas;
	struct ir_code *code;

	if (!f->ir.code || f->ir.code->uses.n)
		return;
	pragmas_read(s->arena, f->ir.code->text, &pragmas);
	code = new_code(s, f->ir.code->text, f->ir.code->span, &pragmas);
	find_uses(s, f->file, f->ir.span, &pragmas, code);
	f->ir.code = code;
}
