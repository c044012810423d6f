/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guru.c: embedded C, compiled against the kernel's headers and runtime/core/embedded.h.
 * Top-level code stands first, in order (code with pragma:suffix last); each C function becomes
 * a C function of the same name as its prototype in script.c, each C expression a function
 * without parameters. Globals are reached through accessors that script.c defines.
 */
#include <string.h>

#include "base/intern.h"
#include "base/strbuf.h"
#include "codegen/body.h"
#include "codegen/codegen.h"
#include "codegen/expr.h"
#include "codegen/internal.h"
#include "codegen/tables.h"
#include "codegen/value.h"
#include "ir/walk.h"
#include "runtime/uapi/script.h"

bool cg_needs_guru(const struct cg *cg)
{
	if (cg->program->embedded.n || cg->embedded.n)
		return true;
	vec_foreach(it, &cg->program->functions)
		if ((*it)->code)
			return true;
	return false;
}

/* Said by the text itself of embedded C, by a `next` of a script function. */
bool cg_uses_next(const struct ir_function *f)
{
	return f->uses_next;
}

/* ---- script.c's side ---- */

const char *cg_embedded_name(struct cg *cg, const struct ir_expr *e)
{
	size_t i;

	for (i = 0; i < cg->embedded.n; i++)
		if (cg->embedded.data[i] == e)
			break;
	if (i == cg->embedded.n)
		vec_push(cg->arena, &cg->embedded, e);
	return cg_printf(cg, STP_EXPRESSION_NAME "_%zu", i);
}

/* "stp_long stp_expression_0(struct stp_ctx *c, stp_long l_x)" */
static const char *expression_head(struct cg *cg, const struct ir_expr *e)
{
	const char *text =
		cg_printf(cg, "%s%s(struct stp_ctx *c", cg_type(e->type), cg_embedded_name(cg, e));

	for (size_t i = 0; i < e->named.n; i++) {
		const struct ir_local *l = e->named.data[i]->local;

		text = cg_printf(cg, "%s, %s%s", text, cg_type(l->type),
				 emit_name(cg->arena, "l", l->name->text));
	}
	return cg_printf(cg, "%s)", text);
}

/* The walk that numbers embedded expressions, in the order of the program. */
struct find_embedded {
	struct ir_walker walker;
	struct cg *cg;
};

static void find_expr(struct ir_walker *w, struct ir_expr **ref)
{
	struct find_embedded *v = (struct find_embedded *)w;

	if ((*ref)->kind == IR_EMBEDDED)
		cg_embedded_name(v->cg, *ref);
	ir_expr_children(w, *ref);
}

/* The order of the walk is that of the numbers, so guru.c has the functions in the same order. */
void cg_embedded_prototypes(struct cg *cg)
{
	struct find_embedded v = { .walker = { find_expr, NULL }, .cg = cg };

	vec_foreach(it, &cg->program->functions) {
		struct ir_stmt *body = (*it)->body;

		ir_walk_stmt(&v.walker, &body);
	}
	vec_foreach(it, &cg->program->probes)
		ir_walk_probe(&v.walker, *it);
	vec_foreach(it, &cg->embedded)
		emit_line(&cg->w, "%s;", expression_head(cg, *it));
	if (cg->embedded.n)
		emit_blank(&cg->w);
}

/* What embedded C does with the global (enum ir_access), by its pragmas. */
static unsigned access_of_code(const struct cg *cg, const struct ir_global *g)
{
	unsigned access = 0;

	vec_foreach(f, &cg->program->functions)
		if ((*f)->code)
			vec_foreach(use, &(*f)->code->uses)
				access |= use->global == g ? use->access : 0;
	vec_foreach(e, &cg->embedded)
		vec_foreach(use, &(*e)->code->uses)
			access |= use->global == g ? use->access : 0;
	return access;
}

/*
 * Keys are parameters k0, k1; a value to be set is v. A string is given as C has it, where it is
 * stored: only one of an array is copied, for elements move.
 */
static const char *accessor_head(struct cg *cg, const struct ir_global *g, bool set)
{
	struct strbuf b;
	const char *text;

	strbuf_init(&b);
	strbuf_addf(&b, "%s%s_%s(struct stp_ctx *c",
		    set                    ? "void "
		    : g->type == IR_STRING ? "char *"
					   : cg_type(g->type),
		    set ? "set" : "get", cg_global(cg, g));
	for (unsigned i = 0; i < g->n_keys; i++)
		strbuf_addf(&b, ", %sk%u", cg_type(g->keys[i]), i);
	strbuf_addf(&b, set ? ", %sv)" : ")", cg_type(g->type));
	text = arena_strdup(cg->arena, strbuf_cstr(&b));
	strbuf_deinit(&b);
	return text;
}

