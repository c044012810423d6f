/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside codegen/. How an expression becomes C:
 *
 * Lowering an expression may write statements (temporaries, effects) and yields a struct value:
 * C text that gives the value where it is placed next. Text that is not yet written is
 * *pending*; what may happen between yielding it and writing it is ruled by its state. Operands
 * are lowered left to right; before a later operand is lowered, an earlier one that it could
 * disturb is put into a temporary (cg_lower_list). C leaves the order of operands open, so at
 * most one operand with effects is ever pending beside others that are not constant.
 *
 * Errors: an operation that can fail sets c->error and goes on with 0 or "". Its position is set by
 * a line of its own before the line it is in, so two failing operations with different positions
 * never share a line. The test of c->error is written before the next thing that must not
 * happen after an error: an effect on a global or on output, a branch, or the next statement.
 *
 * The chain of calls in an error line costs nothing as long as there is no error: where the test
 * of c->error stands behind a call of a script function, it adds the call's position on its way
 * out. So nothing else that can fail may stand between such a call and its test, or between the
 * test before it and the call.
 */
#ifndef SPILE_CODEGEN_INTERNAL_H
#define SPILE_CODEGEN_INTERNAL_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "codegen/codegen.h"
#include "codegen/sharing.h"
#include "emit/writer.h"

/* Of the text of a value: its outermost operator. */
enum precedence {
	PREC_COND,
	PREC_LOGOR,
	PREC_LOGAND,
	PREC_OR,
	PREC_XOR,
	PREC_AND,
	PREC_EQUAL,
	PREC_RELATION,
	PREC_SHIFT,
	PREC_ADD,
	PREC_MUL,
	PREC_UNARY,
	PREC_PRIMARY,
};

/*
 * What the pending text of a value allows, and what becomes of it. A state has all of the
 * restrictions of those before it, so text made of several values is in the last of their states.
 *
 *	state    cg_hold() before  cg_evaluate()  cg_consume(): it is written
 *	V_FREE   -                 -              -
 *	V_READS  effects           -              -
 *	V_SOFT   effects           -              errors: cg_may_fail()
 *	V_FAILS  effects, errors   temporary      errors: cg_may_fail()
 *	V_CALLS  effects, errors   temporary      errors: cg_called()
 *	effect   anything          temporary      no position is known
 *
 * Where cg_hold() acts it makes a temporary, too, which is V_FREE. The last row is struct
 * value.effect, which any state can have but V_FREE. Text that can fail or has effects is
 * written once; cg_consume() asserts it.
 */
enum value_state {
	V_FREE,  /* the same wherever it is written: constants, temporaries */
	V_READS, /* reads variables, maps or memory */
	/* can fail, but later operations may go first: checked at the end of the statement */
	V_SOFT,
	V_FAILS, /* can fail, its position is set */
	V_CALLS, /* V_FAILS by a call of a script function, see cg_pending_call() */
};

/* Where the bytes of a string are, by how much may happen to them. */
enum value_bytes {
	BYTES_LITERAL, /* they never move */
	BYTES_SCRATCH, /* until the statement ends */
	BYTES_LOCAL,   /* in a local's buffer: stores to it disturb them */
	BYTES_GLOBAL,  /* in a global, which callees may change, too */
};

/* Text in the arena, and what it may be written behind. */
struct value {
	const char *text;
	enum precedence prec;
	enum value_state state;
	bool effect;            /* has effects when written */
	bool narrow;            /* number: the C type is int, with a value far from its limits */
	bool constant;          /* number: known, V_FREE */
	int64_t number;         /* of a constant */
	enum value_bytes bytes; /* string */
};

/* What a function takes at run time. */
struct function_sizes {
	bool enters;      /* counts its calls: stp_call_enter */
	uint64_t scratch; /* most bytes of scratch in use, callees included */
};

/* What a body does with one of its locals; made by cg_locals(). */
struct local_facts {
	bool used, read;
	bool stored; /* string: takes a value that is no literal, so its bytes must be somewhere */
	bool kept;   /* string: stored once, at the top level: they stay in scratch where made */
	unsigned n_stores;
	const char *c_name;
	unsigned buffer; /* string: stored and not kept */
};

/* A way out of a body or a block; with a label, that is written behind it when the way was used. */
struct exit {
	const char *text; /* "return;", "goto out;" */
	bool used;
};

