/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step finish: what is needed once the program no longer changes: indexes, which embedded C is
 * used, the anchor of link-time addresses; and, as step unresolved, the report of types that stayed
 * unknown. Requires an optimised program; ensures index of all symbols and probes, program.embedded
 * and anchor.
 */
#include "ir/walk.h"
#include "sema/embedded.h"
#include "target/functions.h"
#include "target/objects.h"

/* ---- types nobody decided ---- */

/* Reports each symbol of unknown type at its first use. */
struct unknown {
	struct ir_walker walker;
	struct sema *s;
	struct map seen;              /* symbols reported */
	const struct ir_function *of; /* the C function whose result is looked at, or NULL */
};

/* How the declaration of F would have a type: "function f:long (a, b)". */
static const char *with_type(struct arena *arena, const struct ir_function *f)
{
	const char *text = arena_printf(arena, "function %s:long (", f->name->text);

	for (size_t i = 0; i < f->params.n; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? ", " : "",
				    f->params.data[i]->name->text);
	return arena_printf(arena, "%s)", text);
}

/* TOKEN may be NULL. */
static void unresolved(struct unknown *u, struct span span, const char *token)
{
	struct diagnostic *d = diag_report(u->s->sink, DIAG_UNRESOLVED_TYPE, span);

	sema_token(u->s, d, token);
	if (u->of)
		diag_set_hint(u->s->sink, d,
			      "nothing says what the C code of %s returns: write %s, or :string",
			      u->of->name->text, with_type(u->s->arena, u->of));
}

/* The C function that E calls when nothing says what it returns, or NULL. */
static const struct ir_function *untyped_code(const struct ir_expr *e)
{
	return e->kind == IR_CALL && e->call.callee->code && e->type == IR_UNKNOWN ? e->call.callee
										   : NULL;
}

/* SYMBOL only serves to report each once. */
static void look_at(struct unknown *u, const void *symbol, enum ir_type type, struct span span,
		    const char *token)
{
	if (type != IR_UNKNOWN || map_has(&u->seen, symbol))
		return;
	map_put(&u->seen, symbol, u);
	unresolved(u, span, token);
}

/*
 * A value that is used as it is, whatever its type: only that of a call or a choice is open then.
 */
static void look_at_value(struct unknown *u, const struct ir_expr *e)
{
	u->of = untyped_code(e);
	if (e->kind == IR_CALL || e->kind == IR_BUILTIN_CALL || e->kind == IR_TERNARY)
		look_at(u, e, e->type, e->span, e->token);
	u->of = NULL;
}

static void look_at_stmt(struct ir_walker *w, struct ir_stmt **ref)
{
	ir_stmt_children(w, *ref);
	if ((*ref)->kind == IR_STMT_RETURN && (*ref)->expr)
		look_at_value((struct unknown *)w, (*ref)->expr);
}

/* Children first, so that the innermost unknown is named. */
static void look_at_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct unknown *u = (struct unknown *)w;
	struct ir_expr *e = *ref;

	if (e->kind == IR_ASSIGN) {
		u->of = untyped_code(e->assign.value);
		ir_walk_expr(w, &e->assign.lvalue);
		u->of = NULL;
		ir_walk_expr(w, &e->assign.value);
		return;
	}
	ir_expr_children(w, e);
	switch (e->kind) {
	case IR_LOCAL:
		look_at(u, e->local, e->local->type, e->span, e->token);
		break;
	case IR_GLOBAL:
		look_at(u, e->global, e->global->type, e->span, e->token);
		break;
	case IR_ELEMENT:
		look_at(u, e->element.array, e->element.array->type, e->span, e->token);
		break;
	case IR_PRINT:
		for (size_t i = 0; i < e->print.args.n; i++)
			look_at_value(u, e->print.args.data[i]);
		break;
	default: /* the type of others follows from their operands */
		break;
	}
}

/* Keys that only wildcards and never-typed things touch: any type does. */
static void complete_globals(struct unknown *u)
{
	vec_foreach(g, &u->s->program->globals) {
		for (unsigned i = 0; i < (*g)->n_keys; i++)
			if ((*g)->keys[i] == IR_UNKNOWN)
				(*g)->keys[i] = IR_LONG;
		/* only C functions use it */
		if ((*g)->type == IR_UNKNOWN && !(*g)->user_script)
			(*g)->type = IR_LONG;
		look_at(u, *g, (*g)->type, (*g)->span, sema_name_token(u->s, (*g)->name));
	}
}

