/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program as a whole: what its points are in, what it takes along for stacks and lines, its
 * members, and struct stp_script, by which the runtime finds everything. Part of script.h.
 */
#ifndef STP_UAPI_PROGRAM_H
#define STP_UAPI_PROGRAM_H

#include "points.h"

struct stp_map;
struct stp_stat;
struct stp_hist_shape;
struct stp_file;
struct stp_user_table;
struct stp_line_table;
struct stp_inline_table;
struct inode;

/*
 * What the C names of functions begin with that call none of their kind: of each kind one at most
 * is on the stack, so a script needs room for the largest (module/compile.c).
 */
#define STP_HANDLER_NAME "probe_"
#define STP_OBJECT_TEXT_NAME "object_text_"
/*
 * The same of embedded C: a function and an expression of the script, and what has the text of the
 * function. Names of the script's own C do not begin so.
 */
#define STP_EMBEDDED_NAME "stp_embedded"
#define STP_EXPRESSION_NAME "stp_expression"
#define STP_EMBEDDED_TEXT_NAME "stp_text_of"

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
	const void *leaving;   /* the struct module that goes, whatever its state says */
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
	stp_u32 section; /* as of struct stp_kernel_attach */
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

#endif