/* The function or handler being written. */
struct body {
	const struct ir_function *function; /* NULL: handler */
	struct map locals;                  /* struct ir_local * -> struct local_facts * */
	unsigned n_buffers;
	bool counted;       /* statements are counted */
	struct exit *leave; /* next, return: out of the body */
	struct exit *error; /* after an error: the same, or to the catch block */
	bool enters;        /* functions: stp_call_enter was called, so there is one way out */
	bool needs_mark, needs_base; /* the prologue keeps c->top above, below the frame */
	bool mark_moves;             /* above locals that are kept */
	unsigned n_resets;
	const char *mark; /* C variable c->top is reset to between statements */
	const char *base; /* where a string result goes */
	bool at_end;      /* the statement being written is the last one, and a return */
	struct loop *loop;
	unsigned n_tries; /* around the statement being written */
	unsigned n_labels;
	unsigned n_values;       /* in literals that live as long as the body */
	struct locking *locking; /* handlers: what is to be locked and is not; locking.c's */
};

struct loop { /* around the statement being written */
	struct loop *outer;
	struct exit next; /* continue; or goto the loop's step */
};

/* Positions in the script that errors name; number 0 means none and has an empty text. */
struct position_table {
	struct map index; /* istr of the text -> number */
	VEC(const char *) texts;
};

/* One translation. */
struct cg {
	const struct codegen_input *in;
	const struct ir_program *program;
	struct arena *arena;
	VEC(const struct ir_object *) objects; /* rows of the tables: objects.c */
	VEC(const struct ir_section *) sections;
	VEC(const struct ir_section *)
	mapped;                     /* files of which handlers ask where a process has them */
	struct map section_numbers; /* section -> its number */
	struct interner *intern;
	struct writer w;
	struct body *body;
	struct position_table positions;
	struct map globals;   /* struct ir_global * -> C name */
	struct map functions; /* struct ir_function * -> struct function_sizes * */
	struct map locked;    /* globals that some handler locks */
	struct map scopes;    /* istr of a key -> number: scopes.c */
	struct map rows;      /* istr of an array of rows -> its name: what points.c has written */
	unsigned n_rows;
	unsigned n_row_tables;                /* of points by columns: rows.c */
	VEC(const struct ir_expr *) embedded; /* C expressions, for guru.c */
	struct map fetch_numbers; /* istr of a fetch program's text -> index in fetches + 1 */
	VEC(struct fetch_program) fetches;  /* that rows of points name */
	struct flow *flow;                  /* flow.c's */
	uint64_t snapshots;                 /* bytes of all that loops may note: sizes.c */
	const struct ir_foreach *greediest; /* of these loops, with its bytes */
	uint64_t greediest_size;
};

/* ---- locking.c ---- */
/*
 * In the order of the program, by which all handlers lock, so that none can wait for another in
 * a circle.
 */
void cg_lock_table(struct cg *cg, const char *name, const struct lock_uses *uses);
/* The table of what the body of P locks, if it locks anything. */
void cg_body_lock_table(struct cg *cg, const struct ir_probe *p);
/* The statements of P, with its locks held where it needs them; body.leave is "return;". */
void cg_locked_body(struct cg *cg, const struct ir_probe *p);
/* A branch of an `if`: takes the locks itself where its handler does not hold them yet. */
void cg_branch(struct cg *cg, struct ir_stmt *s);
/* Whether E touches a global whose lock is not held where it would be evaluated. */
bool cg_touches_unlocked(struct cg *cg, struct ir_expr *e);

/* ---- sizes.c ---- */
/* First of all: fills functions. */
void cg_sizes(struct cg *cg);
/* Never NULL after cg_sizes(). */
struct function_sizes *cg_function_sizes(struct cg *cg, const struct ir_function *f);
/* A script that would need more scratch than a context can have is reported to SINK. */
void cg_check_scratch(struct arena *arena, struct diag_sink *sink, const struct ir_program *program,
		      const struct codegen_limits *limits);
/*
 * Bytes of scratch that a context gets: enough for any handler of this script, up to a bound.
 * What does not fit at run time is an error of the handler, not an overrun. Once for a translation.
 */
