/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State shared by the steps of pass 2, private to this folder. Symbols are the IR's, each
 * inside a larger record that holds what only analysis needs (sema_global(), sema_local(),
 * sema_function() find it); everything lives in the compilation arena. A step reports mistakes
 * and goes on; sema.c stops between steps once an error exists.
 */
#ifndef SPILE_SEMA_PASS_H
#define SPILE_SEMA_PASS_H

#include "base/map.h"
#include "ir/walk.h"
#include "library/library.h"
#include "sema/sema.h"
#include "target/variables.h"

/* Where a type or an arity was first decided: the second location of a conflict. */
struct sema_origin {
	struct span span;
	const char *token;
};

/* Step bind: the pointers stored to a variable up to here. type is NULL when two of them differ. */
struct sema_so_far {
	bool any;
	const struct target_type *type;
};

/*
 * A global of a script or of a library file that was taken in. The fields behind ir belong to
 * steps bind to display.
 */
struct sema_global {
	struct ir_global ir; /* first: sema_global() casts */
	const struct ast_global *ast;
	const struct ast_file *file;
	bool arity_set;
	struct sema_origin arity, type, keys[IR_MAX_KEYS];
	struct sema_origin hist_at,
		shift_at; /* where its histogram and its bit shift were last asked for */
	bool has_shift, pointer_conflict;
	struct sema_so_far so_far;
	bool cross_file_warned;
	uint32_t first_write; /* source offset + 1 of the first store; 0 never (step display) */
};

/* A local or parameter; ir.assigned and read tell a name that is only misspelt. */
struct sema_local {
	struct ir_local ir;
	struct sema_origin type;
	bool read, pointer_conflict;
	struct sema_so_far so_far;
};

/*
 * A declared function; several when it is specialised per probe. ir.body is filled when a call
 * reaches it (step bind), and ir enters the program then.
 */
struct sema_function {
	struct ir_function ir;
	const struct ast_function *ast;
	const struct ast_file *file;
	struct sema_origin type;
	uint32_t order; /* of declaration */
	int64_t priority;
	bool bound, queued, guru, returns_value, pointer_conflict, unreached_warned;
	signed char context; /* uses $variables, itself or by calls: -1 not known yet */
	const struct sema_context *specialised; /* the context it was cloned for, or NULL */
};

/* A growing list; the array is in the arena. */
struct sema_functions {
	struct sema_function **data;
	size_t n, cap;
};

/* A name's public and private functions, all arities, in order of declaration. */
struct sema_name {
	struct sema_functions list;
	bool searched; /* the library was asked */
};

/* Texts that every point has of its own: $$name and so on. */
enum sema_text { SEMA_NAME, SEMA_SYSTEM, SEMA_PARMS, SEMA_LOCALS, SEMA_VARS };

/*
 * One answer of target/, kept to see whether other points of a wildcard give the same. Of the
 * fields behind by_type each kind uses its own.
 */
struct sema_query {
	enum { QUERY_RESOLVE, QUERY_VARIABLES, QUERY_TEXT, QUERY_OWN } kind;
	bool entry;   /* asked of the entry scope */
	bool by_type; /* the type itself shaped the handler: pretty printing */
	struct target_query query;
	struct target_value value;
	struct ir_varying *varying; /* RESOLVE: points may answer with programs of their own */
	struct target_variables variables;
	const struct probe_variable *own; /* OWN: the row that was used */
	enum sema_text text;              /* TEXT, */
	uint32_t index;                   /* and its number among the point's */
};

/*
 * What $variables mean for one handler: the scope whose variables it sees, and all that was
 * asked of them so far. Made with the handler, for the first of its points.
 */
struct sema_context {
	const struct target_scope *scope, *entry_scope;
	const struct probe_point *point;
	struct ir_probe *probe;
	bool is_return;
	bool many;  /* other points may come to share the handler */
	bool typed; /* some access follows the type of a value: autocast */
	VEC(struct sema_query) queries;
	struct sema_functions specialised;
};

/*
 * One of the bodies that make a handler: alias prologue, the probe's own body, epilogue. behind:
 * those that use the alias, which is NULL for the probe's own: an array in the arena.
 */
struct sema_body {
	const struct ast_stmt *body;
	const struct ast_file *file;
	const struct ast_alias *alias;
	const struct sema_body *behind;
	size_t n_behind;
};

/* An `if (...)` of a probe point, and the file whose names it sees. */
struct sema_condition {
	const struct ast_expr *expr;
	const struct ast_file *file;
};

/*
 * A script probe point after aliases and wildcards over them: one body, all the points found.
 * bodies are in the order in which they run; conditions from the outermost point inwards.
 */
