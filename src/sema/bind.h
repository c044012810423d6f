/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step bind: tree to typed program, one handler or function at a time. Names become symbols,
 * target variables become fetch programs (context.h), conditions that @defined decides choose
 * their arm here. Types stay unknown except where a node has only one. After a mistake a node
 * of unknown type stands in, and the program is not used.
 */
#ifndef SPILE_SEMA_BIND_H
#define SPILE_SEMA_BIND_H

#include "sema/context.h"
#include "sema/expand.h"
#include "sema/pass.h"
#include "sema/symbols.h"

/*
 * The state of binding one handler or function. in_entry, in_condition, quiet and loops are
 * restored by who changes them.
 */
struct bind {
	struct sema *s;
	/* whose private names are visible; changes between the bodies of a handler */
	const struct ast_file *file;
	struct sema_function *fn;     /* or NULL */
	struct ir_probe *probe;       /* or NULL */
	struct map locals;            /* istr -> struct sema_local */
	struct sema_context *cx;      /* NULL: no $variables here */
	const struct sema_body *body; /* of the handler, for @probewrite; NULL elsewhere */
	unsigned loops;
	bool loop_misspelt; /* a keyword of a loop was, and that is reported */
	bool in_entry;      /* inside @entry: evaluated when the function is entered */
	bool in_condition;  /* of the probe: there are no locals */
	bool quiet;         /* in a trial (trial.h): no warnings */
};

/*
 * Never NULL: after a mistake, which is reported, a poisoned node. The node is new, in the
 * arena, and used once.
 */
struct ir_expr *bind_expr(struct bind *b, const struct ast_expr *ast);
/* Appends each of the list to *ret; NULL elements stay. */
void bind_exprs(struct bind *b, const struct ast_exprs *list, struct ir_exprs *ret);
/* The lvalue that a name means: a global, or a local, which is made when there is none. */
struct ir_expr *bind_variable(struct bind *b, const struct istr *name, struct span span);
/* Notes that LVALUE is stored to, when it is a local. */
void bind_mark_assigned(struct bind *b, const struct ir_expr *lvalue);
/* NULL for a statement that comes to nothing, and after some mistakes. */
struct ir_stmt *bind_stmt(struct bind *b, const struct ast_stmt *ast);

/* bind_static.c */
/* @defined and @probewrite: a number, 1 or 0. */
struct ir_expr *bind_defined(struct bind *b, const struct ast_expr *ast);
struct ir_expr *bind_probewrite(struct bind *b, const struct ast_expr *ast);
/* What a condition chooses between: [1] when it holds, [0] when not; NULL: nothing. */
struct bind_arms {
	const struct ast_expr *expr[2];
	const struct ast_stmt *stmt[2];
};
/*
 * true when the condition is known and its other arm is not to be looked at: @defined decided,
 * or the arm names what there is not. Other mistakes behind a literal condition are reported.
 */
bool bind_static(struct bind *b, const struct ast_expr *ast, const struct bind_arms *arms,
		 int64_t *value);
/* bind_stat.c: @count(s), histograms */
/* The aggregate of <<< and extractors: IR_GLOBAL, IR_ELEMENT, or a poisoned node. */
struct ir_expr *bind_stat_operand(struct bind *b, const struct ast_expr *ast);
/* Notes on the aggregate's global what must be collected. */
struct ir_expr *bind_extract(struct bind *b, const struct ast_expr *ast);
/* HIST[INDEX]; the index is a number. */
struct ir_expr *bind_bucket(struct bind *b, const struct ast_expr *ast);
/*
 * The aggregate of a histogram, whose shape is noted on the global. One aggregate has one
 * histogram.
 */
struct ir_expr *bind_hist_stat(struct bind *b, const struct ast_expr *hist);
/* bind_enum.c */
/* The enumerator's value as a number. */
struct ir_expr *bind_enum(struct bind *b, const struct ast_expr *ast);
/* The table of the enumeration is added to the program once per type. */
struct ir_expr *bind_enumname(struct bind *b, const struct ast_expr *ast);
/* The name of VALUE, a number, by that table, which is added in the same way. */
struct ir_expr *bind_names_of(struct bind *b, const struct target_names *names,
			      struct ir_expr *value, const struct ast_expr *ast);
/* bind_print.c */
struct ir_expr *bind_print(struct bind *b, const struct ast_expr *ast);
/* bind_target.c */
/* WRITE: it will be stored to, and must be in memory or a register of its own. */
struct ir_expr *bind_target(struct bind *b, const struct ast_expr *ast, bool write);
/* How messages name a context expression: by what the script has in front of the path. */
const char *bind_variable_token(struct bind *b, const struct ast_expr *ast);
/* The IR_FETCH of an answer that is TARGET_OK. VARYING as from context_resolve(). */
struct ir_expr *bind_fetch(struct bind *b, const struct ast_expr *ast, const struct target_value *v,
			   const struct ir_exprs *operands, struct ir_varying *varying);
