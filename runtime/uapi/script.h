/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between generated script.c and base.o, the runtime compiled once per kernel.
 * script.c includes only this header; it needs no kernel header. base.o holds everything that does
 * not depend on the script.
 *
 * A handler runs with a struct stp_ctx: this CPU's, with interrupts off and never nested.
 * Exceptions: begin, end and error handlers run in process context, interrupts on, one at a time,
 * on a context of their own. They may sleep (STP_CTX_SLEEP), and they run alone (STP_CTX_ALONE):
 * begin before arming, end and error after disarming, so they take no locks. One property does not
 * bring the other: what sleeps beside armed probes takes its locks.
 *
 * Context: any handler, unless a comment here says otherwise: process, softirq or hardirq; NMI hits
 * are skipped before the handler. Nothing here allocates. Functions that can fail set c->error and
 * return 0 / "": generated code tests c->error after the statement's calls and jumps to its one
 * error exit.
 *
 * Strings: struct stp_str views. A result lives in the context's scratch stack (c->top grows) until
 * the generated code resets c->top, which it does at the end of each statement to the mark of the
 * frame; string locals have buffers of their own and are copied on assignment. Map values are
 * copied to scratch on read.
 */
#ifndef STP_UAPI_SCRIPT_H
#define STP_UAPI_SCRIPT_H

#include "types.h"
#if defined(__x86_64__)
#include "regs_x86_64.h"
#elif defined(__aarch64__)
#include "regs_aarch64.h"
#else
#error "no registers of this machine in runtime/uapi"
#endif

#define STP_SCRIPT_ABI 8
#define STP_TRACE_ARGS_MAX 12 /* words that a tracepoint may hand over (struct stp_ctx.args) */
#define stp_likely(x) __builtin_expect(!!(x), 1)
#define stp_unlikely(x) __builtin_expect(!!(x), 0)
#ifndef NULL
#define NULL ((void *)0)
#endif

struct stp_probe;
struct stp_point;
struct pid;
struct stp_map;
struct stp_file;
struct stp_user_table;
struct stp_line_table;
struct stp_inline_table;
struct inode;

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
	char error_text[256];   /* storage for built messages */
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

/* ---- strings ---- */
#define STP_S(lit) ((struct stp_str){ "" lit, sizeof(lit) - 1 })
/* @enumname: values ascending. The name of v, else v in decimal. */
struct stp_enumerator {
	stp_long value;
	const char *name;
};

struct stp_str stp_enum_name(struct stp_ctx *c, const struct stp_enumerator *list, stp_u32 n,
			     stp_long v);
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
/* The way out of a probe's condition that failed: reports the error; 0 */
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

/* ---- memory: every fault is caught and raises "read fault [man error::fault] at 0x..." ---- */
stp_long stp_read_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size,
			 int is_signed); /* size 1 2 4 8 */
stp_long stp_read_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed);
stp_long stp_peek(stp_u64 addr, stp_u32 size, int is_signed,
		  int user); /* --skip-badvars: 0 instead of the error */
void stp_write_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v); /* guru */
/* Bits of a word: so many, from bit at on, of size bytes. */
struct stp_field {
	stp_u8 bits, at, size;
};
void stp_write_bits(struct stp_ctx *c, int user, stp_u64 addr, struct stp_field field, stp_long v);
void stp_write_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v);
stp_u32 stp_access_size(
	struct stp_ctx *c,
	stp_long size); /* @kderef, @uderef of a computed size: 1, 2, 4, 8 or the error set */
/* @kregister, @uregister: the register with DWARF number n, or "register access fault" */
stp_long stp_register(struct stp_ctx *c, stp_long n, int user);
/* Quoted, escaped text of at most max bytes for $var$ of char* */
struct stp_str stp_quote_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 max);
/* run-time address of a link-time kernel address (KASLR) */
stp_u64 stp_kernel_address(stp_u64 link_addr);
/*
 * where the current process has what is linked at that address in the file of the point that was
 * hit
 */
