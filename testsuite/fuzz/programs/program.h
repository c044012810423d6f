/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random script that passes 1 and 2 accept, as a tree: made (make.c), written as text (write.c),
 * and evaluated by what the language says (evaluate.c, format.c), which knows nothing of src/ and
 * of runtime/.
 *
 * Everything is in one arena and lives as long as that. What the language leaves open no script
 * contains: what is dropped when its value is not used has no effect and no error, and the order of
 * evaluation is that of the text.
 */
#ifndef SPILE_FUZZ_PROGRAM_H
#define SPILE_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

#define MAX_KEYS 3
#define MAX_ARGS 4
#define MAX_BODIES 3
#define MAX_LOCALS 64
#define STRING_SIZE 64 /* MAXSTRINGLEN of these scripts */

enum type { TYPE_NONE, TYPE_LONG, TYPE_STRING, TYPE_STATS };

/* Figures of statistics, in the order of extractors[] of write.c. */
enum figure { FIG_COUNT, FIG_SUM, FIG_MIN, FIG_MAX, FIG_AVG, FIG_VARIANCE, N_FIGURES };

struct variable {
	const char *name;
	enum type type;
	bool is_local, is_private;
	bool steady;  /* a local that only its loop assigns, or a parameter that bounds recursion */
	bool counter; /* a global that is only counted up and read */
	unsigned index; /* in the frame of an invocation, or in program.globals */
	unsigned n_keys;
	enum type keys[MAX_KEYS];
	unsigned size; /* of an array; 0: as many as it likes */
	bool wraps;
	const struct node *init; /* a literal, or NULL */
	unsigned shift;          /* of @variance */
	int64_t low, high, step; /* of the histogram; step 0: a log one */
};

enum node_kind {
	/* expressions; args: keys, arguments, in the order of the text */
	E_LITERAL, /* type; number or text */
	E_ANY,     /* the * among keys */
	E_VARIABLE,
	E_UNARY,   /* op; kid 0 */
	E_BINARY,  /* op; kids 0, 1 */
	E_MATCH,   /* kid 0, text: the pattern; flag: !~ */
	E_MATCHED, /* of the match that stands before it in a ?: */
	E_IN,
	E_COND,   /* kids 0, 1, 2 */
	E_ASSIGN, /* op; kid 0: an E_VARIABLE, kid 1 */
	E_STEP,   /* op; kid 0: an E_VARIABLE; flag: prefix */
	E_CALL,
	E_PRINT,  /* op: a form; type TYPE_STRING: its sprint; text: format or delimiter */
	E_STRLEN, /* kid 0 */
	E_FIGURE, /* op */
	E_BUCKET, /* kid 0: which; args */
	/* statements; a list by next */
	S_EXPRESSION, /* kid 0 */
	S_FEED,       /* kid 0: an E_VARIABLE, kid 1 */
	S_IF,         /* kid 0, lists 1 and 2 (or NULL) */
	S_WHILE,      /* kid 0, list 1 */
	S_FOR,        /* kids 0, 1, 2 (each or NULL), list 3 */
	S_FOREACH, /* var, args: the slice, kid 0: limit, list 1, kid 2: value, kid 3: keys, by next;
		       * number: 0, key n by which it is sorted, or -1: the value; flag: downwards; op: figure */
	S_BREAK,
	S_CONTINUE,
	S_NEXT,
	S_RETURN, /* kid 0 or NULL */
	S_DELETE, /* var, args; none: all of it */
	S_TRY,    /* lists 0, 1; kid 2: an E_VARIABLE or NULL */
	S_BLOCK,  /* list 0 */
	S_ERROR,  /* kid 0 */
	S_EXIT,
};

enum operator{
	OP_ASSIGN,
	OP_ADD_TO,
	OP_SUB_FROM,
	OP_MUL_BY,
	OP_SHL_BY,
	OP_SHR_BY,
	OP_AND_BY,
	OP_XOR_BY,
	OP_OR_BY,
	OP_APPEND,
	OP_COND,
	OP_LOR,
	OP_LAND,
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_IN,
	OP_LT,
	OP_GT,
	OP_LE,
	OP_GE,
	OP_EQ,
	OP_NE,
	OP_SHL,
	OP_SHR,
	OP_USHR,
	OP_CONCAT,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_DIV,
	OP_MOD,
	OP_PLUS,
	OP_MINUS,
	OP_NOT,
	OP_COMPLEMENT,
	OP_INC,
	OP_DEC,
	N_OPERATORS
};

enum form { FORM_PRINT, FORM_LINE, FORM_DELIMITED, FORM_DELIMITED_LINE, FORM_FORMAT };

struct node {
	enum node_kind kind;
	enum type type;
	unsigned op;
	bool flag;
	int64_t number;
	const char *text;
	struct variable *var;
	struct function *function;
	struct node *kid[4], *args, *next;
	unsigned line, column; /* of the token that an error names; set by program_write() */
};

struct scope {
	struct variable *locals[MAX_LOCALS];
	unsigned n;
};

struct function {
	const char *name;
	enum type type; /* of the result */
	bool annotated, is_private, recursive;
	unsigned n_args, n_bodies;
	unsigned arrays; /* bit i: global i may be changed by a call */
	struct body {
		struct variable *args[MAX_ARGS];
		struct node *list;
		struct scope scope; /* the arguments are locals too */
	} bodies[MAX_BODIES];       /* each but the last may say `next` */
};

enum event { EVENT_BEGIN, EVENT_TIMER, EVENT_END, EVENT_ERROR };

struct probe {
	enum event event;
	int number;                              /* of begin, end, error; seconds of a timer */
	struct node *condition;                  /* or NULL */
	const char *alias;                       /* or NULL */
	struct node *prologue, *list, *epilogue; /* the first and the last of the alias */
	struct scope scope;
};

struct program {
	struct arena *arena;
	unsigned n_globals, n_functions, n_probes;
	struct variable *globals[32];
	struct function functions[12];
	struct probe probes[12];
	unsigned max_errors;
};

/* Program number NUMBER: always the same. */
struct program *program_make(struct arena *arena, uint64_t number);

/* Its text. Also notes the places of tokens, which error lines have. */
void program_write(struct program *p, struct strbuf *ret);

/*
 * What it prints, errors included, in the order in which testsuite/codegen/host.c has events happen.
 * False: it takes too long to be worth it.
 */
bool program_evaluate(const struct program *p, const char *file, struct strbuf *ret);

/* The text of a print form: N arguments, of which those that are strings have S set. */
struct value {
	int64_t n;
	const char *s; /* of a string; not NULL then */
};
void format_values(enum form form, const char *text, const struct value *values, size_t n,
		   struct strbuf *ret);

#endif