uint64_t cg_scratch_size(struct cg *cg);
/* The user's MAXNESTING, or the longest chain of calls with some room for recursion. */
unsigned cg_max_nesting(struct cg *cg);
/* Bytes of kernel stack that must be free for a handler to begin. */
uint32_t cg_stack_need(struct cg *cg);
/* Collect a body's locals: names, uses, buffers. */
void cg_locals(struct cg *cg, struct body *b, const struct ir_stmt *s);
/* The facts of a local of the body being written; NULL for one that the body does not mention. */
struct local_facts *cg_local(struct cg *cg, const struct ir_local *local);

/* ---- value.c: values, temporaries ---- */
#define cg_printf(cg, ...) arena_printf((cg)->arena, __VA_ARGS__)
/*
 * A constant; its text is of type int (narrow) when it is far from the limits of int, else of
 * type long long.
 */
struct value cg_number(struct cg *cg, int64_t n);
/*
 * A number of C type long long, or a string in scratch. TEXT is kept by reference and must live in
 * the arena or be static.
 */
struct value cg_value(const char *text, enum precedence prec, enum value_state state);
/* A string whose bytes are elsewhere. */
struct value cg_string(const char *text, enum value_state state, enum value_bytes bytes);
/*
 * Text that V is a part of, and is written with: cg_value() in V's state, with its effect. V itself
 * must not be written any more.
 */
struct value cg_around(const char *text, enum precedence prec, struct value v);
/* The same with two parts. */
struct value cg_combine(const char *text, enum precedence prec, struct value a, struct value b);
/* V in a state that is STATE or comes after it. */
struct value cg_at_least(struct value v, enum value_state state);
/* Whether writing V leaves something behind: errors to check, or effects. */
bool cg_is_active(struct value v);
/* Whether later effects can change the bytes that the string V views. */
bool cg_is_view(struct value v);
/* The text as an operand of an operator of precedence PREC. */
const char *cg_operand(struct cg *cg, struct value v, enum precedence prec);
/* The text as a condition of if, while, &&. */
const char *cg_condition(struct cg *cg, struct value v);
const char *cg_type(enum ir_type type); /* "stp_long ", "struct stp_str " */
/* Note that the text of v is being written now: the last step of a pending value. */
void cg_consume(struct cg *cg, struct value v);
/*
 * Writes v into a new C variable; the result is its name. A string temporary views the same
 * bytes.
 */
struct value cg_temp(struct cg *cg, struct value v, enum ir_type type);
/*
 * The left side of an operator, in a temporary when its text has become long: a chain of
 * operators does not nest without end in C, nor is its text copied again for each of them.
 */
struct value cg_bound(struct cg *cg, struct value v, enum ir_type type);
/*
 * Ready for an operation with a position of its own: failing and effectful text goes into a
 * temporary.
 */
struct value cg_evaluate(struct cg *cg, struct value v, enum ir_type type);
/* cg_evaluate() for every operand; NULL elements stay as they are. */
void cg_evaluate_list(struct cg *cg, const struct ir_exprs *list, struct value *v);
/* Safe against the effects of expressions that come later. */
struct value cg_hold(struct cg *cg, struct value v, enum ir_type type, unsigned later);