/* An accessor's body is the script statement it stands for, on parameters named as its locals. */
static void accessor(struct cg *cg, const struct ir_global *g, bool set)
{
	const char *head = accessor_head(cg, g, set), *name = cg_global(cg, g),
		   *suffix = g->type == IR_STRING ? "_str" : "";
	struct strbuf keys;

	emit_line(&cg->w, "%s;", head);
	emit_line(&cg->w, "%s", head);
	emit_line(&cg->w, "{");
	cg->w.depth++;
	strbuf_init(&keys);
	for (unsigned i = 0; i < g->n_keys; i++)
		strbuf_addf(&keys, "%s{ .%c = k%u }", i ? ", " : "",
			    g->keys[i] == IR_STRING ? 's' : 'l', i);
	if (g->is_array && set)
		emit_line(&cg->w, "STP_VALS(stp_map_set%s(c, &%s, vals, v), %s);", suffix, name,
			  strbuf_cstr(&keys));
	else if (g->is_array)
		emit_line(&cg->w,
			  g->type == IR_STRING
				  ? "return (char *)STP_VALS(stp_map_get_str(c, &%s, vals), %s).s;"
				  : "return STP_VALS(stp_map_get(c, &%s, vals), %s);",
			  name, strbuf_cstr(&keys));
	else if (g->type == IR_STRING)
		emit_line(&cg->w, set ? "stp_string_set(c, &%s, v);" : "return %s.text;", name);
	else
		emit_line(&cg->w, set ? "%s = v;" : "return %s;", name);
	strbuf_deinit(&keys);
	emit_close(&cg->w, "");
	emit_blank(&cg->w);
}

void cg_accessors(struct cg *cg)
{
	vec_foreach(it, &cg->program->globals) {
		unsigned access = access_of_code(cg, *it);

		if (!access)
			continue;
		emit_comment(&cg->w, "global %s, for embedded C", (*it)->name->text);
		if (access & IR_ACCESS_READ)
			accessor(cg, *it, false);
		if (access & IR_ACCESS_WRITES)
			accessor(cg, *it, true);
	}
}

/* ---- guru.c ---- */

static void accessor_prototypes(struct cg *cg)
{
	vec_foreach(it, &cg->program->globals) {
		unsigned access = access_of_code(cg, *it);

		if (access & IR_ACCESS_READ)
			emit_line(&cg->w, "%s;", accessor_head(cg, *it, false));
		if (access & IR_ACCESS_WRITES)
			emit_line(&cg->w, "%s;", accessor_head(cg, *it, true));
	}
}

/* STAP_GLOBAL_GET_x or STAP_GLOBAL_SET_x. A string that is set is a C string there, a view here. */
static void accessor_macro(struct cg *cg, const struct ir_global *g, bool set)
{
	struct strbuf params, args;

	strbuf_init(&params);
	strbuf_init(&args);
	for (unsigned i = 0; i < g->n_keys; i++) {
		strbuf_addf(&params, "%sk%u", i ? ", " : "", i);
		strbuf_addf(&args, g->keys[i] == IR_STRING ? ", stp_view(k%u)" : ", k%u", i);
	}
	if (set)
		emit_directive(&cg->w, "#define STAP_GLOBAL_SET_%s(%s%sv) set_%s(c%s, %s)",
			       g->name->text, strbuf_cstr(&params), g->n_keys ? ", " : "",
			       cg_global(cg, g), strbuf_cstr(&args),
			       g->type == IR_STRING ? "stp_view(v)" : "v");
	else
		emit_directive(&cg->w, "#define STAP_GLOBAL_GET_%s(%s) get_%s(c%s)", g->name->text,
			       strbuf_cstr(&params), cg_global(cg, g), strbuf_cstr(&args));
	strbuf_deinit(&params);
	strbuf_deinit(&args);
}

/* Defines, or undefines behind the text, what its pragmas allow. */
static void accessor_macros(struct cg *cg, const struct ir_code *code, bool define)
{
	vec_foreach(use, &code->uses) {
		const char *name = use->global->name->text;

		if (use->access & IR_ACCESS_READ && define)
			accessor_macro(cg, use->global, false);
		else if (use->access & IR_ACCESS_READ)
			emit_directive(&cg->w, "#undef STAP_GLOBAL_GET_%s", name);
		if (use->access & IR_ACCESS_WRITES && define)
			accessor_macro(cg, use->global, true);
		else if (use->access & IR_ACCESS_WRITES)
			emit_directive(&cg->w, "#undef STAP_GLOBAL_SET_%s", name);
	}
}