void sema_unresolved(struct sema *s)
{
	struct unknown u = { .walker = { look_at_expr, look_at_stmt }, .s = s };

	map_init(&u.seen, s->arena);
	vec_foreach(f, &s->program->functions) {
		ir_walk_stmt(&u.walker, &(*f)->body);
		vec_foreach(p, &(*f)->params)
			if ((*p)->type == IR_UNKNOWN && !(*f)->code && !(*f)->builtin)
				look_at(&u, *p, (*p)->type, (*p)->span,
					sema_name_token(s, (*p)->name));
	}
	vec_foreach(p, &s->program->probes)
		ir_walk_probe(&u.walker, *p);
	complete_globals(&u);
}

/* ---- embedded C ---- */

/* One walk over all code, for what collect_embedded() and set_anchor() ask. */
struct scan {
	struct ir_walker walker;
	struct map files; /* those whose functions have C in them: their top-level C is wanted */
	const struct ast_file *file; /* of the function being scanned, or NULL */
	bool address;                /* a fetch program names a link-time address */
};

static void scan_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct scan *sc = (struct scan *)w;
	const struct ir_expr *e = *ref;

	if (e->kind == IR_EMBEDDED && sc->file)
		map_put(&sc->files, sc->file, sc);
	if (e->kind == IR_FETCH)
		sc->address |=
			fetch_has_address(&e->fetch.load) || fetch_has_address(&e->fetch.address);
	ir_expr_children(w, *ref);
}

/* What stands in the rows of its points. */
static void scan_points(struct scan *sc, const struct ir_probe *p)
{
	vec_foreach(point, &p->points) {
		for (uint32_t i = 0; i < p->n_values; i++)
			sc->address |= fetch_has_address(&point->values[i]);
		for (uint32_t i = 0; i < p->n_texts; i++)
			vec_foreach(program, &point->texts[i].values)
				sc->address |= fetch_has_address(program);
	}
}

/* Top-level C of the user, and of library files with C functions in use. */
static void collect_embedded(struct sema *s, struct scan *sc)
{
	vec_foreach(f, &s->program->functions)
		if ((*f)->code)
			map_put(&sc->files, sema_function(*f)->file, s);
	map_foreach(entry, &s->files) {
		const struct ast_file *file = entry->value;

		if (file->library && !map_has(&sc->files, file))
			continue;
		vec_foreach(e, &file->embedded)
			vec_push(s->arena, &s->program->embedded,
				 sema_code(s, (*e)->text, (*e)->span));
	}
}

/* ---- anchor ---- */

/*
 * Addresses of the kernel are stated relative to a symbol, since the kernel may have been moved
 * at boot. An anchor that cannot be had is reported.
 */
static void set_anchor(struct sema *s, bool address)
{
	struct target *t = s->input->env ? s->input->env->target : NULL;
	struct error *err;

	vec_foreach(p, &s->program->probes)
		vec_foreach(point, &(*p)->points)
			address |= ir_attach_is_linked(&point->attach);
	if (!t || !address)
		return;
	s->program->anchor.kernel = target_kernel_row(t);
	err = target_anchor(t, &s->program->anchor.symbol, &s->program->anchor.addr);
	if (err)
		diag_report(s->sink, DIAG_NO_ANCHOR, (struct span){ 0 }, err->text);
	error_destroy(err);
}

static void index_locals(struct ir_local **data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		data[i]->index = (uint32_t)i;
}

/* Indexes follow the order of the lists, which is that of the script. */
void sema_finish(struct sema *s)
{
	struct scan sc = { .walker = { .expr = scan_expr } };
	uint32_t n = 0;

	map_init(&sc.files, s->arena);
	vec_foreach(g, &s->program->globals)
		(*g)->index = n++;
	n = 0;
	vec_foreach(f, &s->program->functions) {
		(*f)->index = n++;
		index_locals((*f)->locals.data, (*f)->locals.n);
		sc.file = sema_function(*f)->file;
		ir_walk_stmt(&sc.walker, &(*f)->body);
	}
	sc.file = NULL;
	n = 0;
	vec_foreach(p, &s->program->probes) {
		(*p)->index = n++;
		index_locals((*p)->locals.data, (*p)->locals.n);
		ir_walk_probe(&sc.walker, *p);
		scan_points(&sc, *p);
	}
	collect_embedded(s, &sc);
	set_anchor(s, sc.address);
}