/* ---- flow.c: lines, and what holds where the next one is written ---- */
void cg_flow_init(struct cg *cg); /* once, before anything else here */
/* The first line of B is next: nothing is open, no position known. There is no other body. */
void cg_begin(struct cg *cg, struct body *b);
/* "t1", "t2": unique within the body. */
const char *cg_temp_name(struct cg *cg);
/* One statement line, the wanted position before it. */
void cg_line(struct cg *cg, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Leaves by EXIT, and notes that its label is needed. */
void cg_exit(struct cg *cg, struct exit *exit);
/* The place to be named when E fails: written before the next line. */
void cg_position(struct cg *cg, const struct ir_expr *e);
/* The same, unless a position is wanted already. */
void cg_position_soft(struct cg *cg, const struct ir_expr *e);
/* By its number; 0: none, also when one was wanted. */
void cg_want_position(struct cg *cg, uint32_t position);
void cg_flush_position(struct cg *cg); /* before text that is captured, or not written by cg_line */
void cg_forget_position(struct cg *cg); /* control flow joins here */
void cg_may_fail(struct cg *cg);        /* a line written may have set c->error */
/* Text of a call of a script function is made; its position is the one that is wanted now. */
void cg_pending_call(struct cg *cg);
void cg_called(struct cg *cg); /* it is written. No earlier call may be untested */
/* TEXT, which can fail or has effects, is being written: never written before. */
void cg_written(struct cg *cg, const char *text);
void cg_check(struct cg *cg);      /* if (c->error) leave; when a line written may have set it */
void cg_check_call(struct cg *cg); /* only note the call: the body ends here */
void cg_end_branch(struct cg *cg); /* ways join behind it: check a call while it is known */
bool cg_errors_open(const struct cg *cg); /* a line written may have set c->error */
bool cg_call_open(const struct cg *cg);   /* and it was a call */
/* Whether errors are open; the caller tests them himself. None may be of a call. */
bool cg_take_errors(struct cg *cg);
void cg_use_scratch(struct cg *cg);  /* pending or written text leaves bytes above the mark */
void cg_keep_scratch(struct cg *cg); /* a local views what is there: it may not be given back */
bool cg_scratch_dirty(const struct cg *cg); /* used and not kept */
bool cg_scratch_kept(const struct cg *cg);
bool cg_take_scratch(struct cg *cg); /* whether it is in use; the caller sees to its end */
/* Check, and give the statement's scratch back, which may not be kept. */
void cg_tidy(struct cg *cg);
bool cg_nothing_open(const struct cg *cg); /* neither errors nor scratch */
/* Control does not come past here. No call may be untested. */
void cg_ended(struct cg *cg);
void cg_discard(struct cg *cg); /* what was captured is not written here: as if it ended */
/*
 * Branches of one statement: cg_fork() before the first; around the text of each cg_branch_begin()
 * and cg_branch_end(), which leaves no call untested; cg_join() behind the last. Each begins as
 * the fork left it; behind them is open what any left open. Scratch may not be kept in them. The
 * fields are flow.c's.
 */
struct join {
	uint32_t position;
	bool errors, scratch;
};
void cg_fork(struct cg *cg, struct join *join); /* checks errors, sets the wanted position */
void cg_branch_begin(struct cg *cg, const struct join *join);
void cg_branch_end(struct cg *cg, struct join *join);
void cg_join(struct cg *cg, const struct join *join);

/* ---- positions.c ---- */
/*
 * The number of "TOKEN at FILE:LINE:COL", the same for equal texts; 0: the span has no
 * position.
 */
uint32_t cg_position_at(struct cg *cg, struct span span, const char *token);
/* The same for E, by the token that an error in it names. */
uint32_t cg_position_of(struct cg *cg, const struct ir_expr *e);
/* "FILE:LINE:COL" of the start of SPAN; NULL when it has no position. */
const char *cg_span_text(struct cg *cg, struct span span);

/* ---- expressions ---- */
/* Any expression whose value is wanted; may write lines. Never fails: see the opening comment. */
struct value cg_lower(struct cg *cg, const struct ir_expr *e);
/*
 * Left to right, each held against those that follow. v has list->n elements; those of NULL
 * expressions are left alone.
 */
void cg_lower_list(struct cg *cg, const struct ir_exprs *list, struct value *v);
/* As an expression statement: its value is not wanted. */
void cg_effect(struct cg *cg, const struct ir_expr *e);
/* Store v, whose text is pending, into a lvalue without keys (local or global). */
void cg_store(struct cg *cg, const struct ir_expr *lvalue, struct value v);
/* = and op= of every kind of lvalue. When not wanted, the result means nothing. */
struct value cg_assign(struct cg *cg, const struct ir_expr *e, bool wanted);
/* ++ and -- of every kind of lvalue; when not wanted, the result means nothing. */
struct value cg_incdec(struct cg *cg, const struct ir_expr *e, bool wanted);
/* a OP b of lowered numbers, folded when both are constants; e gives the position of a division. */
struct value cg_arith(struct cg *cg, const struct ir_expr *e, enum ir_op op, struct value a,
		      struct value b);
/*
 * Operators. Division by 0 fails, nothing else traps; comparisons take strings too; &&, || and ?:
 * evaluate no operand that does not count.
 */
struct value cg_binary(struct cg *cg, const struct ir_expr *e);
struct value cg_unary(struct cg *cg, const struct ir_expr *e);
struct value cg_logical(struct cg *cg, const struct ir_expr *e);
struct value cg_compare(struct cg *cg, const struct ir_expr *e);
struct value cg_ternary(struct cg *cg, const struct ir_expr *e);
/* What a fetch program reads; 0 with the error set where it cannot. */
struct value cg_fetch(struct cg *cg, const struct ir_expr *e);
/*
 * A struct stp_point_value that stands for a program without operands: a constant, or the number
 * of a case of cg_fetches(), the same for equal programs. Where the program can fail
 * (fetch_can_fail) it gives 0 and leaves c->error set; the position is the caller's to set.
 */
const char *cg_point_value(struct cg *cg, const struct fetch_program *program);
/* Writes the table of functions that serve these numbers; false when there are none. */
bool cg_fetches(struct cg *cg);
/* Stores v through a target variable (guru): OPERANDS are evaluated values of its subscripts. */
void cg_fetch_store(struct cg *cg, const struct ir_expr *lvalue, struct value *operands,
		    struct value v);
/* The evaluated size of an IR_DEREF as an argument; sets the position. */
struct value cg_deref_size(struct cg *cg, const struct ir_expr *e, struct value size);
/* @kderef, @uderef as values. */
struct value cg_deref(struct cg *cg, const struct ir_expr *e);
/* regexes.c */
/* =~ and !~ as a truth; one whose groups are kept for later questions is an effect. */
struct value cg_match(struct cg *cg, const struct ir_expr *e);
/*
 * The tables of all patterns, by index, in the arena. A pattern whose tables would be too large is
 * reported, and has none.
 */
const struct stp_regex **cg_compile_regexes(struct arena *arena, struct diag_sink *sink,
					    const struct ir_program *program);
/* Writes them, each a struct stp_regex named regex_N. */
void cg_regexes(struct cg *cg);
/* The list of those whose groups somebody asks for; how many. */
size_t cg_regex_table(struct cg *cg);
/* @kregister, @uregister. */
struct value cg_register(struct cg *cg, const struct ir_expr *e);
/* A call of a script function, a builtin or embedded C. */
struct value cg_call(struct cg *cg, const struct ir_expr *e);

/* ---- strings.c ---- */
/* Cut to MAXSTRINGLEN, as it would be at run time. */
struct value cg_string_literal(struct cg *cg, const struct istr *s);
/* Into the local's buffer, or by view where the bytes stay (local_facts.kept, literals). */
void cg_string_store_local(struct cg *cg, const struct ir_local *local, struct value v);
/* a . b, in scratch. */
struct value cg_concat(struct cg *cg, const struct ir_expr *e);
/* Tables for @enumname. */
void cg_enumerations(struct cg *cg);
/* A name from such a table, or the number as text. */
struct value cg_enumname(struct cg *cg, const struct ir_expr *e);
/* The bytes moved to scratch, so that no later effect reaches them. */
struct value cg_string_copy(struct cg *cg, struct value v);
struct value cg_concat_values(struct cg *cg, struct value a, struct value b);

/* ---- globals.c, arrays.c, stats.c ---- */
/* The C name; requires cg_globals(). */
const char *cg_global(const struct cg *cg, const struct ir_global *g);
/* The enumerator that numbers a per-CPU counter; only of STORE_COUNTER. */
const char *cg_counter(struct cg *cg, const struct ir_global *g);
/* How many there are. */
unsigned cg_counter_count(const struct cg *cg);
/* The runtime's name of the kind, which is not NONE. */
const char *cg_hist_kind(enum ir_hist_kind kind);
/* Fills cg.locked; before cg_globals(). */
void cg_find_locked(struct cg *cg);
/* Of a global with a lock: the name of its struct stp_lock. */
const char *cg_lock(struct cg *cg, const struct ir_global *g);
/* Names all globals and writes their objects and locks; before anything that refers to one. */
void cg_globals(struct cg *cg);
/* "(union stp_val[]){ ... }" of evaluated key values; *wild gets the bits of missing ones. */
const char *cg_keys(struct cg *cg, const struct ir_exprs *keys, const struct value *v,
		    uint32_t *wild);
const char *cg_val(struct cg *cg, struct value v, enum ir_type type); /* "{ .l = x }" */
/* Array elements as values; reading a missing one gives 0 or "". */
struct value cg_element(struct cg *cg, const struct ir_expr *e);
struct value cg_element_assign(struct cg *cg, const struct ir_expr *e, bool wanted);
struct value cg_element_incdec(struct cg *cg, const struct ir_expr *e, bool wanted);
/* KEYS in ARRAY; wildcards allowed. */
struct value cg_in(struct cg *cg, const struct ir_expr *e);
/* The delete statement: an element, a scalar, a whole array, or the elements that match. */
void cg_delete(struct cg *cg, const struct ir_stmt *s);
/* <<< as a statement: it has no value. */
void cg_feed(struct cg *cg, const struct ir_expr *e);
/* @count and the other extractors; @count and @sum of nothing are 0, the others fail. */
struct value cg_extract(struct cg *cg, const struct ir_expr *e);
/* What the runtime calls an extractor: "STP_STAT_COUNT". */
const char *cg_stat_name(enum ir_stat op);
/* @hist_log(s)[i]: the count of one bucket; an index out of range is an error. */
struct value cg_bucket(struct cg *cg, const struct ir_expr *e);
/* Evaluated operands of a statistic: "&g_s" or "&g_s, keys". MAP is true for an element. */
const char *cg_stat(struct cg *cg, const struct ir_expr *stat, struct ir_expr *also,
		    struct value *also_value, bool *map);

/* ---- prints.c ---- */
/* Written first: the tables of formats and of histogram shapes, numbered as in the program. */
void cg_formats(struct cg *cg);
/*
 * Print operators. Those that print are written at once and give 0; those to a string are
 * pending.
 */
struct value cg_print(struct cg *cg, const struct ir_expr *e);
struct value cg_print_hist(struct cg *cg, const struct ir_expr *e);

/* ---- statements.c, loops.c ---- */
/*
 * Does the body of F come to another loop that disturbs the order of this one? It walks a snapshot
 * then.
 */
bool cg_needs_snapshot(struct cg *cg, const struct ir_foreach *f);
/*
 * One statement, with all in it. Before any but a return, the errors and the scratch of the one
 * before are seen to.
 */
void cg_stmt(struct cg *cg, const struct ir_stmt *s);
/*
 * Charge n statements to MAXACTION; an error names POSITION, 0: what was named last, the call of
 * this function.
 */
void cg_count_statements(struct cg *cg, uint32_t position, unsigned n);
/* The loop statements; each leaves c->error checked within every iteration. */
void cg_loop(struct cg *cg, const struct ir_stmt *s);
void cg_foreach(struct cg *cg, const struct ir_stmt *s);
void cg_foreach_hist(struct cg *cg, const struct ir_stmt *s);

/* ---- builtins.c ---- */
/* An error for the first function of PROGRAM that nothing of the runtime serves. */
struct error *cg_check_builtins(const struct ir_program *program) ERROR_MUST_CHECK;
/*
 * The C function that serves a builtin, in the arena; NULL: none does, which codegen_check has
 * reported.
 */
const char *cg_builtin_symbol(struct arena *arena, const struct ir_builtin *row);

/* ---- functions.c, handlers.c ---- */
/* The position of an error that embedded C raises: its function's name where it is defined. */
uint32_t cg_function_position(struct cg *cg, const struct ir_function *f);
/* The C name of a script or embedded C function, or of the runtime's for a builtin. */
const char *cg_function_name(struct cg *cg, const struct ir_function *f);
/*
 * Prototypes of all functions, then the bodies of the script's. Builtins are defined by the
 * runtime, embedded C by guru.c.
 */
void cg_functions(struct cg *cg);
/*
 * The rest of a body whose text is written: declarations, frame, text. The opening brace stands
 * already.
 */
void cg_declare(struct cg *cg, struct body *b, struct emit_text text);
/* E is NULL for a return without a value. */
void cg_return(struct cg *cg, const struct ir_expr *e);
/* `next` in a function: the next overload's result is returned; without one it is an error. */
void cg_next_overload(struct cg *cg);
/* The handlers, conditions and entry functions of all probes, with their tables of locks. */
void cg_handlers(struct cg *cg);
/* The C name of a probe's handler: its number, and what of its point is good in a name. */
const char *cg_handler_name(struct cg *cg, const struct ir_probe *p);
/* Values saved at entry: strings are counted apart from numbers. How many of TYPE before INDEX. */
uint32_t cg_saved_index(const struct ir_probe *p, size_t index, enum ir_type type);
/* What the entry part of a return probe kept for this event. */
struct value cg_saved(struct cg *cg, const struct ir_expr *e);

/* ---- points.c ---- */
/* A text that each point has of its own, by its number in the row. */
struct value cg_point_text(struct cg *cg, const struct ir_expr *e);
const char *cg_quoted(struct cg *cg, const char *s); /* a C literal; NULL for NULL */
/* The tables of points and probes; after the handlers, which they name. */
void cg_probes(struct cg *cg);
/* Over all probes; points are numbered through in the order of the tables. */
size_t cg_point_count(const struct ir_program *program);

/* ---- rows.c ---- */
/* What the value of a member is, and how C has it. */
enum cg_field_kind {
	CG_SIGNED, /* number: an int64_t */
	CG_DECIMAL,
	CG_HEX,
	CG_OCTAL,
	CG_FLAGS,   /* number; text is its names in C */
	CG_TEXT,    /* text */
	CG_ADDRESS, /* text: a constant address in C */
};
/* A member of struct stp_point. member: as C has it behind the dot; a literal. */
struct cg_field {
	const char *member;
	enum cg_field_kind kind;
	uint64_t number;
	const char *text;
};
/* The members of one point that are not 0, NULL or "". */
struct cg_row {
	struct cg_field *data;
	size_t n, cap;
};
/* Appends the member, unless its value is 0, NULL or "". */
void cg_row_add(struct cg *cg, struct cg_row *row, struct cg_field field);
/*
 * Writes the table NAME of N rows, one at least: an array of struct stp_point, or, true, a struct
 * stp_point_rows.
 */
bool cg_point_table(struct cg *cg, const char *name, const struct cg_row *rows, size_t n);

/* ---- objects.c ---- */
/* Number of OBJECT in the table that cg_objects() writes, from 0. */
uint32_t cg_object(struct cg *cg, const struct ir_object *object);
/* Number of SECTION in the table that cg_objects() writes, from 1; points ask first. */
uint32_t cg_section(struct cg *cg, const struct ir_section *section);
/* Number of a file's row in stp_script.mapped. */
uint32_t cg_mapped(struct cg *cg, const struct ir_section *section);
/* The table of those; after everything that may ask for one, before cg_objects(). */
void cg_mapped_table(struct cg *cg);
/* After everything that may ask for a section. */
void cg_objects(struct cg *cg);
/*
 * The tables of files that the module carries, with rows that name their objects: before
 * cg_objects().
 */
void cg_carried(struct cg *cg);
/* And of those whose source lines are known: their tables, and where their code is. */
void cg_lines(struct cg *cg);
/* The program's, or else that of the lines that go along with it. */
const struct ir_anchor *cg_anchor(const struct cg *cg);

/* ---- scopes.c ---- */
/* The table of scopes of all points; before the points. */
void cg_scopes(struct cg *cg);
/* "&scopes[1]": its row. */
const char *cg_scope(struct cg *cg, const struct ir_scope *scope);

/* ---- tables.c, guru.c ---- */
/*
 * The rest of script.c, with struct stp_script at the end: the one symbol that the runtime
 * looks for.
 */
void cg_tables(struct cg *cg);
/* Whether embedded C is used; known once cg_embedded_prototypes() has been called. */
bool cg_needs_guru(const struct cg *cg);
bool cg_uses_next(const struct ir_function *f); /* its call may go on with the next overload */
/* The text of guru.c, into the writer as it stands. */
void cg_guru(struct cg *cg);
/* Numbers the embedded C expressions and writes their prototypes. */
void cg_embedded_prototypes(struct cg *cg);
/* Functions by which embedded C reads and sets the globals that its pragmas name. */
void cg_accessors(struct cg *cg);
/* The function of guru.c that gives the value of an embedded C expression. */
const char *cg_embedded_name(struct cg *cg, const struct ir_expr *e);
/* "struct stp_ctx *c, stp_long a_x, ..." */
const char *cg_parameters(struct cg *cg, const struct ir_function *f, const char *prefix);

#endif
