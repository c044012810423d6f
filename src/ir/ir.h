/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The typed program: what sema/ ends with and codegen/ starts from. Every name is a pointer to its
 * symbol, every expression has a type, target variables are fetch programs, probe points are
 * resolved. Ownership: the compilation arena. ir_verify() states and checks what holds between
 * passes; ir_dump() is the -p2 text (both dump.h).
 */
#ifndef SPILE_IR_IR_H
#define SPILE_IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"
#include "ir/object.h"
#include "ir/fetch.h"
#include "ir/kind.h"

struct ir_builtin;
struct ir_expr;
struct ir_stmt;
struct ir_function;
struct ir_probe;
struct regex;
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

/*
 * Lists in evaluation order. A NULL element stands for a wildcard key, where the list may have
 * such.
 */
struct ir_exprs {
	struct ir_expr **data;
	size_t n, cap;
};
/* Statements in the order of execution. */
struct ir_stmts {
	struct ir_stmt **data;
	size_t n, cap;
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

/*
 * Kinds of expression. Each has one arm of the union in struct ir_expr, named in that union or
 * after the kind; IR_BINARY, LOGICAL, COMPARE and CONCAT share `binary`, IR_CALL and
 * IR_BUILTIN_CALL share `call`.
 */
enum ir_expr_kind {
	IR_NUMBER,
	IR_STRING_LITERAL,
	IR_LOCAL,
	IR_GLOBAL,  /* scalars */
	IR_ELEMENT, /* global array element */
	IR_UNARY,
	IR_BINARY,  /* arithmetic and bitwise on longs */
	IR_LOGICAL, /* && || short-circuit */
	IR_COMPARE, /* of longs or strings (left->type) */
	IR_CONCAT,
	IR_MATCH, /* =~ !~ */
	IR_TERNARY,
	IR_ASSIGN, /* = ; op != IR_OP_NONE for op= ; lvalue LOCAL GLOBAL ELEMENT FETCH(guru) */
	IR_FEED,   /* <<< : global stats scalar or element */
	IR_INCDEC,
	IR_IN,           /* membership; NULL key: wildcard */
	IR_CALL,         /* script or C function */
	IR_BUILTIN_CALL, /* function that the back end serves: a row of builtins.h */
	IR_FETCH,        /* target variable read */
	IR_POINT_TEXT,   /* text number `text` of the point that was hit */
	IR_SAVED,        /* return probe: value number `index` stored at entry */
	IR_DEREF,        /* @kderef @uderef */
	IR_REGISTER,
	IR_EXTRACT, /* @count(s) .. */
	IR_HIST_BUCKET,
	IR_PRINT,      /* every print/sprint operator: format id, arguments */
	IR_PRINT_HIST, /* print/println/sprint of a histogram */
	IR_ENUMNAME,   /* the enumerator with that value, as text */
	IR_EMBEDDED,   /* C expression */
};

/* Operators of all kinds of expression; ir_op_text() spells them. */
enum ir_op {
	IR_OP_NONE,
	IR_OP_ADD,
	IR_OP_SUB,
	IR_OP_MUL,
	IR_OP_DIV,
	IR_OP_MOD,
	IR_OP_SHL,
	IR_OP_SHR,
	IR_OP_USHR,
	IR_OP_AND,
	IR_OP_OR,
	IR_OP_XOR,
	IR_OP_CONCAT,
	IR_OP_LOGAND,
	IR_OP_LOGOR,
	IR_OP_LT,
	IR_OP_GT,
	IR_OP_LE,
	IR_OP_GE,
	IR_OP_EQ,
	IR_OP_NE,
	IR_OP_NEG,
	IR_OP_NOT,
	IR_OP_BITNOT,
};

/*
 * An expression. Pointers to symbols are shared, children are not: each expression has one parent.
 */
struct ir_expr {
	enum ir_expr_kind kind;
	enum ir_type type;
	struct span span;
	const char *token; /* for run-time error text: "identifier 'user_string'", "operator '/'" */
	const struct target_type *ttype; /* typed pointer or value, or NULL */
	union {
		int64_t number;
		const struct istr *string;
		struct ir_local *local;
		struct ir_global *global;
		struct {
			struct ir_global *array;
			struct ir_exprs keys;
		} element;
		struct {
			enum ir_op op;
			struct ir_expr *operand;
		} unary;
		struct {
			enum ir_op op;
			struct ir_expr *left, *right;
		} binary; /* BINARY LOGICAL COMPARE CONCAT */
		struct {
			bool negated;
			struct ir_expr *subject;
			struct ir_regex *regex;
		} match;
		struct {
			struct ir_expr *cond, *yes, *no;
		} ternary;
		struct {
			enum ir_op op;
			struct ir_expr *lvalue, *value;
		} assign;
		struct {
			struct ir_expr *stat, *value;
		} feed; /* stat: IR_GLOBAL or IR_ELEMENT */
		struct {
			bool prefix;
			int delta;
			struct ir_expr *lvalue;
		} incdec;
		struct {
			struct ir_global *array;
			struct ir_exprs keys;
		} in;
		struct {
			struct ir_function *callee;
			struct ir_exprs args;
		} call; /* CALL, BUILTIN_CALL */
		struct {
			struct fetch_program load;
			struct fetch_program address; /* for stores (guru); n == 0: none */
			struct ir_exprs operands;
			uint8_t size;
			struct fetch_part field; /* of stores */
			bool is_signed;
			const struct target_type *type; /* of the value, or NULL */
			struct ir_varying *varying;     /* the points' own programs, or NULL */
		} fetch;
		struct {
			uint32_t text;
			bool literal; /* of every point: it is the text itself */
		} point_text;
		struct {
			const struct ir_probe *probe;
			uint32_t index;
		} saved; /* also in functions of one probe */
		struct {
			bool user;
			struct ir_expr *size, *address;
		} deref;
		struct {
			bool user;
			struct ir_expr *number;
		} reg;
		struct {
			struct ir_expr *value;
			uint32_t table;
		} enumname; /* table: in program.enumerations */
		struct {
			enum ir_stat op;
			bool fed; /* of SUM: an error where nothing was fed */
			struct ir_expr *stat;
		} extract;
		struct {
			struct ir_expr *stat, *index;
		} bucket;
		struct {
			bool to_string;
			uint32_t format; /* index into program.formats */
			/* one per value the format takes, '*' widths included */
			struct ir_exprs args;
		} print;
		struct {
			struct ir_expr *stat;
			bool to_string;
			uint32_t hist;
		} print_hist; /* hist: index into program.hists */
		/* EMBEDDED; the locals that its text names, each once: LOCAL */
		struct {
			const struct ir_code *code;
			struct ir_exprs named;
		};
	};
};

/*
 * Kinds of statement, with the arms of struct ir_stmt. BREAK, CONTINUE and NEXT have none, LOOP is
 * while and for, RETURN uses `expr`.
 */
enum ir_stmt_kind {
	IR_STMT_BLOCK,
	IR_STMT_EXPR,
	IR_STMT_IF,
	IR_STMT_LOOP,
	IR_STMT_FOREACH,
	IR_STMT_FOREACH_HIST,
	IR_STMT_BREAK,
	IR_STMT_CONTINUE,
	IR_STMT_RETURN,
	IR_STMT_NEXT,
	IR_STMT_DELETE,
	IR_STMT_TRY,
};

/* A loop over a global array, which is sorted first when dir is not 0. */
struct ir_foreach {
	struct ir_global *array;
	struct span array_span;
	struct ir_expr *keys[IR_MAX_KEYS]; /* IR_LOCAL or IR_GLOBAL lvalues */
	struct ir_expr *value;             /* lvalue or NULL */
	/* 0: no order; -1: by value, n: by key n from 1; and 1 ascending, -1 descending */
	int by, dir;
	enum ir_stat extractor; /* by == -1 on a stats array */
	struct ir_expr *limit;  /* or NULL */
	struct ir_exprs slice;  /* n == 0: none; NULL element: '*' */
	struct ir_stmt *body;
};

/* A statement; children belong to it alone. */
struct ir_stmt {
	enum ir_stmt_kind kind;
	struct span span;
	union {
		struct ir_stmts block;
		struct ir_expr *expr; /* EXPR; RETURN (or NULL) */
		struct {
			struct ir_expr *cond;
			struct ir_stmt *yes, *no;
		} cond;
		struct {
			struct ir_expr *init, *cond, *step;
			struct ir_stmt *body;
		} loop;
		struct ir_foreach foreach;
		struct {
			struct ir_expr *var, *stat, *limit; /* limit may be NULL */
			struct ir_stmt *body;
		} foreach_hist;
		/* target: LOCAL GLOBAL(scalar or whole array) ELEMENT; or array + wild_keys */
		struct {
			struct ir_expr *target;
			struct ir_exprs wild_keys;
			struct ir_global *array;
		} del;
		struct {
			struct ir_stmt *body, *handler;
			struct ir_expr *var;
		} try_; /* var: string lvalue or NULL */
	};
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

/*
 * Where a point attaches; the tag is that of its kind. Addresses are as linked. To add an arm: its
 * struct here, its tag in ir/kind.h, its row writer in codegen/points.c, its twin in
 * runtime/uapi/script.h.
 */
struct ir_attach {
	enum ir_attach_tag tag;
	uint32_t n_words; /* that the point's handler has as arguments, for FETCH_TPARG */
	union {
		struct {
			int64_t sequence; /* begin, end, error: lower runs first */
		} session;
		struct {
			int64_t interval;  /* ns; jiffies; of profile Hz, 0: every tick */
			int64_t randomize; /* at most so much is added or taken away */
		} timer;
		struct {
			const char *symbol; /* of kallsyms: checked, and looked up when addr is 0 */
			const struct ir_section *section; /* NULL: vmlinux */
			uint64_t addr; /* of the symbol: link-time address, or offset in section */
			uint32_t offset; /* from there */
			/* of a return: calls on their way at once; 0: default */
			uint32_t max_active;
			bool absolute; /* addr is of the running kernel, not of its image */
		} text;
		struct {
			const char *name;
			const struct ir_object *object; /* the module it is in; NULL: vmlinux */
		} tracepoint;
		struct {
			const char *path;  /* below the module's own directory */
			uint32_t mode;     /* permission bits, of reading or of writing */
			uint32_t max_size; /* of what a read gives; 0: default */
			bool write;        /* the point is that somebody writes; else, reads */
		} procfs;
		struct {
			uint32_t abi; /* 0: the machine's own programs, 1: 32-bit ones */
			uint32_t number;
		} syscall;
		struct {
			const struct ir_object *object; /* a file */
			uint64_t addr;                  /* link-time address of the instruction, */
			uint64_t offset;                /* and where in the file it is */
			/*
			 * in the file: a counter that is raised while the point is attached; 0:
			 * none
			 */
			uint64_t semaphore;
			const struct ir_exits *exits; /* of a uexit; else NULL */
		} user;
		struct {
			uint32_t type; /* as in the kernel's struct perf_event_attr */
			uint64_t config;
			uint64_t sample; /* every so many events; of by_rate, times a second */
			bool by_rate;
			const char *counter; /* what @perf calls it; NULL: it is none */
		} perf;
		struct {
			uint64_t addr; /* of vmlinux as linked when linked, else as it runs */
			bool linked;
			uint32_t length;
			bool reads; /* reads count too, not only writes */
		} data;
		struct {
			uint32_t family, hook; /* as the kernel numbers them */
			int32_t priority;
		} netfilter;
	};
};

/* Is the place a link-time address of vmlinux? */
bool ir_attach_is_linked(const struct ir_attach *at);
/* The program or library that the place is in; NULL: it is in none. */
const struct ir_object *ir_attach_file(const struct ir_attach *at);
/* What @perf calls the counter that it is; NULL: it is none. */
const char *ir_attach_counter(const struct ir_attach *at);

/*
 * A value that each point of a handler gets in its own way: the answers of all its points to one
 * question. Where they agree the program stands in IR_FETCH alone.
 */
struct ir_varying {
	uint32_t index; /* in ir_point.values */
	bool fixed;     /* they must agree: the variable is written to */
	bool used;      /* step varying: some IR_FETCH reads it, */
	bool differs;   /* and not all points agree; else it has no value in the points any more */
};

/* Values that a text can take. */
#define IR_POINT_TEXT_MAX 32

/*
 * A text that each point has of its own: a format and the values it takes; without any, the text.
 */
struct ir_point_text {
	const char *text;
	VEC(struct fetch_program) values;
};

/*
 * Which processes a point in user space means; in a session with a target (-c, -x) only the target
 * and its descendants. Nothing set: all.
 */
struct ir_scope {
	const char *file; /* those that run it, an absolute path; NULL: any */
	uint32_t pid;     /* the process with its threads; 0: any */
};

/* One point a handler is attached to: what is a row of data in the module. */
struct ir_point {
	struct ir_attach attach;
	const char *pp;            /* the fully resolved probe point */
	const char *function;      /* probefunc(), or NULL: by address */
	const char *module;        /* it is in; NULL: vmlinux, or no code */
	const char *name, *system; /* $$name and $$system; NULL: there are none */
	const char *pn;            /* its pn() if the probe's points have several; else NULL */
	const char *claim;         /* what only one point of a program can have; NULL: nothing */
	bool optional;
	bool wild;                    /* it came out of a wildcard: one of many */
	const struct ir_scope *scope; /* NULL: it is not about processes */
	struct fetch_program *values; /* by index: the probe's n_values */
	struct ir_point_text *texts;  /* the probe's n_texts */
};

/*
 * One handler and every point it is attached to, one at least: points with the same code share it.
 */
struct ir_probe {
	const struct ir_probe_kind *kind;
	uint32_t index;
	struct span span; /* of the script's probe point */
	const char
		*pn; /* the point as the script has it; of an only point named_by_point, its pp */
	bool named_by_point; /* pn() is pp() */
	const char
		*origin;   /* the point as the script has it, before aliases; NULL: it is in none */
	const char *chain; /* "<- alias <- ..." for -p2 and -t, or NULL */
	VEC(struct ir_point) points;
	VEC(struct ir_varying *) varying;
	uint32_t n_values, n_texts; /* of each point */
	bool by_point; /* step varying: some code reads what its point has of its own */
	bool full_regs;
	VEC(struct ir_local *) locals;
	struct ir_exprs saved;     /* evaluated at function entry, read by IR_SAVED */
	struct ir_expr *condition; /* or NULL */
	struct ir_stmt *body;
	/* of the condition, of what is saved at entry, of the body */
	struct ir_facts condition_facts, entry_facts, body_facts;
};

/* One for all matches with the same text. */
struct ir_regex {
	const struct istr *text; /* as in the script, between its quotes */
	struct span span;        /* of its first use */
	const struct regex *pattern;
	/* a match is remembered, for functions that ask: some =~ with it is more than a value */
	bool kept;
	uint32_t index;
};

/*
 * The format of printing operators, one for all that print alike. Bit masks limit it to 64
 * arguments.
 */
struct ir_format {
	const struct istr *text; /* printf format with literal text inside, % doubled */
	uint32_t n_args;
	uint64_t strings; /* bit i: argument i is a string */
	uint64_t memory;  /* bit i: argument i is the address of %m/%M: bytes are fetched */
};

/* Names of values for @enumname, by ascending value, each value once. */
struct ir_enumeration {
	const struct target_type *type;
	const char *name; /* "enum pid_type" */
	size_t n;
	struct {
		int64_t value;
		const char *name;
	} * values;
};

/*
 * By what addresses of the kernel are told, which may have been moved at boot: an exported symbol
 * and its link-time address.
 */
struct ir_anchor {
	const struct ir_object *kernel; /* vmlinux; NULL: not known */
	const char *symbol;             /* NULL: there is none */
	uint64_t addr;
};

/*
 * The whole program. Order in its lists is the order in the module: index fields of globals,
 * functions, probes and regexes are positions here.
 */
struct ir_program {
	const struct machine *machine; /* that is probed; NULL: none is */
	VEC(struct ir_global *) globals;
	VEC(struct ir_function *) functions;
	VEC(struct ir_probe *) probes;
	VEC(struct ir_format) formats;
	VEC(struct ir_hist) hists;
	VEC(struct ir_enumeration) enumerations;
	VEC(struct ir_regex *) regexes;       /* those in use */
	VEC(const struct ir_code *) embedded; /* top-level C, in order */
	struct ir_anchor anchor;              /* set when any point or value has an address */
};

#endif
