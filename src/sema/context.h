/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Step context: what $variables mean where a handler stands. All questions to target/ go
 * through here and are kept, so that points of one wildcard whose answers have the same types
 * share a handler. Contexts and answers live in the compilation arena.
 */
#ifndef SPILE_SEMA_CONTEXT_H
#define SPILE_SEMA_CONTEXT_H

#include "sema/pass.h"
#include "target/event_names.h"
#include "target/variables.h"

struct probe_point;
struct probe_variable;

/* Texts that every point has of its own: $$name and so on. */
enum sema_text { SEMA_NAME, SEMA_SYSTEM, SEMA_PARMS, SEMA_LOCALS, SEMA_VARS };

/* The module or file a point is in; a file may be what a process runs that hits the point. */
struct context_object {
	const struct target_object *object; /* NULL: the kernel */
	bool is_here;
};

/*
 * One answer of target/, kept to see whether other points of a wildcard give the same. Of the
 * fields behind by_type each kind uses its own.
 */
struct sema_query {
	enum {
		QUERY_RESOLVE,
		QUERY_VARIABLES,
		QUERY_TEXT,
		QUERY_OWN,
		QUERY_NAMES,
		QUERY_OBJECT,
	} kind;
	bool entry;   /* asked of the entry scope */
	bool by_type; /* the type itself shaped the handler: pretty printing */
	struct target_query query;
	struct target_value value;
	struct ir_varying *varying; /* RESOLVE: points may answer with programs of their own */
	struct target_variables variables;
	const struct probe_variable *own; /* OWN: the row that was used */
	const struct target_names *names; /* NAMES: of the variable query.name; or NULL */
	enum sema_text text;              /* TEXT, */
	uint32_t index;                   /* and its number among the point's */
	struct context_object object;     /* OBJECT */
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
	struct context_object object; /* of a context for types only */
};

/* Where types and enumerators are looked for; NULL when there is no kernel to look into. */
const struct target_scope *context_scope(struct sema *s, const struct sema_context *cx);
/* The object in which they are looked for; kept, for points in another cannot share the handler. */
struct context_object context_object(struct sema *s, struct sema_context *cx);
struct context_object context_object_of(const struct target_scope *scope);
/*
 * The scope of a point without variables of its own, or of no point (NULL): only types and globals
 * are found in it.
 */
const struct target_scope *context_scope_without(struct sema *s, const struct probe_point *point);
/* Why there is none, for DIAG_NEEDS_KERNEL. */
const char *context_no_target_reason(const struct sema *s);
/*
 * Never fails: a struct error becomes a status with its message. cx may be NULL: no probe,
 * casts and globals only. varying: for the IR_FETCH made of the answer; NULL when all points
 * must have the same.
 */
struct target_value context_resolve(struct sema *s, struct sema_context *cx,
				    const struct target_query *q, bool entry,
				    struct ir_varying **varying);
/* The same of a point and a scope, not kept. POINT: NULL, or asked before the scope. */
struct target_value context_ask(struct sema *s, const struct probe_point *point,
				const struct target_scope *scope, const struct target_query *q);
/* The point's own variable of that name, or NULL. POINT may be NULL. */
const struct probe_variable *context_own(const struct probe_point *point, const char *name);
/* The handler uses the row: only points with the same one can share it. */
void context_note_own(struct sema *s, struct sema_context *cx, const struct probe_variable *own);
/* The variables of the point and of its scope, in this order. */
struct target_variables context_variables(struct sema *s, struct sema_context *cx, bool entry);
/* The same of any point, not kept. */
struct target_variables context_list(struct sema *s, const struct probe_point *point, bool entry);
/* The same for lists of names and types: readable is not said, and nothing is kept but the list. */
struct target_variables context_names(struct sema *s, const struct probe_point *point, bool entry);
/* The names of the values of a parameter, as target_event_names() has them where the handler is. */
const struct target_names *context_event_names(struct sema *s, struct sema_context *cx,
					       const char *parameter, bool entry);
/* Whether there are variables that could be asked for; false without a probe. */
bool context_has_variables(const struct sema_context *cx);
/* The type of the last value asked for shapes the handler. */
void context_by_type(struct sema_context *cx);

/* ---- share.c: points of one wildcard that share a handler ---- */
/* A text that each point has of its own: its number, for IR_POINT_TEXT. */
uint32_t context_text(struct sema *s, struct sema_context *cx, enum sema_text text);
/*
 * What $$parms and the like have of each variable: its name's part, " x=", without the blank when
 * it is the first, then "%#x" where the plain form can show the value: aggregates and floats it
 * cannot, for which the last of these stands: {...} and [...], or "?".
 */
void context_text_name(const char *name, struct strbuf *text);
bool context_text_shows(const struct probe_point *point, const struct target_variable *v);
const char *context_text_instead(const struct target_variable *v);
/* Whether two kept queries ask the same of the same kind of scope. */
bool context_same_question(const struct sema_query *a, const struct sema_query *b);
/*
 * A point that is compared with several handlers, and what it answered already. Zeroed, then
 * set point.
 */
struct context_answers {
	const struct probe_point *point;
	VEC(struct sema_query) answers;
	/* what is there, by whether it is asked of the entry scope; asked for when first needed */
	struct target_variables variables[2];
	bool has_variables[2];
};
/* Does the handler mean the same at this point? Answers may differ where rows hold them. */
bool context_matches(struct sema *s, const struct sema_context *cx, struct context_answers *there);
/*
 * A row of the handler's: the point, with its own answers to what was asked. After its first
 * point is bound.
 */
void context_join(struct sema *s, const struct sema_context *cx, struct context_answers *there);
/* The value as a typed pointer that autocast can follow, or NULL. */
const struct target_type *context_pointer(const struct target_type *type);

#endif