struct sema_expansion {
	const struct ast_point *origin; /* the script's */
	const struct ast_point *point;  /* the native one */
	const char *pn, *chain;
	VEC(struct sema_body) bodies;
	VEC(struct sema_condition) conditions;
	const struct ast_alias *alias; /* outermost, or NULL */
	const struct ast_file *alias_file;
	bool optional, user;
	struct probe_points resolved;
};

/* In the order of the script. */
struct sema_expansions {
	struct sema_expansion **data;
	size_t n, cap;
};

/* p->m where the type of p is not known yet: resolved by step autocast. */
struct sema_pending {
	/* IR_FETCH; operand 0 is the pointer. Pretty printed: IR_PRINT, whose argument 0 it is */
	struct ir_expr *expr;
	const struct ast_expr *ast;
	const struct ast_file *file;
	const struct target_scope *scope;
	struct ir_probe *probe; /* whose full_regs may change, or NULL */
	bool write;
};

/* A mistake that matters only if the node is still in the program after step elide. */
struct sema_mistake {
	const struct ir_expr *expr;
	struct diagnostic *diagnostic; /* listed, and held */
};

/* An object as it was before a trial changed it. */
struct sema_change {
	void *object, *before;
	size_t size;
};

/*
 * All state of one analysis; made by sema_init(), nothing to release. Maps are keyed by
 * pointers: names are interned.
 */
struct sema {
	const struct sema_input *input;
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	struct ir_program *program;
	struct map names;        /* istr -> struct sema_name: functions */
	struct map globals;      /* istr -> struct sema_global, public */
	struct map privates;     /* ast_file -> struct map of istr -> sema_global */
	struct map files;        /* ast_file -> itself: taken in */
	struct map missing;      /* istr: no library global has that name */
	struct map unique_names; /* istr in use, of functions */
	/* ir_expr of a print operator without a format yet -> struct sema_print (bind.h) */
	struct map prints;
	/* ast_file of the library: its functions are bound for their types */
	struct map types_wanted;
	struct map elided;           /* offset + 1: elision said */
	struct map regexes;          /* istr of the text -> struct ir_regex */
	struct sema_functions queue; /* called, body not bound yet */
	VEC(struct sema_pending) pending;
	VEC(struct sema_mistake) mistakes;
	bool hasty; /* a mistake decides at once what becomes of the point: none is held */
	uint32_t n_declared;
	const struct ir_probe *display;  /* made by step display, or NULL */
	unsigned n_trials;               /* of binding, one within the other */
	VEC(struct sema_change) changes; /* of objects that are older than the outermost trial */
};

/* The builtin that @perf calls. */
#define SEMA_PERF_COUNTER "_stp_perf_counter"

/* Each of the three requires a symbol that pass 2 made, never one from elsewhere. */
static inline struct sema_global *sema_global(struct ir_global *g)
{
	return (struct sema_global *)g;
}

static inline struct sema_local *sema_local(struct ir_local *l)
{
	return (struct sema_local *)l;
}

static inline struct sema_function *sema_function(struct ir_function *f)
{
	return (struct sema_function *)f;
}

/* trial.c: call it before a symbol that may be older than a running trial is changed. */
void sema_before_change(struct sema *s, void *object, size_t size);

/* ---- close.c: symbols ---- */
/* Declares the globals and functions of FILE, once. Its probes are left aside. */
void sema_add_file(struct sema *s, const struct ast_file *file);
/* Step close. */
void sema_close(struct sema *s);
/* Declares one global; a second one of the name in its scope is reported and dropped. */
void sema_add_global(struct sema *s, const struct ast_file *file, const struct ast_global *ast);

/* The global a name means in a file, or NULL: then it is a local. */
struct sema_global *sema_find_global(struct sema *s, const struct ast_file *file,
				     const struct istr *name, struct span span);
/*
 * First of the overloads with that many arguments, chained by next_overload. NULL when there is
 * none: then *any is a function of the name with other arguments, or NULL. Asks the library
 * when the script has none, and when the last of the script's may hand its call on.
 */
struct sema_function *sema_find_function(struct sema *s, const struct ast_file *file,
					 const struct istr *name, size_t n_args,
					 const struct sema_function **any);
/* Does it use $variables, itself or by calls? */
bool sema_uses_context(struct sema *s, struct sema_function *f);
/*
 * The chain to be called in context CX: FIRST itself when its bodies use no $variables or CX is
 * NULL, else a copy that all calls in this context share.
 */
struct sema_function *sema_specialise(struct sema *s, struct sema_function *first,
				      struct sema_context *cx);
/*
 * Near names of functions and print operators, "a, b", in the arena; NULL when there are none. No
 * library file is parsed.
 */
const char *sema_similar_functions(struct sema *s, const char *name);
/* Does the script or the library declare a function of that name? */
bool sema_has_function(struct sema *s, const struct istr *name);

