/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a handler has and calls, but for memory (access.h), arrays (arrays.h) and regular
 * expressions (dfa.h): its context, globals, strings, output, errors. Part of script.h, which says
 * what holds for all of it.
 */
#ifndef STP_UAPI_HANDLER_H
#define STP_UAPI_HANDLER_H

#include "types.h"
#if defined(__x86_64__)
#include "regs_x86_64.h"
#elif defined(__aarch64__)
#include "regs_aarch64.h"
#else
#error "no registers of this machine in runtime/uapi"
#endif

#define stp_likely(x) __builtin_expect(!!(x), 1)
#define stp_unlikely(x) __builtin_expect(!!(x), 0)
#ifndef NULL
#define NULL ((void *)0)
#endif

struct stp_probe;
struct stp_point;
struct stp_regex;

/* One per CPU, plus one for process-context handlers. Fields above the line are the hot ones. */
struct stp_ctx {
	const struct stp_regs *regs;   /* NULL when the event has none (begin, timer) */
	const unsigned long *args;     /* of tracepoints and hooks; NULL elsewhere */
	stp_long *saved;               /* return probes: values the entry handler stored (@entry) */
	const char *error;             /* NULL, or the soft error raised in this hit */
	char *top;                     /* scratch: next free byte */
	char *limit;                   /* scratch: end */
	stp_long *counters;            /* this CPU's counters (struct stp_script.n_counters) */
	const struct stp_probe *probe; /* whose handler runs */
	const struct stp_point *point; /* that was hit; NULL: to be found by its address */
	/* statements left before MAXACTION, or before stp_action_overflow() gives more */
	int actions;
	int depth; /* function calls nested now */
	/* index into stp_script.positions of the operation that may fail: set before it */
	stp_u32 position;
	stp_u32 flags;       /* STP_CTX_* */
	char *saved_strings; /* return probes: strings the entry handler stored */
	const struct stp_regex *
		/* the last to match with its groups kept; a body that asks sets NULL first */
		matched;
	/* ---- runtime's own below; generated code does not touch it ---- */
	stp_u64 ts;               /* time stamp of this hit, 0 until first needed */
	unsigned long point_addr; /* run-time address of the probed instruction; 0 none */
	unsigned long caller; /* where the call returns to, when the kernel has said it; else 0 */
	int busy;
	int cpu;
	void *ring;
	stp_u32 error_position; /* position at the time error was raised */
	char error_text[256];   /* storage for built messages; embedded C's error_buffer */
	/* embedded C's alone, see core/embedded.h */
	const char *probe_point;
	const struct stp_regs *kregs, *uregs;
	int user_mode_p;
	/* runtime may append more behind; generated code never takes sizeof(struct stp_ctx) */
};

#define STP_CTX_RETURN 1u     /* return probe */
#define STP_CTX_SLEEP 2u      /* process context, may sleep */
#define STP_CTX_ABORT 4u      /* abort(): leave the handler quietly; error is set too */
#define STP_CTX_FATAL 8u      /* error not catchable (MAXACTION) */
#define STP_CTX_USER_REGS 16u /* regs describe user space */
#define STP_CTX_EXITING 32u   /* exit() was called in this hit */
#define STP_CTX_ALONE 64u     /* no other handler can run meanwhile: no locks are needed */

/* ---- globals ---- */

/*
 * A global that only end/begin/error/timer handlers read and others only add to is a counter: per
 * CPU, no lock. Written as c->counters[S] += v. Read, set (deletes included) only through these.
 */
stp_long stp_counter_read(struct stp_ctx *c, stp_u32 counter);
void stp_counter_set(struct stp_ctx *c, stp_u32 counter, stp_long value);

/* Other long scalars are plain `static stp_long g_name`, under a lock. String scalars: */
struct stp_string { /* followed by its bytes: declare with STP_STRING(name, MAXSTRINGLEN) */
	stp_u32 len;
	stp_u32 size; /* capacity incl. NUL */
	char *text;
};