stp_u64 stp_user_address(struct stp_ctx *c, stp_u64 link_addr);
/*
 * where it has what is linked at that address in the file of stp_script.mapped[n]; 0, which no read
 * survives: nowhere, or not known
 */
stp_u64 stp_mapped_address(struct stp_ctx *c, stp_u32 n, stp_u64 link_addr);
/* the thread pointer of the current task's program; 0: it is a kernel thread */
stp_u64 stp_thread_pointer(void);
/*
 * Where the current thread has its block of the variables of a module with thread-local storage,
 * which the C library has numbered. It has none yet, or there is no such module: an error, or 0.
 */
stp_u64 stp_thread_block(struct stp_ctx *c, stp_u64 module);
stp_u64 stp_peek_thread_block(stp_u64 module);
/*
 * run-time address of an offset in stp_script.sections[section - 1]; 0, which no read survives,
 * while it is not loaded
 */
stp_u64 stp_section_address(stp_u32 section, stp_u64 offset);
/*
 * address of this CPU's copy of the per-CPU object at addr; where a handler may sleep, of the CPU
 * it is on just now
 */
stp_u64 stp_percpu_address(stp_u64 addr);
/* the bits of an IEEE 754 binary32 as those of the same number in binary64 */
stp_u64 stp_float_widen(stp_u64 bits);

/* ---- regular expressions: dfa.h ---- */
int stp_regex_test(const struct stp_regex *re, struct stp_str s); /* 1: it matches somewhere */
/*
 * The same; a string that matches is kept for matched(). re has groups and is in
 * stp_script.regexes.
 */
int stp_regex_match(struct stp_ctx *c, const struct stp_regex *re, struct stp_str s);

/* ---- probes ---- */
/*
 * How one kind of event is attached: the runtime's own, runtime/probes/. script.c declares the ones
 * it names, stp_family_KIND (rows of src/ir/probe_kinds.def), so a module links those it uses.
 */
struct stp_family;

/* Where a point attaches. The family knows which arm it is. */
struct stp_session_attach {
	stp_long sequence; /* lower runs first */
};
struct stp_timer_attach {
	stp_long interval; /* ns; jiffies; of profile Hz, 0: every tick */
	stp_long randomize;
};
struct stp_text_attach {
	const char *symbol; /* kallsyms name: for messages, checks, and resolution when addr is 0 */
	stp_u32 section;    /* stp_script.sections[section - 1]; 0: vmlinux */
	/* of symbol: link-time address in vmlinux, or 0: resolve it; or offset in section */
	stp_u64 addr;
	stp_u32 offset;   /* added to where the symbol is */
	stp_u32 absolute; /* addr is a run-time address; symbol is NULL, section 0 */
};
struct stp_tracepoint_attach {
	const char *name; /* without system */
	stp_u32 n_args;   /* words in c->args */
	stp_u32 object;   /* of a point with a module: it, by number */
};
struct stp_procfs_attach {
	const char *path; /* below /proc/systemtap/MODULE/, directories and all */
	stp_u32 mode;     /* permission bits, of reading or of writing */
	stp_u32 max_size; /* bytes that a read gives at most; 0: MAXSTRINGLEN */
	stp_u32 write;    /* 1: the point is that somebody writes; 0: reads */
};
struct stp_syscall_attach {
	stp_u32 abi; /* 0: the machine's own programs, 1: 32-bit ones */
	stp_u32 number;
};
/* Where a function is left, in the same file. */
struct stp_user_exit {
	stp_u64 offset;
	/* not with a return: it may jump to another function, whose return is then its own */
	stp_u32 jumps;
};
/*
 * An instruction in a file that processes run; of a uexit, the entry of a function and its exits.
 */
struct stp_user_attach {
	stp_u32 object; /* stp_script.objects[object] */
	stp_u32 n_exits;
	stp_u64 addr;   /* as linked, */
	stp_u64 offset; /* and in the file */
	union {
		/*
		 * without exits: in the file, raised in each process while the point is attached;
		 * 0: none
		 */
		stp_u64 semaphore;
		const struct stp_user_exit *exits;
	};
};

