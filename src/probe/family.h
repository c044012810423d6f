/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sema knows of probe points: an interface, no concrete family. A family is one file that
 * lists the probe point patterns it understands and turns a matching point into resolved ones.
 * driver/ hands the catalog (all families, matched by match.c) to sema.
 *
 * Patterns are spelled as --dump-probe-types prints them:
 * "kernel.function(string).return.maxactive(number)".
 *
 * Everything is in the compilation arena (env->arena).
 */
#ifndef SPILE_PROBE_FAMILY_H
#define SPILE_PROBE_FAMILY_H

#include "ast/ast.h"
#include "ast/expr.h"
#include "ir/point.h"
#include "ir/symbol.h"

/* What resolving may use. Borrowed from driver/ for the whole run; families keep nothing of it. */
struct probe_env {
	struct arena *arena;
	struct interner *in;
	struct diag_sink *sink;
	bool guru;             /* -g */
	bool names_only;       /* for a list of names: no scopes are needed */
	bool one_copy;         /* for any list: one inlined copy of a function stands for all */
	struct target *target; /* NULL: no kernel was found; families that need one say so */
	const char *no_target_reason, *no_target_hint; /* why it is NULL */
	const char *command;                           /* of -c; NULL: none */
	long target_pid;                               /* of -x; 0: none */
	bool is_remote;                                /* the script runs on another machine */
	/*
	 * --sysroot: the directory in which the system of the probed programs lies, canonical;
	 * NULL: this one
	 */
	const char *sysroot;
	const char *const *variables; /* --sysenv: NAME=VALUE of that system, n_variables */
	size_t n_variables;
};

/*
 * A context variable of the point itself, which no DWARF or BTF describes: $value of procfs, $arg1
 * of a mark. What serves it is a fetch program or, when that is empty, builtins by the names that
 * scripts call them by. One point has each name once.
 */
struct probe_variable {
	const char *name;  /* without $ */
	const char *ctype; /* as -L prints it; of a pointer to a struct, "struct sk_buff*" */
	enum ir_type type; /* IR_LONG, or IR_STRING: by builtins only */
	bool is_local;     /* in $$locals rather than $$parms */
	bool guru;         /* user scripts store to it with -g only */
	/*
	 * the value, and where it is, empty when it cannot be stored to, as in struct target_value
	 */
	struct fetch_program load, address;
	uint8_t size;
	bool is_signed, full_regs;
	/*
	 * NAME() gives the value, NAME(value) stores it and NAME(text) appends to a string; the
	 * last two give what they were given. get NULL: it can only be stored to. set NULL: it can
	 * only be read. append NULL: .= is get, concatenation and set.
	 */
	const char *get, *set, *append;
	const char *problem; /* why it cannot be read, when load, get and set are empty; or NULL */
};

/* A resolved probe point. */
struct probe_point {
	const struct ir_probe_kind *kind;
	struct ir_point row; /* what goes into the program; row.attach.tag is the kind's */
	bool named_by_point; /* pn() is row.pp, not what the script has */
	/*
	 * Where $variables are looked up; NULL: the point has none. Of a return, scope has $return
	 * alone, and entry_scope the variables at the entry, whose values sema saves there
	 * (IR_SAVED).
	 */
	const struct target_scope *scope, *entry_scope;
	const struct ir_text_ranges *callers; /* of struct ir_probe */
	/*
	 * The handler runs only when this is not 0, at a return as it was at the entry; n == 0:
	 * always.
	 */
	struct fetch_program admits;
	/*
	 * Variables of the point itself come before those of the scope. The arena's, or constant.
	 */
	const struct probe_variable *variables;
	size_t n_variables;
	/* at what has another name now than the script's: another point may say it by that */
	bool renamed;
	/* of a .return: scope has what entry_scope has too, and means the same */
	bool entry_visible;
	const struct ast_point *origin;
};

/* A growing list in the compilation arena; only appended to. */
struct probe_points {
	struct probe_point *data;
	size_t n, cap;
	bool lacking; /* a name is known, and this kernel does not serve it: no mistake */
};

/* One row of a family's table. Rows are constant. */
struct probe_pattern {
	const char *text;
	/*
	 * Appends the resolved points to RET. False: a diagnostic was reported. When nothing is
	 * appended the caller reports that nothing matches, unless the point is optional, with the
	 * text that is left in *WHY (the arena's), if any.
	 */
	bool (*derive)(struct probe_env *env, const struct ast_point *point,
		       const struct probe_pattern *pattern, struct probe_points *ret,
		       const char **why);
	const struct ir_probe_kind *kind; /* family's own, as are the flags */
	unsigned flags;
	/*
	 * wildcards in component names do not match it: it means other functions than its neighbour
	 */
	bool by_name;
};

/* One kind of probe points: a constant object per file of this folder. */
struct probe_family {
	const char *name;
	const struct probe_pattern *patterns; /* ends with text == NULL */
	/* its patterns are not built, and are there to say so: wildcards do not match them */
	bool refuses;
	/*
	 * What its patterns list rests on nothing but the point and the images and debug
	 * information of the kernel, or of the modules that the first component names.
	 */
	bool from_images;
	/*
	 * the diagnostic for a point that begins with the family's first word and goes on with none
	 * of its patterns; 0: the common one
	 */
	enum diag_tag unknown_variant;
	/*
	 * What to try where POINT, of its patterns, means nothing; NULL: nothing is known. May be
	 * NULL.
	 */
	const char *(*hint)(struct probe_env *env, const struct ast_point *point);
};

/*
 * All families. resolve() finds the patterns that a point matches, wildcards in its component names
 * included, and appends the points. True, with nothing appended: the point is optional, or this
 * kernel lacks what it names. False: a diagnostic was reported, with near names where nothing
 * matched.
 */
struct probe_catalog {
	const struct probe_family *const *families; /* ends with NULL */
	bool (*resolve)(const struct probe_catalog *catalog, struct probe_env *env,
			const struct ast_point *point, struct probe_points *ret);
	/* Is all that POINT lists of families that are from_images? A scratch ARENA. */
	bool (*from_images)(const struct probe_catalog *catalog, struct arena *arena,
			    const struct ast_point *point);
	/* With how many of the point's components some pattern begins, at most. */
	size_t (*agreeing)(const struct probe_catalog *catalog, const struct ast_point *point);
	/*
	 * The file whose thread-local errno a process has that hits POINT; NULL: *why says why not,
	 * ": ..." for the message.
	 */
	const struct target_object *(*c_library)(struct probe_env *env,
						 const struct probe_point *point, const char **why);
	/*
	 * The program or library whose types and globals are meant where POINT has no scope that
	 * says so; *is_here: what hits the point is in it. NULL: the kernel's are.
	 */
	const struct target_object *(*program)(struct probe_env *env,
					       const struct probe_point *point, bool *is_here);
};

extern const struct probe_catalog probe_catalog; /* in probe/match.c; only driver/ names it */

#endif
