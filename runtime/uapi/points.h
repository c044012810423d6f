/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes and the points that their handlers are attached to: the tables of script.c, read by
 * runtime/probes. Part of script.h.
 */
#ifndef STP_UAPI_POINTS_H
#define STP_UAPI_POINTS_H

#include "exits.h"
#include "handler.h"

#define STP_TRACE_ARGS_MAX 12 /* words that a tracepoint may hand over (struct stp_ctx.args) */

struct pid;

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
struct stp_kernel_attach {
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
#define STP_PROCFS_SIZE_MAX (16 << 20)
struct stp_procfs_attach {
	const char *path; /* below /proc/systemtap/MODULE/, directories and all */
	stp_u32 mode;     /* permission bits, of reading or of writing */
	stp_u32 max_size; /* bytes that a read gives at most, up to that; 0: MAXSTRINGLEN */
	stp_u32 write;    /* 1: the point is that somebody writes; 0: reads */
};
struct stp_syscall_attach {
	stp_u32 abi; /* 0: the machine's own programs, 1: 32-bit ones */
	stp_u32 number;
};
/* Where a function is left, in the same file. */
struct stp_user_exit {
	stp_u64 offset;
	stp_u32 kind; /* enum stp_exit_kind */
};
/* How calls of that function are told apart; nothing: by thread, and by the stack pointer there. */
#define STP_WAY_GO_REGISTER 1u /* by goroutine: by what is in a register, */
#define STP_WAY_GO_THREAD 2u   /* or what the thread has */
/*
 * An instruction in a file that processes run; of a uexit, the entry of a function and its exits.
 */
struct stp_user_attach {
	stp_u32 object; /* stp_script.objects[object] */
	stp_u32 n_exits;
	stp_u32 ways;   /* with exits: STP_WAY_* */
	stp_u64 addr;   /* as linked, */
	stp_u64 offset; /* and in the file */
	/*
	 * in the file, raised in each process while the point is attached; the same of all at one
	 * place; 0: none
	 */
	stp_u64 semaphore;
	const struct stp_user_exit *exits;
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
/* Words in c->args of a netfilter probe, by number. */
enum stp_netfilter_word {
	STP_NETFILTER_HOOK,
	STP_NETFILTER_SKB,
	STP_NETFILTER_IN,
	STP_NETFILTER_OUT,
	STP_NETFILTER_WORDS
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
		struct stp_kernel_attach kernel;
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
#define STP_POINT_WILD                                                                             \
	4u /* one of many that a wildcard found: not worth a kprobe of its own at an entry */

/*
 * Bytes of kernel stack. The most that any function of the runtime takes with what it calls there
 * (a symbol's name has KSYM_SYMBOL_LEN bytes, and caller() holds one while it looks up another):
 * testsuite/module/units adds them up. What a generated function takes: its literals are kept below
 * 400 bytes (src/codegen/statements.c), the rest is registers saved and spilled. What some take
 * beyond that is told by the compiler, and pass 4 then compiles again with STP_FRAME_EXCESS: that
 * of the handler which takes most, as one runs at a time, of the text of an object and of the
 * function of embedded C which do, and of all other functions.
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
/* What runtime/probes/rows.c writes: numbers of 4 or 8 bytes, pointers. */
#define STP_COLUMN_FITS(size, kind)                                                                \
	((size) == sizeof(void *) || ((size) == sizeof(stp_u32) && (kind) == STP_COLUMN_NUMBER))
#define STP_COLUMN_SIZE(size, kind)                                                                \
	((size) + 0 * sizeof(struct {                                                              \
			  _Static_assert(STP_COLUMN_FITS(size, kind), "no column has this size");  \
			  int unused;                                                              \
		  }))
#define STP_COLUMN(member, kind)                                                                   \
	{                                                                                          \
		__builtin_offsetof(struct stp_point, member),                                      \
			STP_COLUMN_SIZE(sizeof(((struct stp_point *)0)->member),                   \
					STP_COLUMN_##kind),                                        \
			STP_COLUMN_##kind                                                          \
	}
struct stp_point_rows {
	struct stp_point common;
	const struct stp_column *columns;
	stp_u32 n_columns;
	const void *const *addresses;
	const char *text;
};

/* A piece of the kernel's code. */
struct stp_code {
	stp_u64 addr; /* as linked; with a section, offset in it */
	stp_u64 size;
	stp_u32 section; /* stp_script.sections[section - 1]; 0: vmlinux */
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
	const struct stp_code *callers; /* only calls made from there are hits; NULL: all */
	stp_u32 n_callers;
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

#endif
