/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What names of a script mean: globals, functions, locals, and the facts that passes find of them.
 *
 * Ownership: the compilation arena.
 */
#ifndef SPILE_IR_SYMBOL_H
#define SPILE_IR_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"

struct ir_builtin;
struct ir_stmt;
/* handle of target/; carried for autocast and pretty printing, never looked into here */
struct target_type;

/* Types of values. UNKNOWN: not inferred yet, and of a function, that it returns nothing. */
enum ir_type { IR_UNKNOWN, IR_LONG, IR_STRING, IR_STATS };

/* What running something does: whether it may be dropped, or moved across something else. */
enum ir_effects {
	IR_READS = 1,  /* its value depends on more than constants */
	IR_FAILS = 2,  /* it may raise an error */
	IR_WRITES = 4, /* it changes something that lives longer than its value */
};

/* A global that some code touches. */
struct ir_global_use {
	struct ir_global *global;
	unsigned access; /* enum ir_access */
};

/* Each global once. */
struct ir_global_uses {
	struct ir_global_use *data;
	size_t n, cap;
};

/* The text of one embedded C body. Sema reads its pragmas once; nobody else looks into the text. */
struct ir_code {
	const struct istr *text;
	struct span span; /* of the script's %{ %} or @const */
	unsigned effects; /* enum ir_effects */
	bool last;        /* top level: it stands behind everything else */
	bool next;        /* of a function: it may hand its call to the next overload */
	bool structure;   /* of a function: it takes its arguments as members of a structure */
	/* globals it may reach, by pragma:read:, pragma:write:; none of statistics */
	struct ir_global_uses uses;
};

/* Extractors, as bits. */
enum ir_stat {
	IR_STAT_COUNT = 1,
	IR_STAT_SUM = 2,
	IR_STAT_MIN = 4,
	IR_STAT_MAX = 8,
	IR_STAT_AVG = 16,
	IR_STAT_VARIANCE = 32
};

enum ir_hist_kind { IR_HIST_NONE, IR_HIST_LOG, IR_HIST_LINEAR };

/* Of every IR_HIST_LOG. */
#define IR_HIST_LOG_BUCKETS 128

/*
 * The shape of a histogram. n_buckets: those out of range included; low, high, step: of
 * IR_HIST_LINEAR only.
 */
struct ir_hist {
	enum ir_hist_kind kind;
	uint32_t n_buckets;
	int64_t low, high, step;
};

/* Keys that an array may have. */
#define IR_MAX_KEYS 9

/* What code does to a global, as bits. */
enum ir_access {
	IR_ACCESS_READ = 1,
	IR_ACCESS_ADD = 2,      /* ++ -- += -= whose value nobody takes */
	IR_ACCESS_LOWER = 4,    /* with ADD: it may become smaller */
	IR_ACCESS_SET = 8,      /* any other store, deletion, sorting */
	IR_ACCESS_ITERATE = 16, /* foreach over it */
	IR_ACCESS_C = 32,       /* embedded C, which reaches it by address */
};
#define IR_ACCESS_WRITES (IR_ACCESS_ADD | IR_ACCESS_SET)

/* Handlers by what may run beside them. */
enum ir_runner {
	IR_RUNS_ALONE,        /* begin, end, error: nothing else does */
	IR_RUNS_SELDOM,       /* timers and the like, beside others, at a low rate */
	IR_RUNS_CONCURRENTLY, /* events: with itself on other CPUs, too */
	IR_N_RUNNERS,
};

/*
 * A global variable of the script or a tapset: scalar or array. Made with its name and span; types
 * come from inference, and the fields that name a pass from that pass.
 */
struct ir_global {
	const struct istr *name; /* as in the script */
	const char *file;        /* for private names and messages */
	struct span span;
	bool is_private, user_script;
	enum ir_type type; /* value type */
	bool is_array;
	uint8_t n_keys;
	enum ir_type keys[IR_MAX_KEYS];
	uint32_t capacity;
	bool sized, wrap;
	bool has_init;
	int64_t init_long;
	const struct istr *init_string;
	uint32_t collect, bit_shift; /* STATS: enum ir_stat bits */
	struct ir_hist hist;         /* kind 0: none */
	uint32_t index;              /* order in program.globals */
	bool read, written;          /* by user code; set by pass use */
	/* facts: enum ir_access of what each class of handlers runs, and whether code names it */
	uint8_t access[IR_N_RUNNERS];
	bool named;
	const struct target_type
		*pointer_type; /* last stored typed pointer (display in hex), or NULL */
	bool display_hex;
};

/* A parameter or local variable of one function or probe. */
struct ir_local {
	const struct istr *name;
	struct span span;
	enum ir_type type;
	bool is_param;
	bool assigned;                          /* parameters that are assigned need a copy */
	uint32_t index;                         /* in its function or probe */
	const struct target_type *pointer_type; /* autocast */
};

/* What some code does, with all that it calls; found by ir_find_facts() (ir/facts.h). */
struct ir_facts {
	struct ir_global_uses uses; /* by index of the global */
	bool uses_match;            /* a function is called that tells about the last match */
	bool uses_registers;        /* a function is called that may read any register */
	bool has_loop;              /* in this code itself */
	bool calls_recursive;       /* some function called, directly or not, is recursive */
	unsigned height;            /* longest chain of calls below; cycles are gone round once */
};

/*
 * A function of the script, a tapset, or the table of builtins. Overloads are functions of their
 * own, in a list by next_overload.
 */
struct ir_function {
	const struct istr *name;
	/* NAME, with a number behind it where another function has that: for dumps and back ends */
	const char *unique_name;
	struct span span;
	bool user_script;
	enum ir_type type; /* IR_UNKNOWN: returns nothing */
	VEC(struct ir_local *) params;
	VEC(struct ir_local *) locals; /* without the parameters */
	/* exactly one of these three */
	struct ir_stmt *body;
	const struct ir_code *code;       /* embedded C */
	const struct ir_builtin *builtin; /* served by the back end */
	bool pure;                        /* no effects: may be dropped */
	struct ir_function
		*next_overload; /* `next` goes on here; NULL: error "all functions exhausted" */
	bool uses_next;
	/* facts: on a cycle of calls and `next`; some code calls it, or comes to it by `next` */
	bool recursive, called;
	struct ir_facts facts;
	const struct target_type *return_type; /* typed pointer, or NULL */
	uint32_t index;
};

#endif