struct stp_perf_attach {
	stp_u32 type; /* as in struct perf_event_attr */
	stp_u32 by_rate;
	stp_u64 config;
	stp_u64 sample;      /* every so many events; with by_rate, times a second */
	const char *counter; /* of a perf_counter: its name */
};
struct stp_data_attach {
	stp_u64 addr;
	stp_u32 linked; /* addr is vmlinux's link-time address */
	stp_u32 length; /* bytes */
	stp_u32 reads;  /* reads count too, not only writes */
};
struct stp_netfilter_attach {
	stp_u32 family, hook; /* as the kernel numbers them */
	int priority;
};

/*
 * Which processes a point in user space means: all conditions must hold, and with a target (-c, -x)
 * the process must be it or descend from it. Rows are shared by points.
 */
struct stp_scope {
	const char *file; /* processes that run it: an absolute path, resolved at load; NULL: any */
	stp_u32 pid;      /* the process with its threads; 0: any */
	/* runtime's: */
	stp_u32 limits;      /* conditions there are; 0: every process is meant */
	stp_u32 number;      /* of the file */
	struct pid *process; /* of pid */
};

/*
 * What a point has of its own for its handler: a constant, or what a function of stp_script.fetch
 * gives for a number.
 */
struct stp_point_value {
	stp_long constant;
	stp_u32 fetch; /* 0: constant */
};
typedef stp_long stp_point_fetch(struct stp_ctx *c, stp_u32 number);
#define STP_FETCH_PART 128u /* numbers that one function serves */
struct stp_point_text {
	const char *text;                     /* with values, a format that takes them */
	stp_u32 len;                          /* of text */
	stp_u32 n;                            /* values; STP_POINT_VALUES at most */
	const struct stp_point_value *values; /* NULL when n is 0 */
};

#define STP_POINT_VALUES 32u

/* One point a handler is attached to. */
struct stp_point {
	union {
		struct stp_session_attach session;
		struct stp_timer_attach timer;
		struct stp_text_attach text;
		struct stp_tracepoint_attach tracepoint;
		struct stp_procfs_attach procfs;
		struct stp_syscall_attach syscall;
		struct stp_user_attach user;
		struct stp_perf_attach perf;
		struct stp_data_attach data;
		struct stp_netfilter_attach netfilter;
	};
	const char *pp;       /* the fully resolved probe point, pp() */
	const char *pn;       /* pn(); NULL: the probe's */
	const char *function; /* probefunc(); NULL: what is at the address, if there is one */
	const char *module;   /* the kernel module it is in; NULL: vmlinux, or no code */
	stp_u32 flags;        /* STP_POINT_* */
	stp_u32 max_active;   /* of a return: calls on their way at once; 0: default */
	/* as many as the handler reads; NULL: none */
	const struct stp_point_value *values;
	const struct stp_point_text *texts;
	const struct stp_scope *scope; /* NULL: whatever process is running */
};

/*
 * Finds c->point. A handler that reads what its point has begins with it. 0 with the error set when
 * there is none.
 */
int stp_point_find(struct stp_ctx *c);
static inline int stp_point_known(struct stp_ctx *c)
{
	return stp_likely(c->point != NULL) || stp_point_find(c);
}

/* Text number k of c->point, in scratch */
struct stp_str stp_point_text(struct stp_ctx *c, stp_u32 k);
/* One that has no values */
static inline struct stp_str stp_point_literal(struct stp_ctx *c, stp_u32 k)
{
	const struct stp_point_text *t = &c->point->texts[k];

	return (struct stp_str){ t->text, t->len };
}

#define STP_POINT_OPTIONAL 1u  /* absence or refusal is a warning, not an error */
#define STP_POINT_FULL_REGS 2u /* handler reads registers beyond the arguments */
/* calls are told apart by goroutine, not by thread: by what is in a register, or the thread has */
#define STP_POINT_GO_REGISTER 8u
#define STP_POINT_GO_THREAD 16u
#define STP_POINT_WILD                                                                             \
	4u /* one of many that a wildcard found: not worth a kprobe of its own at an entry */

