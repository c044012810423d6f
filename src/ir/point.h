/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolved probe points: where each attaches, and what differs between the points of one handler.
 *
 * Ownership: the compilation arena.
 */
#ifndef SPILE_IR_POINT_H
#define SPILE_IR_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/fetch.h"
#include "ir/kind.h"
#include "ir/object.h"

struct strbuf;

/*
 * Where a point attaches; the tag is that of its kind. Addresses are as linked. To add an arm: its
 * struct here, its tag in ir/kind.h, its row writer in codegen/points.c, its twin in
 * runtime/uapi/points.h.
 */
struct ir_attach {
	enum ir_attach_tag tag;
	/*
	 * that the point's handler is given as arguments, for FETCH_TPARG: at most so many, until
	 * step words says how many of them it reads
	 */
	uint32_t n_words;
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
		} kernel;              /* a place in code of the kernel or of a module */
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

/* Does the point attach at a link-time address of vmlinux? */
bool ir_attach_is_linked(const struct ir_attach *at);
/* The program or library in which the point attaches; NULL: in none. */
const struct ir_object *ir_attach_file(const struct ir_attach *at);
/* What @perf calls the counter that it is; NULL: it is none. */
const char *ir_attach_counter(const struct ir_attach *at);
/* Do both count the same event of perf? */
bool ir_attach_same_event(const struct ir_attach *a, const struct ir_attach *b);
/* Is it code of the kernel, at *ADDR as its link has it? */
bool ir_attach_code(const struct ir_attach *at, uint64_t *addr);
/* The section of a module that the code is in; NULL: in vmlinux, or it is no code of the kernel. */
const struct ir_section *ir_attach_section(const struct ir_attach *at);
/* At the entry of a function, as ARM has it: that of the kernel or of files. */
struct ir_attach ir_attach_entry(enum ir_attach_tag arm, const struct fetch_entry *entry);
/* Are both code of the kernel, and differ in nothing but the address, known before load? */
bool ir_attach_differs_by_address(const struct ir_attach *a, const struct ir_attach *b);
/* The same, and not in that either? */
bool ir_attach_same_code(const struct ir_attach *a, const struct ir_attach *b);
/* What such ones have in common, as a text. */
void ir_attach_dump_common(const struct ir_attach *at, struct strbuf *out);
/* Have points there one record of a call on its way, which is found by the task that makes it? */
bool ir_attach_shares_call(const struct ir_attach *a, const struct ir_attach *b);
/* The file below the module's own directory of /proc that is the point; NULL: none is. */
const char *ir_attach_proc_path(const struct ir_attach *at);
/* Appends the address that it attaches to, as a comment; nothing for an attachment without one. */
void ir_attach_dump(const struct ir_attach *at, struct strbuf *out);

/*
 * A value that each point of a handler gets in its own way: the answers of all its points to one
 * question. Where they agree the program stands in IR_FETCH alone.
 */
struct ir_varying {
	uint32_t index; /* in ir_point.values */
	bool fixed;     /* they must agree: the variable is written to */
	bool used;      /* step varying: some IR_FETCH reads it */
	bool differs;   /* step varying: points disagree; if not, points have no value for it */
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
	const char *pn;            /* its pn() if that is not the probe's; else NULL */
	const char *claim;         /* what only one point of a program can have; NULL: nothing */
	bool optional;
	bool wild;                    /* it came out of a wildcard: one of many */
	bool kept_for_others;         /* step entries: not for the probe's kept_for alone */
	const struct ir_scope *scope; /* NULL: it is not about processes */
	struct fetch_program *values; /* by index: the probe's n_values */
	struct ir_point_text *texts;  /* the probe's n_texts */
};

#endif
