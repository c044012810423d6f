/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The typed program: what sema/ ends with and codegen/ starts from. Every name is a pointer to its
 * symbol (symbol.h), every expression has a type (expr.h), target variables are fetch programs
 * (fetch.h), probe points are resolved (point.h). Ownership: the compilation arena. ir_verify()
 * states and checks what holds between passes; ir_dump() is the -p2 text (both dump.h).
 */
#ifndef SPILE_IR_IR_H
#define SPILE_IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "diag/diag.h"
#include "ir/expr.h"
#include "ir/fetch.h"
#include "ir/kind.h"
#include "ir/object.h"
#include "ir/point.h"
#include "ir/stmt.h"
#include "ir/symbol.h"

struct machine;
struct regex;
struct target_names;
struct target_type;

#define IR_KEPT_FOR "kept for " /* in what is told of a probe, before the one it keeps values for */

/*
 * One handler and every point it is attached to, one at least: points with the same code share it.
 */
struct ir_probe {
	const struct ir_probe_kind *kind;
	uint32_t index;
	struct span span; /* of the script's probe point */
	const char
		*pn; /* the point as the script has it; of an only point named_by_point, its pp */
	bool named_by_point; /* pn() is that of the point, or its pp() */
	const char
		*origin;   /* the point as the script has it, before aliases; NULL: it is in none */
	const char *chain; /* "<- alias <- ..." for -p2 and -t, or NULL */
	/*
	 * step entries: of a probe of its own, which keeps values of entries, the probe of the
	 * script that asked first for all of them, whose span it has; NULL: it is the script's
	 */
	const struct ir_probe *kept_for;
	/* of callees: only calls made from there are hits; NULL: all. Compared by address */
	const struct ir_text_ranges *callers;
	VEC(struct ir_point) points;
	VEC(struct ir_varying *) varying;
	uint32_t n_values, n_texts; /* of each point */
	bool optional; /* the script's point is, or an alias: with a mistake in it, it is left out */
	bool by_point; /* step varying: some code reads what its point has of its own */
	bool full_regs;
	VEC(struct ir_local *) locals;
	struct ir_exprs saved;     /* evaluated at function entry, read by IR_SAVED */
	struct ir_expr *condition; /* or NULL */
	struct ir_stmt *body;
	bool emptied; /* step elide: literal conditions left code out; it stays without any, too */
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

/*
 * Names of values: of whole ones, by ascending value, each value once; or of bits, in the order in
 * which they are looked for.
 */
struct ir_enumeration {
	const char *name;      /* "enum pid_type" */
	const char *delimiter; /* between the names of bits; NULL: they are of whole values */
	const char *none;      /* of bits: the text of 0 */
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
	/*
	 * step entries: what functions were entered with, by thread or 0 (fetch_entry_by_thread()),
	 * frame address and the index of struct fetch_entry; NULL: nobody asks
	 */
	struct ir_global *entry_values;
	struct ir_anchor anchor; /* set when any point or value has an address */
};

#endif