/* A file name as a C string. */
static const char *quoted(struct cg *cg, const char *name)
{
	char *ret = arena_alloc(cg->arena, 2 * strlen(name) + 1), *to = ret;

	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			*to++ = '\\';
		*to++ = *name;
	}
	*to = '\0';
	return ret;
}

/* TEXT as it would stand at OFFSET of the script, for the compiler's messages. */
static void at_script(struct cg *cg, uint32_t offset, const char *text)
{
	struct source_position at;

	if (cg->in->sources && source_map_locate(cg->in->sources, offset, &at)) {
		emit_directive(&cg->w, "#line %u \"%s\"", at.line, quoted(cg, at.file));
		text = cg_printf(cg, "%*s%s", (int)at.column - 1, "", text);
	}
	emit_verbatim(&cg->w, text, strlen(text));
}

/*
 * What follows is made for CODE, and in no file of the user's: a message about it is one about the
 * block (kmod/compiler_messages.c).
 */
static void made_for(struct cg *cg, const struct ir_code *code)
{
	const char *at = cg_span_text(cg, code->span);

	emit_directive(&cg->w, "#line 1 \"" CODEGEN_MADE_FOR "%s\"", at ? quoted(cg, at) : "");
}

/*
 * The script's text as it is, and END, which the compiler may find something missing in front of.
 */
static void script_text(struct cg *cg, const struct ir_code *code, const char *end)
{
	static const size_t mark = sizeof("%{") - 1;

	at_script(cg, code->span.start + mark, code->text->text);
	at_script(cg, code->span.end - mark, end);
	made_for(cg, code);
}

/* The char array that the pointer NAME has: sizeof is what there is room for. */
static const char *array_at(struct cg *cg, const char *name)
{
	return cg_printf(cg, "(*(char (*)[MAXSTRINGLEN])%s)", name);
}

/* Defines, or undefines behind the text, STAP_ARG_x of the locals that an expression names. */
static void named_macros(struct cg *cg, const struct ir_expr *e, bool define)
{
	for (size_t i = 0; i < e->named.n; i++) {
		const struct ir_local *l = e->named.data[i]->local;
		const char *name = l->name->text;

		if (define)
			emit_directive(&cg->w, "#define STAP_ARG_%s %s", name,
				       l->type == IR_STRING
					       ? array_at(cg, emit_name(cg->arena, "s", name))
					       : emit_name(cg->arena, "l", name));
		else
			emit_directive(&cg->w, "#undef STAP_ARG_%s", name);
	}
}

/* Those that are strings, as C has them. */
static void named_strings(struct cg *cg, const struct ir_expr *e)
{
	for (size_t i = 0; i < e->named.n; i++) {
		const struct ir_local *l = e->named.data[i]->local;
		const char *name = l->name->text;

		if (l->type == IR_STRING)
			emit_line(&cg->w, "char *%s __maybe_unused = stp_str_buffer(c, %s);",
				  emit_name(cg->arena, "s", name), emit_name(cg->arena, "l", name));
	}
}

/* A string result is copied to scratch, because the C text may give any pointer. */
static void expression(struct cg *cg, const struct ir_expr *e)
{
	const char *head = expression_head(cg, e), *at = cg_span_text(cg, e->span);

	emit_comment(&cg->w, "expression%s%s", at ? " at " : "", at ? at : "");
	made_for(cg, e->code);
	accessor_macros(cg, e->code, true);
	named_macros(cg, e, true);
	emit_line(&cg->w, "%s;", head);
	emit_line(&cg->w, "%s", head);
	emit_line(&cg->w, "{");
	cg->w.depth++;
	named_strings(cg, e);
	emit_line(&cg->w, e->type == IR_STRING ? "const char *stp_value = NULL;"
					       : "stp_long stp_value = 0;");
	emit_blank(&cg->w);
	emit_line(&cg->w, "stp_value = (");
	script_text(cg, e->code, ");");
	emit_label(&cg->w, "out");
	emit_line(&cg->w, "__maybe_unused;");
	emit_line(&cg->w, "stp_raised(c);");
	emit_line(&cg->w, e->type == IR_STRING
				  ? "return stp_str_concat(c, stp_view(stp_value), STP_S(\"\"));"
				  : "return stp_value;");
	emit_close(&cg->w, "");
	named_macros(cg, e, false);
	accessor_macros(cg, e->code, false);
	emit_blank(&cg->w);
}

/*
 * The parameters of the C function that has F's text, or with VALUES what they are given. Where the
 * text says THIS->x they are members of a structure, in scratch as its strings are; its member
 * names are the script's own, which may be macros of the kernel, so other text gets variables with
 * a prefix.
 */