/* @entry(e): only in return probes, and not nested. */
struct ir_expr *bind_entry(struct bind *b, const struct ast_expr *ast);
/* In a return probe: VALUE as it was at the entry. */
struct ir_expr *bind_saved(struct bind *b, struct ir_expr *value, const struct ast_expr *ast);
/*
 * For a context expression that cannot be resolved, for the reason in V: reports that and gives a
 * poisoned node; with --skip-badvars a warning and 0 instead.
 */
struct ir_expr *bind_unresolved(struct bind *b, const struct ast_expr *ast,
				const struct target_value *v);
/* The same for a reason that target/ did not give: TAG, with the arguments of its text. */
struct ir_expr *bind_failed(struct bind *b, const struct ast_expr *ast, enum diag_tag tag, ...);
/* Is it a[1][2], a subscript of an element? Where it cannot be one of a pointer, the hint. */
bool bind_is_nested_index(const struct ast_expr *ast);
extern const char bind_nested_index_hint[];
/* Of DIAG_NO_VARIABLES. */
extern const char bind_no_variables_hint[];
/* Notes, for autocast, the pointer type that LVALUE gets by an assignment of VALUE. */
void bind_note_type(struct bind *b, const struct ir_expr *lvalue, const struct ir_expr *value);
/* Reports why E, which AST assigns to, may not be assigned to; nothing when it may. */
void bind_check_write(struct sema *s, const struct ast_expr *ast, const struct ir_expr *e);
/*
 * p[3] with a local p: an access through a typed pointer; and the same as a target expression,
 * with more path behind it
 */
bool bind_is_pointer_index(struct bind *b, const struct ast_expr *ast);
const struct ast_expr *bind_pointer_index(struct bind *b, const struct ast_expr *index,
					  const struct ast_expr *rest);
/* bind_own.c: variables of the point itself */
/* The value of $x, AST, whose row is OWN; what it points to can be followed by its ttype. */
struct ir_expr *bind_own_value(struct bind *b, const struct ast_expr *ast,
			       const struct probe_variable *own);
/*
 * An assignment or ++ of a variable that a builtin stores to: true with *ret a call of it, or
 * poisoned after a report. false: it is of something else, and nothing was done.
 */
bool bind_own_assign(struct bind *b, const struct ast_expr *ast, enum ir_op op,
		     struct ir_expr **ret);
bool bind_own_incdec(struct bind *b, const struct ast_expr *ast, struct ir_expr **ret);
/* bind_special.c: $$vars and its kin */
struct ir_expr *bind_special(struct bind *b, const struct ast_expr *ast, bool write);
/* pretty.c: $x$ and $x$$ */
struct ir_expr *bind_pretty(struct bind *b, const struct ast_expr *ast, struct target_query *q,
			    const struct ir_exprs *operands);
/* The functions that text of kernel memory calls become part of the program; ANY: a number. */
void bind_pretty_functions(struct bind *b, const struct ast_expr *ast, struct ir_expr *any);

/* ---- bind_expr.c: nodes, for the other files ---- */
/* A node of that kind with the span and token of AST; the rest is zero. */
struct ir_expr *bind_new(struct bind *b, enum ir_expr_kind kind, enum ir_type type,
			 const struct ast_expr *ast);
/* A constant. */
struct ir_expr *bind_number(struct bind *b, int64_t value, const struct ast_expr *ast);
/*
 * Stands in for what was reported: a number 0 of unknown type, about which later steps say
 * nothing.
 */
struct ir_expr *bind_poison(struct bind *b, const struct ast_expr *ast);
/* The same for D, which counts only if the node is still there after step elide. */
struct ir_expr *bind_mistake(struct bind *b, const struct ast_expr *ast, struct diagnostic *d);
/*
 * A call of NAME with bound arguments; the function is queued to be bound. Reports unknown
 * names.
 */
struct ir_expr *bind_call(struct bind *b, const struct istr *name, const struct ir_exprs *args,
			  const struct ast_expr *ast);
/* sprintf(TEXT, args): TEXT is a finished format */
struct ir_expr *bind_sprint(struct bind *b, const char *text, const struct ir_exprs *args,
			    const struct ast_expr *ast);

/* sema_find_global(); warns where a file of the library gets a script's instead of its own. */
struct sema_global *bind_global(struct bind *b, const struct istr *name, struct span span);
/*
 * Notes that G has N_KEYS keys, 0 for a scalar; false, and reported, when another use
 * disagrees.
 */
bool bind_arity(struct bind *b, struct sema_global *g, size_t n_keys, struct span span,
		const struct istr *name);
/* A new local of the function or probe being bound; not yet in b->locals. */
struct sema_local *bind_new_local(struct bind *b, const struct istr *name, struct span span);

/* "operator '+'", "identifier 'x'": the expression's token in messages */
const char *sema_expr_token(struct sema *s, const struct ast_expr *ast);

struct sema_print {                 /* value of sema.prints */
	const struct ast_expr *ast; /* or */
	const char *text;           /* a finished format */
};

#endif