/*
 * Bytes of kernel stack. The most that any function of the runtime takes with what it calls there
 * (a symbol's name has KSYM_SYMBOL_LEN bytes, and caller() holds one while it looks up another):
 * testsuite/module/units adds them up. What a generated function takes: its literals are kept below
 * 400 bytes (src/codegen/statements.c), the rest is registers saved and spilled. What some take
 * beyond that, in all, is told by the compiler: pass 4 then compiles again with STP_FRAME_EXCESS
 * defined.
 */
#define STP_RUNTIME_STACK 2048
#define STP_FRAME_STACK 512
#ifndef STP_FRAME_EXCESS
#define STP_FRAME_EXCESS 0
#endif

/*
 * A table of many points. Each has what is common to all, and in TEXT a text for each of the
 * columns, in their order, ended by
 * NUL: a number in hexadecimal, none is 0; of an address its index in ADDRESSES, from 1; of a text
 * itself, none is NULL.
 */
struct stp_column {
	stp_u16 offset; /* in struct stp_point */
	stp_u8 size, kind;
};
#define STP_COLUMN_NUMBER 0
#define STP_COLUMN_TEXT 1
#define STP_COLUMN_ADDRESS 2
#define STP_COLUMN(member, kind)                                                                   \
	{                                                                                          \
		__builtin_offsetof(struct stp_point, member),                                      \
			sizeof(((struct stp_point *)0)->member), STP_COLUMN_##kind                 \
	}
struct stp_point_rows {
	struct stp_point common;
	const struct stp_column *columns;
	stp_u32 n_columns;
	const void *const *addresses;
	const char *text;
};

/* One handler and all the points it is attached to. */
struct stp_probe {
	void (*handler)(struct stp_ctx *c);
	/*
	 * return probes with @entry values: runs at function entry, fills c->saved and
	 * saved_strings
	 */
	void (*entry)(struct stp_ctx *c);
	stp_long (*condition)(struct stp_ctx *c); /* NULL: always */
	const struct stp_family *family;
	const struct stp_point
		*points; /* one at least; NULL: the member "points" makes them of rows */
	const struct stp_point_rows *rows;
	stp_u32 n_points;
	stp_u32 first_point;     /* number of points[0] among those of all probes */
	stp_u32 index;           /* own index in stp_script.probes */
	stp_u32 n_saved;         /* stp_long values in c->saved */
	stp_u32 n_saved_strings; /* strings saved at entry */
	stp_u32 flags;           /* STP_PROBE_* */
	const char *pn;          /* the probe point as written in the script */
	const char *location;    /* "<input>:1:7" */
	const char *from;        /* with -t: what it was derived from; NULL: nothing to report */
	void *impl;              /* runtime's */
};

#define STP_PROBE_NAMED_BY_POINT 1u /* pn() is pp() of the point */

/*
 * A part of the runtime that has memory of its own or something to find out, listed by a script
 * that uses it. In process context, may sleep.
 * init: at load, after the contexts exist and before any handler can run; 0 or a negative errno,
 * then nothing is left behind.
 * exit: at unload, when no handler can run any more, in the reverse order, after an init that
 * succeeded. The others may be NULL. start, running and stop are called by the session's worker,
 * once each, and not at all when it does not come so far. opened: somebody opens the session's
 * file, in the mount namespace of whom it runs; several may at once.
 * start: when the target is known, before begin handlers; 0, or a negative errno with stp_arm_text
 * filled, which ends the session. armed: behind each attaching of probes, with the lock of arming
 * held, whatever became of it. running: when all is armed and hits run. stop: when it has ended,
 * before the reader is told.
 */
struct stp_member {
	int (*init)(void);
	void (*exit)(void);
	void (*opened)(void);
	int (*start)(void);
	void (*armed)(void);
	void (*running)(void);
	void (*stop)(void);
};