static const char *body_parameters(struct cg *cg, const struct ir_function *f, bool values)
{
	const char *text = values ? "c" : "struct stp_ctx *c";
	bool this = f->code->structure;

	if (this)
		text = cg_printf(cg, "%s, %sTHIS", text,
				 values ? ""
					: cg_printf(cg, "struct %s *const ",
						    emit_name(cg->arena, "t", f->unique_name)));
	vec_foreach(it, &f->params) {
		bool string = (*it)->type == IR_STRING;
		const char *type = string ? "char *" : "stp_long ";

		if (!this)
			text = cg_printf(
				cg, "%s, %s%s", text, values ? "" : type,
				emit_name(cg->arena, string ? "s" : "l", (*it)->name->text));
	}
	if (f->type != IR_UNKNOWN && !this)
		text = cg_printf(cg, "%s, %s", text,
				 f->type == IR_STRING ? (values ? "stp_ret" : "char *stp_ret")
				 : values             ? "&stp_ret"
						      : "stp_long *stp_ret");
	if (cg_uses_next(f))
		text = cg_printf(cg, "%s, %sstp_next", text, values ? "" : "int *");
	return text;
}

/* What THIS points to. */
static void structure(struct cg *cg, const struct ir_function *f)
{
	emit_open(&cg->w, "struct %s", emit_name(cg->arena, "t", f->unique_name));
	vec_foreach(it, &f->params)
		emit_line(&cg->w,
			  (*it)->type == IR_STRING ? "char %s[MAXSTRINGLEN];" : "int64_t %s;",
			  (*it)->name->text);
	if (f->type != IR_UNKNOWN)
		emit_line(&cg->w, f->type == IR_STRING ? "char __retvalue[MAXSTRINGLEN];"
						       : "int64_t __retvalue;");
	emit_close(&cg->w, ";");
}

/* What the body is given: arguments copied, and an empty result. */
static void variables(struct cg *cg, const struct ir_function *f)
{
	bool this = f->code->structure;

	if (this)
		emit_line(&cg->w, "struct %s *THIS = (void *)stp_scratch(c, sizeof(*THIS));",
			  emit_name(cg->arena, "t", f->unique_name));
	vec_foreach(it, &f->params) {
		const char *name = (*it)->name->text;

		if (!this && (*it)->type == IR_STRING)
			emit_line(&cg->w, "char *%s = stp_str_buffer(c, %s);",
				  emit_name(cg->arena, "s", name), emit_name(cg->arena, "l", name));
	}
	if (!this && f->type != IR_UNKNOWN)
		emit_line(&cg->w, f->type == IR_STRING
					  ? "char *stp_ret = stp_str_buffer(c, STP_S(\"\"));"
					  : "stp_long stp_ret = 0;");
}

/* The members of THIS, when there is room for them. */
static void members(struct cg *cg, const struct ir_function *f)
{
	vec_foreach(it, &f->params) {
		const char *name = (*it)->name->text, *param = emit_name(cg->arena, "l", name);

		if ((*it)->type == IR_STRING)
			emit_line(&cg->w, "stp_str_store(THIS->%s, MAXSTRINGLEN, %s);", name,
				  param);
		else
			emit_line(&cg->w, "THIS->%s = %s;", name, param);
	}
	if (f->type == IR_STRING)
		emit_line(&cg->w, "THIS->__retvalue[0] = '\\0';");
	else if (f->type == IR_LONG)
		emit_line(&cg->w, "THIS->__retvalue = 0;");
}

/* Defines, or undefines behind the function, the STAP_ names that its text may use. */
static void function_macros(struct cg *cg, const struct ir_function *f, bool define)
{
	bool this = f->code->structure, string = f->type == IR_STRING;

	vec_foreach(it, &f->params) {
		const char *name = (*it)->name->text;

		if (!define)
			emit_directive(&cg->w, "#undef STAP_ARG_%s", name);
		else
			emit_directive(&cg->w, "#define STAP_ARG_%s %s", name,
				       this ? cg_printf(cg, "THIS->%s", name)
				       : (*it)->type == IR_STRING
					       ? array_at(cg, emit_name(cg->arena, "s", name))
					       : emit_name(cg->arena, "l", name));
	}
	if (!define) {
		emit_directive(&cg->w, "#undef STAP_RETVALUE");
		emit_directive(&cg->w, "#undef STAP_RETURN");
		return;
	}
	if (f->type != IR_UNKNOWN)
		emit_directive(&cg->w, "#define STAP_RETVALUE %s",
			       this     ? "THIS->__retvalue"
			       : string ? array_at(cg, "stp_ret")
					: "(*stp_ret)");
	emit_directive(&cg->w, "#define STAP_RETURN(v...) STP_RETURN_%s(v)",
		       f->type == IR_UNKNOWN ? "VOID"
		       : string              ? "STRING"
					     : "LONG");
}

