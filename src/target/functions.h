/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of an object, and places in them: statements, labels and what they call.
 *
 * target/target.h says what holds of all that is returned.
 */
#ifndef SPILE_TARGET_FUNCTIONS_H
#define SPILE_TARGET_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "ir/fetch.h"
#include "ir/object.h"

struct target;
struct target_object;

/* One function, or one inlined copy of it. Strings are the target's. */
struct target_function {
	const char *name;      /* kallsyms symbol, clone suffix included: "foo.isra.0" */
	const char *base_name; /* "foo" */
	/*
	 * the innermost namespaces and classes around it, as many as the pattern named, each with
	 * "::" behind it; NULL: none
	 */
	const char *scope;
	const struct target_object *object;
	const char *module; /* NULL: vmlinux, or a file */
	/* of the entry in the object: link-time address; of a module: target_address_in() */
	uint64_t addr;
	uint64_t inline_addr; /* != 0: an inlined instance, its entry pc; addr is then 0 */
	uint64_t pc;          /* != 0: a place in it, in the object: a statement or a label */
	/* of an inlined instance or a place: the symbol that has it, and how far behind that */
	const char *holder;
	uint32_t holder_offset;
	/*
	 * declaration, as DW_AT_name of the CU has it: "fs/read_write.c"; of a file's function
	 * absolute; NULL without DWARF
	 */
	const char *file;
	unsigned line;     /* of the declaration; of a statement or label its own */
	const char *label; /* the label at pc, or NULL */
	/*
	 * Of a callee: who calls it; and unless it is inlined there, in the kernel the caller's
	 * code, which the callee returns to, the same list for all callees of one caller; in a
	 * program what is not 0 at the callee's entry when it was called from there.
	 */
	const struct target_function *caller;
	const struct ir_text_ranges *callers;
	struct fetch_program called_from;
	bool traceable;   /* in __mcount_loc: ftrace reaches its entry */
	bool is_unique;   /* one address in kallsyms has this name */
	bool no_return;   /* it is declared so, by debug information */
	bool renamed;     /* it has another name now than the query's */
	bool exported;    /* by EXPORT_SYMBOL; of a file's: the dynamic linker finds it */
	bool is_nameless; /* no symbol stands for it: its names are its address, as a number */
	/*
	 * a symbol of the kernel that neither ftrace nor types know as a function, nor its use
	 * where there are neither: of assembly, or of C that is not traced
	 */
	bool is_obscure;
	const void *priv;
};
/* A list in the target's arena. */
struct target_functions {
	struct target_function *data;
	size_t n, cap;
};

/* Which lines a pattern FUNC@FILE:LINES means. */
enum target_line_kind {
	TARGET_LINES_NONE,     /* it names none */
	TARGET_LINES_ALL,      /* :* */
	TARGET_LINES_ABSOLUTE, /* :A, :A-B, :A,B-C: of the file */
	TARGET_LINES_RELATIVE, /* +A: from the function's declaration on */
};
/* From first to last, both included. */
struct target_line_range {
	unsigned first, last;
};
/* RANGES of ABSOLUTE and RELATIVE lines: one at least. */
struct target_lines {
	enum target_line_kind kind;
	const struct target_line_range *ranges;
	size_t n;
};

/*
 * What target_find_functions() and its like are asked for; borrowed for the call. All given
 * conditions must hold, but with addr only that and module count.
 */
struct target_function_query {
	/*
	 * glob: *, ?, [...]; "sys_foo" also finds the wrapper "__x64_sys_foo"; "ns::f": see
	 * target/scoped_name.h
	 */
	const char *name;
	const char *file;                   /* glob or NULL; implied leading "*" + "/" */
	const char *module;                 /* NULL: vmlinux; else module name glob */
	const struct target_object *object; /* a file, which it is about instead; or NULL */
	/* functions whose body has one of them; where none has, they choose nothing (SystemTap) */
	struct target_lines lines;
	bool inlines;   /* also inlined instances (DWARF only) */
	uint64_t addr;  /* != 0: the function containing it (name NULL) */
	bool unaligned; /* statements: addr need not begin one */
	bool exported;  /* only functions that modules may call by name */
	/* in any order, some perhaps twice; copies of one declaration stand for each other */
	bool names_only;
	/* one inlined instance of a function stands for all, with the names that they share */
	bool one_copy;
};
/*
 * Only what may be probed: not noinstr, the kprobe blacklist, nor .init text of vmlinux, which is
 * gone after boot (that of a module runs when it is loaded). "*" over vmlinux is ~50,000. A module
 * that cannot be read is an error when it is named, and left out with a notice when a pattern chose
 * it.
 */
