/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditionals: %( COND %? tokens %: tokens %), decided here; what is not taken
 * vanishes, mistakes in it included. Conditions compare what parse_env says of kernel, machine
 * and session; a condition that is malformed leaves a JUNK token in place of the whole
 * conditional.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "parse/parser.h"
#include "script.tab.h"

/*
 * Where reading stands in the list, and what is kept so far. depth bounds the recursion of
 * decide().
 */
struct decider {
	struct parser *p;
	const struct tokens *in;
	size_t i;
	struct tokens out;
	int depth;
};

#define CONDITION_DEPTH_MAX 200

/*
 * What the left side is decides what it may be compared with: versions and numbers have an order,
 * the others are equal or not.
 */
enum operand_kind {
	OPERAND_VERSION,
	OPERAND_EQUAL_ONLY,
	OPERAND_CONFIG,
	OPERAND_STRING,
	OPERAND_NUMBER
};

/* A left side. text is never NULL, except for numbers and guru_mode, whose value is in number. */
struct operand {
	enum operand_kind kind;
	const char *text;
	int64_t number;
	bool glob; /* the right string may be a pattern */
};

/* The next token; the list ends in SCRIPT_EOF, which is never passed. */
static const struct token *peek(const struct decider *d)
{
	return &d->in->data[d->i];
}

/* Leaves a JUNK token; one that is junk already keeps its own diagnostic. */
static void fail(struct decider *d, const struct token *at, enum diag_tag tag, const char *what)
{
	struct diagnostic *bad =
		at->kind == JUNK ? at->bad : diag_create(d->p->sink, tag, at->span, what);
	struct token t = parser_junk(d->p, at, bad);

	vec_push(d->p->arena, &d->out, t);
}

/* "" when the option is unset or there is no kernel to ask. */
static const char *config_value(struct parser *p, const char *name)
{
	const char *value = p->env.config ? p->env.config(name, p->env.config_data) : NULL;

	return value ? value : "";
}

/* CONFIG_NAME, an option of the kernel's configuration. */
static bool is_config(const struct token *t)
{
	return t->kind == NAME && !strncmp(t->str->text, "CONFIG_", 7);
}

/* The release up to its first '-'. */
static const char *kernel_v(struct parser *p)
{
	const char *release = p->env.kernel_vr ? p->env.kernel_vr : "";

	return arena_strndup(p->arena, release, strcspn(release, "-"));
}

/* The named operands. False when NAME is none of them. */
static bool read_named(struct parser *p, const char *name, struct operand *left)
{
	const struct parse_env *env = &p->env;

	left->glob = true;
	left->kind = OPERAND_VERSION;
	if (!strcmp(name, "kernel_v"))
		left->text = kernel_v(p);
	else if (!strcmp(name, "kernel_vr"))
		left->text = env->kernel_vr;
	else if (!strcmp(name, "systemtap_v"))
		left->text = env->compatible;
	else
		left->kind = OPERAND_EQUAL_ONLY;
	if (left->kind == OPERAND_VERSION)
		return true;
	if (!strcmp(name, "arch"))
		left->text = env->arch;
	else if (!strcmp(name, "runtime"))
		left->text = env->runtime;
	else if (!strcmp(name, "systemtap_privilege"))
		left->text = env->privilege;
	else
		return false;
	return true;
}

/* False after leaving junk. Literals may stand on the left, too. */
static bool read_left(struct decider *d, const struct token *t, struct operand *left)
{
	memset(left, 0, sizeof(*left));
	if (t->kind == STRING) {
		left->kind = OPERAND_STRING;
		left->text = t->str->text;
	} else if (t->kind == NUMBER && !t->bad) {
		left->kind = OPERAND_NUMBER;
		left->number = t->number;
	} else if (is_config(t)) {
		left->kind = OPERAND_CONFIG;
		left->glob = true;
		left->text = config_value(d->p, t->str->text);
	} else if (t->kind == NAME && !strcmp(t->str->text, "guru_mode")) {
		left->kind = OPERAND_EQUAL_ONLY;
		left->number = d->p->env.guru;
		left->text = NULL;
		return true;
	} else if (t->kind != NAME || !read_named(d->p, t->str->text, left)) {
		fail(d, t, DIAG_PARSE_COND,
		     "expected 'arch', 'kernel_v', 'kernel_vr', 'systemtap_v', 'CONFIG_...', "
		     "'runtime', "
		     "'systemtap_privilege', 'guru_mode', or a literal");
		return false;
	}
	if (left->kind != OPERAND_NUMBER && !left->text)
		left->text = "";
	return true;
}