#define MEMBER(name) extern const struct stp_member stp_member_##name;
#include "members.def"
#undef MEMBER

/*
 * What points are in. The loaded one must have the same build-id; a file without one the same size
 * and time.
 */
struct stp_object {
	const char *name;     /* of the module; NULL: vmlinux, or a file */
	const char *path;     /* of the file, absolute; NULL: it is the kernel's */
	const char *build_id; /* STP_BUILD_ID_SIZE bytes; NULL: it has none */
	stp_u64 build_id_at;  /* where in the file they are */
	stp_u64 size;         /* of a file without a build-id, */
	stp_long mtime;       /* and when it was last changed, in seconds */
	/* runtime's: */
	struct stp_file *file; /* while points in it are attached */
	stp_u32 sections;      /* the first of its sections, from 1; 0: none */
	stp_u32 is_other;      /* what is loaded under that name is another build */
};

#define STP_BUILD_ID_SIZE 20

/* A file whose stacks and symbols the module can tell of. */
struct stp_carried {
	stp_u32 object; /* stp_script.objects[object] */
	const struct stp_user_table *table;
	/* runtime's: */
	const struct inode *inode; /* NULL: the file is not there, or another one */
};

/* Code of a module in a table of lines. */
struct stp_line_section {
	stp_u32 section; /* as of struct stp_text_attach */
	stp_u64 addr;    /* where the table has its begin */
};

/* An object of which source lines or inlined copies are known (uapi/line_table.h). */
struct stp_lines {
	stp_u32 object;                          /* stp_script.objects[object] */
	const struct stp_line_table *lines;      /* NULL: not known */
	const struct stp_inline_table *inlines;  /* NULL: not known */
	const struct stp_line_section *sections; /* of a kernel module */
	stp_u32 n_sections;
};

/* A place in the source. */
struct stp_source_line {
	const char *file; /* NULL: not known */
	stp_u32 line;
};

struct stp_text;
void stp_put_inlined(struct stp_text *t, stp_u32 keep, stp_u64 pc, stp_u64 at,
		     struct stp_source_line *line);

/* A file of which handlers ask where the current process has it. */
struct stp_mapped {
	stp_u32 object; /* stp_script.objects[object] */
	stp_u64 offset; /* of the code in the file, and */
	stp_u64 addr;   /* where that is linked */
	/* where its dynamic section is linked, 0: it has none, and what it says (dynamic_sum.h) */
	stp_u64 dynamic, dynamic_sum;
	stp_u64 build_id; /* where that is linked; 0: nowhere */
	/* runtime's: */
	const struct inode *inode; /* NULL: the file is not there, or another one */
};

/*
 * Whose addresses script.c has, when it has some of vmlinux: the build-id in hexadecimal. staprun
 * compares it with the running kernel's before it inserts the module; another build of the same
 * release has other addresses.
 */
#define STP_KERNEL(hex)                                                                            \
	static const char stp_kernel[] __attribute__((used, section(".modinfo"), aligned(1))) =    \
		"stap_kernel=" hex

/*
 * A section of a module: where it is, is found from one symbol in it each time the module is
 * loaded.
 */
struct stp_section {
	stp_u32 object; /* stp_script.objects[object] */
	const char *name;
	const char *anchor; /* the symbol: its name is unique in the module; NULL: there is none */
	stp_u64 anchor_offset;
	stp_u64 size; /* bytes */
	/* runtime's: */
	stp_u32 next;       /* section of the same object, from 1; 0: none */
	unsigned long base; /* run-time address of the section, 0: not loaded now */
	unsigned long seen; /* while it is looked for: what base becomes */
};

/*
 * Where something that can fail stands in the script: "identifier 'user_string' at <input>:1:20".
 */