struct error *target_find_functions(struct target *t, const struct target_function_query *q,
				    struct target_functions *ret) ERROR_MUST_CHECK;
/*
 * Where F, a function of a file, is left, by its instructions; and with *ENTRY where each call of
 * it comes by once: unchanged but for Go, of which it is behind the look at the stack. NULL: found;
 * else why not, as text.
 */
const char *target_function_exits(const struct target_function *f, uint64_t *entry,
				  struct ir_exits *ret);

/* ---- places in functions (of DWARF, but for addresses in files) ---- */

/* Where code begins around lines that have none, in the first function asked for; 0: nowhere. */
struct target_near_lines {
	const char *file;
	unsigned before, after;
	/*
	 * with an address asked for that begins no statement, or of a file without debug
	 * information no instruction: the one before it, 0: none
	 */
	uint64_t addr;
	bool is_instruction; /* at addr */
	const char *problem; /* why it is not known where instructions begin; or NULL */
};
/*
 * Statements: where, by the compiler's line table, the lines of the query begin; for each function,
 * or inlined instance, the lowest address of a line. Without lines, the entries. NEAREST: of lines
 * that have none the one closest to what was asked for. With addr, the statement that begins there,
 * or with NEAREST the last that begins before; of a file, where no debug information tells of the
 * code there, instructions stand for statements. An empty answer fills *NEAR.
 */
struct error *target_find_statements(struct target *t, const struct target_function_query *q,
				     bool nearest, struct target_functions *ret,
				     struct target_near_lines *near) ERROR_MUST_CHECK;
/* Labels of C, of the functions of the query, whose name matches the glob LABEL. */
struct error *target_find_labels(struct target *t, const struct target_function_query *q,
				 const char *label, struct target_functions *ret) ERROR_MUST_CHECK;

/*
 * What the functions of the query, inlined copies too if it wants them, call by name: functions
 * of the name, file and lines of CALLEE, and copies of such inlined there. What is inlined into a
 * function counts as its own code. With a DEPTH over 1 also what those call, and so on. Calls
 * through pointers are not found, nor tail calls. A callee stands there for each caller.
 */
struct error *target_find_callees(struct target *t, const struct target_function_query *q,
				  const struct target_function_query *callee, unsigned depth,
				  struct target_functions *ret) ERROR_MUST_CHECK;

/*
 * Names of a file's functions near to NAME, best first, at most MAX; for hints. Returns how many.
 */
size_t target_similar_in_file(const struct target_object *file, const char *name, const char **ret,
			      size_t max);
/*
 * Names of vmlinux, or of the module when MODULE is not NULL, near to NAME, best first, at most
 * MAX; for hints. Returns how many; 0 when it cannot be loaded, or MODULE is a pattern.
 */
size_t target_similar_functions(struct target *t, const char *module, const char *name,
				const char **ret, size_t max);
/*
 * The same of the symbols of vmlinux that are neither text nor gone when it has booted: its
 * variables.
 */
size_t target_similar_data(struct target *t, const char *name, const char **ret, size_t max);

/*
 * What stands in vmlinux for a function of older kernels that is not there and that the new name
 * does not mean: its name, as a text; NULL: nothing known.
 */
const char *target_function_successor(struct target *t, const char *name);

/*
 * Is it code of the kernel of which nothing that is known says that it returns the way it is
 * called: is_obscure, no wrapper of a system call by its name, and debug information has no
 * function there? Much of it is entered by jumps (ret_from_fork).
 */
bool target_may_be_label(const struct target_function *f);
/*
 * Is what has this name no function of its own: what a compiler split off one ("NAME.cold"), which
 * is jumped to, or the padding before one? It has no return: where a call keeps its return address
 * there is something else.
 */
bool target_name_is_of_part(const char *name);

/*
 * Why probes are not allowed in what NAME is in vmlinux, or in the module when MODULE is not NULL:
 * a text, "NAME is ..."; NULL: there is none of that name, or they are.
 */
const char *target_function_forbidden(struct target *t, const char *module, const char *name);
/*
 * A module that has a function of that name, of those whose index is in the cache already; NULL:
 * none of them.
 */
const char *target_function_in_module(struct target *t, const char *name);
/*
 * Why there is nothing in the module NAME, which is no pattern: a text; NULL: the module is there.
 */
const char *target_module_absent(struct target *t, const char *name);

/* An exported function and its link-time address: the anchor of stp_kernel_address
 * (runtime/uapi/access.h). */
struct error *target_anchor(struct target *t, const char **symbol, uint64_t *addr) ERROR_MUST_CHECK;
/* Link-time address of a vmlinux symbol, 0 when absent. */
uint64_t target_symbol(struct target *t, const char *name);

#endif