#define STP_STRING(name, max, init)                                                                \
	static char name##_text[max] = init;                                                       \
	static struct stp_string name = { .len = sizeof(init) - 1,                                 \
					  .size = max,                                             \
					  .text = name##_text }
/* Its bytes as they are: until the next write to it. */
static inline struct stp_str stp_string_view(const struct stp_string *g)
{
	return (struct stp_str){ g->text, g->len };
}

struct stp_str stp_string_get(struct stp_ctx *c,
			      const struct stp_string *g); /* copies to scratch */
void stp_string_set(struct stp_ctx *c, struct stp_string *g, struct stp_str v);

/*
 * Locks of globals: taken in the order of the table, which is one order for all handlers of the
 * script.
 */
struct stp_lock {
	stp_u32 word;       /* runtime's */
	stp_u32 contention; /* times that somebody had to wait, */
	stp_u32 timeouts;   /* and in vain, for -t */
	const char *name;   /* of the global */
};

struct stp_lock_use {
	struct stp_lock *lock;
	int write;
};

/*
 * 1 when all are held; 0 after MAXTRYLOCK tries: nothing is held and the skip is counted. No-op in
 * STP_CTX_ALONE handlers.
 */
int stp_lock_all(struct stp_ctx *c, const struct stp_lock_use *uses, stp_u32 n);
void stp_unlock_all(struct stp_ctx *c, const struct stp_lock_use *uses, stp_u32 n);

union stp_val {
	stp_long l;
	struct stp_str s;
};

/*
 * CALL, an expression that names vals: the values, which take room on the stack for the time of
 * the call only. (That of a compound literal is a function's until it returns.)
 */
#define STP_VALS(call, values...)                                                                  \
	({                                                                                         \
		union stp_val vals[] = { values };                                                 \
		call;                                                                              \
	})

/* ---- strings ---- */
#define STP_S(lit) ((struct stp_str){ "" lit, sizeof(lit) - 1 })
/* The name of a value, or of some bits. */
struct stp_enumerator {
	stp_long value;
	const char *name;
};

/* Values ascending. The name of v, else v in decimal. */
struct stp_str stp_enum_name(struct stp_ctx *c, const struct stp_enumerator *list, stp_u32 n,
			     stp_long v);
/*
 * The names of the bits that are set in v, those of an entry all together, in the order of the
 * list; then what has no name, in hexadecimal. none: the text of 0.
 */
struct stp_str stp_bit_names(struct stp_ctx *c, const struct stp_enumerator *list, stp_u32 n,
			     const char *delimiter, const char *none, stp_long v);
/*
 * Copy v into a buffer of MAXSTRINGLEN bytes (memmove: v may view the buffer), NUL-terminate,
 * truncate; returns the view of it.
 */
struct stp_str stp_str_store(char *buffer, stp_u32 size, struct stp_str v);
struct stp_str stp_str_concat(struct stp_ctx *c, struct stp_str a, struct stp_str b);
int stp_str_cmp(struct stp_str a, struct stp_str b); /* as strcmp */
/*
 * Scratch: move v down to mark and set c->top behind it: the result of a script function outlives
 * its frame.
 */
struct stp_str stp_str_return(struct stp_ctx *c, char *mark, struct stp_str v);
/*
 * NUL-terminated copy of MAXSTRINGLEN bytes room, for embedded C; "" and error when scratch is used
 * up
 */
char *stp_str_buffer(struct stp_ctx *c, struct stp_str v);
/* n bytes of scratch, 8-aligned, or NULL with the error set */
char *stp_scratch(struct stp_ctx *c, stp_u32 n);

/*
 * Strings saved at function entry: index < n_saved_strings of the probe. The view is good while the
 * handler runs.
 */
void stp_saved_string_set(struct stp_ctx *c, stp_u32 index, struct stp_str v);
struct stp_str stp_saved_string(struct stp_ctx *c, stp_u32 index);

/* ---- output ---- */
/*
 * args in the order of the format's conversions; bit i of strings: argument i is a string. id <
 * n_formats.
 */
void stp_print(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n,
	       stp_u32 strings);
/* the same for a format with %m or %M */
void stp_print_dumps(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n,
		     stp_u32 strings);
/* the common small cases, all longs or a literal only */
void stp_print_0(struct stp_ctx *c, stp_u32 id);
struct stp_str stp_sprint(struct stp_ctx *c, stp_u32 id, const union stp_val *args, stp_u32 n,
			  stp_u32 strings);
void stp_print_text(struct stp_ctx *c, struct stp_str s); /* raw bytes, no format */

/* ---- errors and control ---- */
void stp_error(struct stp_ctx *c, const char *msg); /* msg must be static */
void stp_errorf(struct stp_ctx *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void stp_error_str(struct stp_ctx *c, struct stp_str s); /* error(s) */
struct stp_str stp_catch(
	struct stp_ctx *
		/* the message, in scratch; clears c->error. "near X at F:L:C" is not part of it */
		c);
/* The error came out of a script function called at this position: part of the error line. */
void stp_called(struct stp_ctx *c, stp_u32 position) __attribute__((cold));
/* The way out of a probe's condition that failed: reports the error, or counts a skip; 0 */
stp_long stp_condition_failed(struct stp_ctx *c) __attribute__((cold));
/*
 * c->actions is below 0. 0: there are more; 1: "MAXACTION exceeded", or the session is over: not
 * catchable
 */
int stp_action_overflow(struct stp_ctx *c) __attribute__((cold));
static inline int stp_actions(struct stp_ctx *c, int n) /* 1: out of actions, error set */
{
	c->actions -= n;
	if (stp_likely(c->actions >= 0))
		return 0;
	return stp_action_overflow(c);
}

/*
 * entering a script function: "MAXNESTING exceeded" error when too deep or too little stack. 1 =
 * failed. Pair with c->depth--
 */
int stp_call_enter(struct stp_ctx *c);
stp_long stp_div(struct stp_ctx *c, stp_long a,
		 stp_long b); /* "division by 0"; b == -1 never traps */
stp_long stp_mod(struct stp_ctx *c, stp_long a, stp_long b);

#endif