struct stp_script {
	stp_u32 abi;
	stp_u32 flags; /* STP_SCRIPT_* */
	struct stp_probe *probes;
	struct stp_map *const *maps;
	struct stp_stat *const *stats;
	struct stp_lock *const *locks;
	const char *const *formats;
	const struct stp_hist_shape *hists;
	const char *const *positions;           /* position 0 is "" */
	const struct stp_regex *const *regexes; /* those whose groups are kept */
	struct stp_object *objects;
	struct stp_section *sections;
	struct stp_scope *scopes;
	struct stp_carried *carried;
	struct stp_mapped *mapped;
	const struct stp_lines *lines;
	/*
	 * Puts a line for each copy that was inlined where the frame PC is, the innermost first.
	 * AT: PC, or a byte before for a return address. LINE NULL: without source lines; else
	 * *LINE is that of AT, and becomes that of the function around all copies. NULL: not asked
	 * for (--inline-stacks). To a string they are added as long as KEEP bytes are left there
	 * for what follows, the line of the function itself. Context: any handler.
	 */
	void (*put_inlined)(struct stp_text *t, stp_u32 keep, stp_u64 pc, stp_u64 at,
			    struct stp_source_line *line);
	const struct stp_member *const *members;
	stp_u32 n_probes, n_points, n_maps, n_stats, n_locks, n_formats, n_hists, n_positions,
		n_counters, n_regexes, n_members, n_objects, n_sections, n_scopes, n_carried,
		n_mapped, n_lines;
	stp_u32 max_string; /* MAXSTRINGLEN */
	stp_u32 max_action, max_action_interruptible;
	stp_u32 max_nesting;
	stp_u32 max_errors, max_skipped;
	stp_u32 max_trylock, trylock_delay_us;
	/*
	 * bytes of kernel stack that must be free for a handler, or one more nested call, to begin
	 */
	stp_u32 min_stack;
	stp_u32 scratch_size;                          /* bytes of scratch per context */
	stp_u32 ring_len;                              /* 0: default */
	stp_u64 overload_interval, overload_threshold; /* cycles; 0: off */
	int (*init)(
		struct stp_ctx *
			c); /* sets globals; also -G and module parameters. 0 or a negative errno */
	stp_point_fetch *const
		*fetch; /* by number / STP_FETCH_PART; NULL: no point has a value to be read */
	/*
	 * addr of a symbol as linked, with which stp_kernel_address finds the slide: the exported
	 * function named here
	 */
	const char *anchor_symbol;
	stp_u64 anchor_addr;
	const char *remote;      /* --remote; NULL: none, or nobody asks */
	const char *script_name; /* for the kernel log line */
	const char *module_name;
	/* scalars that -G and NAME=VALUE may set: */
	const struct stp_param *params;
	stp_u32 n_params;
};

#define STP_SCRIPT_TIMING 1u          /* -t */
#define STP_SCRIPT_SUPPRESS_ERRORS 2u /* --suppress-handler-errors */
#define STP_SCRIPT_NO_TIME_LIMITS 4u
#define STP_SCRIPT_NSECS 8u          /* -t in nanoseconds */
#define STP_SCRIPT_ZONE 32u          /* the script asks for the reader's time zone */
#define STP_SCRIPT_BULK 64u          /* -b: the reader has a file for each processor */
#define STP_SCRIPT_ENTRY_KPROBES 16u /* entries that STP_POINT_WILD would leave out get kprobes */

struct stp_param {
	const char *name;
	stp_long *value;           /* long, or NULL */
	struct stp_string *string; /* or NULL */
	stp_u32 counter;           /* when both are NULL: a counter */
};

extern struct stp_script stp_script; /* defined by script.c */

/* One that cannot be read is 0 with c->error set. */
static inline stp_long stp_value_get(struct stp_ctx *c, const struct stp_point_value *v)
{
	return v->fetch ? stp_script.fetch[v->fetch / STP_FETCH_PART](c, v->fetch) : v->constant;
}
/* Value number k of c->point */
static inline stp_long stp_point_value(struct stp_ctx *c, stp_u32 k)
{
	return stp_value_get(c, &c->point->values[k]);
}

/*
 * Builtins (uapi/builtins.def) are C functions of runtime/tapset/, called straight from generated
 * code, which declares those it uses from the same rows.
 */

#endif