/* op: a comparison. order: as strcmp() gives it for the operands. */
static bool holds(int op, int order)
{
	switch (op) {
	case AST_OP_LT:
		return order < 0;
	case AST_OP_LE:
		return order <= 0;
	case AST_OP_GT:
		return order > 0;
	case AST_OP_GE:
		return order >= 0;
	case AST_OP_EQ:
		return order == 0;
	default:
		return order != 0;
	}
}

static int order_of(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Two values of the configuration: as numbers when both are, else byte by byte. */
static int order_of_values(const char *a, const char *b)
{
	char *end_a, *end_b;
	int64_t number_a = strtoll(a, &end_a, 0), number_b = strtoll(b, &end_b, 0);

	if (*a && *b && !*end_a && !*end_b)
		return order_of(number_a, number_b);
	return strcmp(a, b);
}

/*
 * Patterns (*, ?, [) may stand on the right of named operands, for == and != only. Versions
 * compare as strverscmp() has it, other texts byte by byte.
 */
static bool compare_strings(struct decider *d, const struct operand *left, int op,
			    const struct token *right, const char *text, bool *ret)
{
	bool equality = op == AST_OP_EQ || op == AST_OP_NE;

	if (left->glob && text[strcspn(text, "*?[")]) {
		if (!equality) {
			fail(d, right, DIAG_PARSE_COND, "wildcard with an ordering operator");
			return false;
		}
		*ret = (fnmatch(text, left->text, FNM_NOESCAPE) == 0) == (op == AST_OP_EQ);
		return true;
	}
	if (left->kind == OPERAND_VERSION)
		*ret = holds(op, strverscmp(left->text, text));
	else
		*ret = holds(op, strcmp(left->text, text));
	return true;
}

/* LEFT OP RIGHT for the operands a kind allows; reports and returns false for others. */
static bool compare(struct decider *d, const struct operand *left, int op,
		    const struct token *op_token, const struct token *right, bool *ret)
{
	bool equality = op == AST_OP_EQ || op == AST_OP_NE;

	if (left->kind == OPERAND_NUMBER || left->kind == OPERAND_CONFIG || !left->text) {
		if (right->kind == NUMBER && !right->bad &&
		    (left->text || left->kind == OPERAND_NUMBER || equality)) {
			int64_t value = left->text ? strtoll(left->text, NULL, 0) : left->number;

			/* guru_mode: the only number that has no order */
			if (left->kind == OPERAND_EQUAL_ONLY && right->number >> 1) {
				fail(d, right, DIAG_PARSE_COND, "expected 0 or 1");
				return false;
			}
			*ret = holds(op, order_of(value, right->number));
			return true;
		}
		if (left->kind != OPERAND_CONFIG) {
			fail(d, equality || left->kind == OPERAND_NUMBER ? right : op_token,
			     DIAG_PARSE_COND,
			     equality || left->kind == OPERAND_NUMBER ? "expected literal number"
								      : "expected '==' or '!='");
			return false;
		}
	}
	if (left->kind == OPERAND_CONFIG && is_config(right)) {
		*ret = holds(op, order_of_values(left->text, config_value(d->p, right->str->text)));
		return true;
	}
	if (!equality && (left->kind == OPERAND_EQUAL_ONLY || left->kind == OPERAND_CONFIG)) {
		fail(d, op_token, DIAG_PARSE_COND, "expected '==' or '!='");
		return false;
	}
	if (right->kind == STRING)
		return compare_strings(d, left, op, right, right->str->text, ret);
	fail(d, right, DIAG_PARSE_COND, "expected literal string");
	return false;
}

/* False after leaving junk; the position is then somewhere in the condition. */
static bool read_comparison(struct decider *d, bool *ret)
{
	const struct token *op, *right;
	struct operand left;

	if (!read_left(d, peek(d), &left))
		return false;
	d->i++;
	op = peek(d);
	if (op->kind != COMPARE) {
		fail(d, op, DIAG_PARSE_COND, "expected comparison operator");
		return false;
	}
	d->i++;
	right = peek(d);
	if (!compare(d, &left, op->op, op, right, ret))
		return false;
	d->i++;
	return true;
}

/*
 * Comparisons joined by && and ||, && first; no parentheses. Every comparison is read, none is
 * skipped, so that each mistake is found. The next token is then that behind "%?".
 */
static bool read_condition(struct decider *d, bool *ret)
{
	bool any = false, all = true, one;

	for (;;) {
		if (!read_comparison(d, &one))
			return false;
		all = all && one;
		if (peek(d)->kind == LOGAND) {
			d->i++;
			continue;
		}
		any = any || all;
		all = true;
		if (peek(d)->kind != LOGOR)
			break;
		d->i++;
	}
	if (peek(d)->kind != PP_THEN) {
		fail(d, peek(d), DIAG_PARSE_COND, "expected '%?'");
		return false;
	}
	d->i++;
	*ret = any;
	return true;
}

static bool decide(struct decider *d);

/* One of %? %: %) where no conditional is open for it. */
static void fail_stray(struct decider *d)
{
	fail(d, peek(d), DIAG_PARSE_COND_OPEN, "");
	d->i++;
}

/* Tokens that have a meaning in an open conditional only. */
static bool is_inside(int kind)
{
	return kind == PP_THEN || kind == PP_ELSE || kind == PP_CLOSE;
}

static bool is_definition(const struct token *t)
{
	return t->kind == AT_WORD && !strcmp(t->str->text, "define");
}

static void copy(struct decider *d)
{
	vec_push(d->p->arena, &d->out, *peek(d));
	d->i++;
}

/* "@define NAME(a) %( body %)" as it is: what is in the body is decided where the macro is used. */
static void copy_definition(struct decider *d)
{
	int depth = 0;

	copy(d);
	while (peek(d)->kind != SCRIPT_EOF && peek(d)->kind != PP_OPEN &&
	       !is_inside(peek(d)->kind) && !is_definition(peek(d)))
		copy(d);
	if (peek(d)->kind != PP_OPEN)
		return;
	do {
		depth += (peek(d)->kind == PP_OPEN) - (peek(d)->kind == PP_CLOSE);
		copy(d);
	} while (depth && peek(d)->kind != SCRIPT_EOF);
}

/* Copy tokens to the next %: %) of this level or the end, deciding what is nested. */
static void take_arm(struct decider *d)
{
	while (peek(d)->kind != SCRIPT_EOF && peek(d)->kind != PP_ELSE &&
	       peek(d)->kind != PP_CLOSE) {
		if (peek(d)->kind == PP_OPEN) {
			if (!decide(d))
				return;
		} else if (peek(d)->kind == PP_THEN) {
			fail_stray(d);
		} else if (is_definition(peek(d))) {
			copy_definition(d);
		} else {
			copy(d);
		}
	}
}

/* To the next %: or %) of this level, or the end; nothing is decided or kept. %? may not stand
 * there when the condition was read (OPEN). */
static void skip_arm(struct decider *d, bool open)
{
	int depth = 0;

	for (; peek(d)->kind != SCRIPT_EOF; d->i++) {
		int kind = peek(d)->kind;

		if (!depth && (kind == PP_ELSE || kind == PP_CLOSE))
			return;
		if (!depth && open && kind == PP_THEN)
			fail(d, peek(d), DIAG_PARSE_COND_OPEN, "");
		if (kind == PP_OPEN)
			depth++;
		else if (kind == PP_CLOSE)
			depth--;
	}
}

/* After a mistake: behind the end of this conditional. */
static bool give_up(struct decider *d)
{
	skip_arm(d, false);
	while (peek(d)->kind == PP_ELSE) {
		d->i++;
		skip_arm(d, false);
	}
	if (peek(d)->kind == PP_CLOSE)
		d->i++;
	return true;
}

static bool is_kept(const struct decider *d, const struct diagnostic *bad)
{
	vec_foreach(t, &d->out)
		if (t->kind == JUNK && t->bad == bad)
			return true;
	return false;
}

/* OPEN is not closed; a string without end that has the "%)" is to blame, where there is one. */
static void fail_unclosed(struct decider *d, const struct token *open)
{
	const struct token *at = open;

	while (at < peek(d) && !(at->kind == JUNK && at->bad->tag == DIAG_PARSE_QUOTE &&
				 memmem(at->text, at->len, "%)", 2)))
		at++;
	if (at == peek(d))
		fail(d, open, DIAG_PARSE_COND_END, "");
	else if (!is_kept(d, at->bad))
		fail(d, at, DIAG_PARSE_QUOTE, "");
}

/* The conditional whose "%(" is next. False at the end of the file. */
static bool decide(struct decider *d)
{
	const struct token *open = peek(d);
	bool taken;

	d->i++;
	if (d->depth >= CONDITION_DEPTH_MAX) {
		fail(d, open, DIAG_PARSE_DEPTH, "");
		return give_up(d);
	}
	if (!read_condition(d, &taken))
		return give_up(d);
	d->depth++;
	if (taken)
		take_arm(d);
	else
		skip_arm(d, true);
	if (peek(d)->kind == PP_ELSE) {
		d->i++;
		if (taken)
			skip_arm(d, true);
		else
			take_arm(d);
	}
	d->depth--;
	if (peek(d)->kind == PP_CLOSE) {
		d->i++;
		return true;
	}
	if (peek(d)->kind == PP_ELSE) {
		fail(d, peek(d), DIAG_PARSE_COND, "second '%:'");
		return give_up(d);
	}
	fail_unclosed(d, open);
	return false;
}

/* Is there a definition in the conditional that begins at I? */
static bool holds_definition(const struct tokens *in, size_t i)
{
	int depth = 0;

	do {
		if (is_definition(&in->data[i]))
			return true;
		depth += (in->data[i].kind == PP_OPEN) - (in->data[i].kind == PP_CLOSE);
		i++;
	} while (depth && in->data[i].kind != SCRIPT_EOF);
	return false;
}

struct tokens parser_decide_definitions(struct parser *p, const struct tokens *in)
{
	struct decider d = { .p = p, .in = in };
	bool any = false, open = false;

	for (size_t i = 0; i < in->n && !any; i++) {
		open |= in->data[i].kind == PP_OPEN;
		any = open && is_definition(&in->data[i]);
	}
	if (!any)
		return *in;
	while (peek(&d)->kind != SCRIPT_EOF) {
		if (is_definition(peek(&d)))
			copy_definition(&d);
		else if (peek(&d)->kind == PP_OPEN && holds_definition(in, d.i))
			decide(&d);
		else
			copy(&d);
	}
	copy(&d);
	return d.out;
}

static bool has_conditions(const struct tokens *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (in->data[i].kind == PP_OPEN || is_inside(in->data[i].kind))
			return true;
	return false;
}

/* A list without conditionals is the answer itself. */
struct tokens parser_decide_conditions(struct parser *p, const struct tokens *in)
{
	struct decider d = { .p = p, .in = in };

	if (!has_conditions(in))
		return *in;
	while (peek(&d)->kind != SCRIPT_EOF) {
		if (peek(&d)->kind == PP_OPEN) {
			decide(&d);
		} else if (is_inside(peek(&d)->kind)) {
			fail_stray(&d);
		} else {
			vec_push(p->arena, &d.out, *peek(&d));
			d.i++;
		}
	}
	vec_push(p->arena, &d.out, *peek(&d));
	return d.out;
}