/*
 * The text as a function without a result, which it may leave by `return`. It stands in a block of
 * its own behind the parameters, so that its declarations may repeat their names.
 */
static void body(struct cg *cg, const struct ir_function *f)
{
	function_macros(cg, f, true);
	accessor_macros(cg, f->code, true);
	if (f->code->structure)
		structure(cg, f);
	emit_line(&cg->w, "static void %s(%s)",
		  emit_name(cg->arena, STP_EMBEDDED_TEXT_NAME, f->unique_name),
		  body_parameters(cg, f, false));
	emit_line(&cg->w, "{");
	cg->w.depth++;
	emit_line(&cg->w, "{");
	script_text(cg, f->code, "}");
	emit_label(&cg->w, "out");
	emit_line(&cg->w, "__maybe_unused;");
	emit_close(&cg->w, "");
	accessor_macros(cg, f->code, false);
	function_macros(cg, f, false);
	emit_blank(&cg->w);
}

/* One embedded C function, which does not run after an error. */
static void function(struct cg *cg, const struct ir_function *f)
{
	bool this = f->code->structure, next = cg_uses_next(f), string = f->type == IR_STRING;
	const char *at = cg_span_text(cg, f->span), *ret = this ? "THIS->__retvalue" : "stp_ret";
	uint32_t position = cg_function_position(cg, f);
	const char *head =
		cg_printf(cg, "%s%s(%s%s)", cg_type(f->type), cg_embedded_function(cg, f),
			  cg_parameters(cg, f, "l"), next ? ", int *stp_next" : "");

	emit_comment(&cg->w, "function %s%s%s", f->name->text, at ? " at " : "", at ? at : "");
	made_for(cg, f->code);
	body(cg, f);
	emit_line(&cg->w, "%s;", head);
	emit_line(&cg->w, "%s", head);
	emit_line(&cg->w, "{");
	cg->w.depth++;
	if (string)
		emit_line(&cg->w, "char *const stp_mark = c->top;");
	variables(cg, f);
	emit_blank(&cg->w);
	emit_line(&cg->w, "if (unlikely(c->error))");
	cg->w.depth++;
	if (f->type == IR_UNKNOWN)
		emit_line(&cg->w, "return;");
	else
		emit_line(&cg->w, string ? "return stp_str_return(c, stp_mark, STP_S(\"\"));"
					 : "return 0;");
	cg->w.depth--;
	if (this)
		members(cg, f);
	if (position)
		emit_line(&cg->w, "c->position = %u;", position);
	emit_line(&cg->w, "%s(%s);", emit_name(cg->arena, STP_EMBEDDED_TEXT_NAME, f->unique_name),
		  body_parameters(cg, f, true));
	emit_line(&cg->w, "stp_raised(c);");
	if (string)
		emit_line(&cg->w, "return stp_str_return(c, stp_mark, stp_view_array(%s));", ret);
	else if (f->type == IR_LONG)
		emit_line(&cg->w, "return %s;", ret);
	emit_close(&cg->w, "");
	emit_blank(&cg->w);
}

/* The bodies that belong behind everything else, or those that do not. */
static void top_level(struct cg *cg, bool last)
{
	vec_foreach(it, &cg->program->embedded) {
		if ((*it)->last != last)
			continue;
		emit_comment(&cg->w, "top-level embedded C");
		made_for(cg, *it);
		script_text(cg, *it, CODEGEN_BLOCK_END "(1, \"\");");
		emit_blank(&cg->w);
	}
}

/* MAXSTRINGLEN is set again, since the headers have a default. */
void cg_guru(struct cg *cg)
{
	cg->w.depth = 0;
	emit_comment(&cg->w, "%s: embedded C", cg->in->script_name);
	emit_directive(&cg->w, "#include \"core/embedded.h\"");
	emit_blank(&cg->w);
	emit_directive(&cg->w, "#undef MAXSTRINGLEN");
	emit_directive(&cg->w, "#define MAXSTRINGLEN %u", cg->in->limits.max_string);
	emit_blank(&cg->w);
	top_level(cg, false);
	accessor_prototypes(cg);
	vec_foreach(it, &cg->embedded)
		expression(cg, *it);
	vec_foreach(it, &cg->program->functions)
		if ((*it)->code)
			function(cg, *it);
	top_level(cg, true);
}