/* ---- implicit_globals.c ---- */
/*
 * A name that one handler fills as an array and another reads, without a declaration: becomes a
 * global of FILE, with a warning.
 */
void sema_implicit_globals(struct sema *s, const struct ast_file *file);

/* ---- expand.c ---- */
/*
 * Step expand: all probes of the user's scripts, in order. Points that resolve to nothing were
 * reported, unless they are optional.
 */
void sema_expand(struct sema *s, struct sema_expansions *ret);
/* The same for one point of FILE; BODY may be NULL when only the points matter. */
void sema_expand_point(struct sema *s, const struct ast_point *point, const struct ast_stmt *body,
		       const struct ast_file *file, struct sema_expansions *ret);

/* ---- context.c, bind*.c ---- */
/* Step bind: handlers into program.probes, the functions they reach into program.functions. */
void sema_bind(struct sema *s, const struct sema_expansions *expansions);
/* Only the handler at the expansion's first point; for listing. */
struct ir_probe *sema_bind_first(struct sema *s, const struct sema_expansion *e);
/* Step autocast; reports the accesses whose pointer stayed without a type. */
void sema_autocast(struct sema *s);

/* ---- the other steps ---- */
/*
 * Each step is described at the head of its file. They run in the order of sema.h; a step may
 * rely on all before it.
 */
void sema_elide(struct sema *s);
void sema_infer(struct sema *s);
void sema_check(struct sema *s);
void sema_display(struct sema *s);
void sema_optimise(struct sema *s);
void sema_unresolved(struct sema *s);
void sema_formats(struct sema *s);
void sema_merge(struct sema *s);
/* The first part of step merge (merge_functions.c). */
void sema_merge_functions(struct sema *s);
void sema_varying(struct sema *s);
void sema_finish(struct sema *s);
void sema_regexes(struct sema *s);

/* An empty analysis of INPUT, with no symbols yet. */
void sema_init(struct sema *s, const struct sema_input *input);

/* ---- regex.c: patterns ---- */
/* The pattern of a =~; NULL when a mistake in it was reported. */
struct ir_regex *sema_regex(struct sema *s, const struct ast_expr *match);

/* ---- uses.c: reads and writes of globals ---- */
/*
 * Sets read and written of all symbols anew from the program as it is, and first_write of
 * globals; no step keeps them up to date otherwise.
 */
void sema_uses(struct sema *s);

/* ---- mistakes.c: mistakes in code that comes to nothing ---- */
/*
 * D, just reported, is about E: it is held until step elide has seen whether E stays. Not in
 * trials, nor where s->hasty is set: it counts at once there.
 */
void sema_hold(struct sema *s, const struct ir_expr *e, struct diagnostic *d);
/* NODE becomes what FROM is, which nobody else holds, with the mistakes about it. */
void sema_take_place(struct sema *s, struct ir_expr *node, const struct ir_expr *from);
/* Is a mistake that is held in STMT, which may be NULL? */
bool sema_has_mistake(struct sema *s, struct ir_stmt *stmt);
/* Every mistake that is held counts now: the pass ends before step elide. */
void sema_release_all(struct sema *s);
/* Those whose nodes are still in a handler or function count now, the others are forgotten. */
void sema_report_mistakes(struct sema *s);

/* ---- elide.c: code without effect ---- */
/*
 * One round over all code; true when something went, and more may go in another. TYPED, when types
 * are
 * known: also stores to globals that nothing reads, and what literal conditions never choose.
 */
bool sema_elide_round(struct sema *s, bool typed);
/* No statement, or a block of none. */
bool sema_is_nothing(const struct ir_stmt *s);
/*
 * The user's NAME went. Once at one token: what is left of an elided assignment is often elided
 * too.
 */
void sema_say_elided(struct sema *s, struct span span, enum diag_tag tag, const char *name);

/* ---- saved.c: values saved at the entry of a call ---- */
/*
 * Those that no code reads any more go, and the readers of the others follow them to their new
 * places.
 */
void sema_drop_saved(struct sema *s);
/*
 * Does what P saves at the entry have effects? Then it is not nothing though its body is. Requires
 * the purity of functions.
 */
bool sema_saves_effects(const struct sema *s, const struct ir_probe *p);

/* ---- diagnostics with a token ---- */
/* Quotes TOKEN, unless it is NULL, in the message D, which is returned. */
struct diagnostic *sema_token(struct sema *s, struct diagnostic *d, const char *token);
/* The same with "identifier 'NAME'". */
struct diagnostic *sema_identifier(struct sema *s, struct diagnostic *d, const struct istr *name);
const char *sema_name_token(struct sema *s, const struct istr *name); /* "identifier 'x'" */
bool sema_is_user(const struct sema *s, struct span span);            /* stands in user text */

#endif
