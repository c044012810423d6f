/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 3: the typed program to C. script.c includes only runtime/uapi/script.h; guru.c (when
 * embedded C is used) includes kernel headers through runtime/core/embedded.h. The text is the
 * same byte for byte for the same program and options.
 *
 * Requires a verified program (ir_verify) that codegen_check() accepts; changes nothing in it.
 * Mistakes of the user were reported by pass 2, so translation itself cannot fail: what
 * contradicts the program's invariants is an assertion. All intermediate text is in the arena
 * of the input; the results are the caller's strbufs. Nothing is kept between calls.
 */
#ifndef SPILE_CODEGEN_CODEGEN_H
#define SPILE_CODEGEN_CODEGEN_H

#include "base/error.h"
#include "ir/ir.h"

struct strbuf;
struct source_map;
struct stp_regex;

/* What becomes .max_action and so on of the script's table; the runtime enforces it. */
struct codegen_limits { /* -D and defaults, see stap(1) */
	uint32_t max_string, max_action, max_action_interruptible, max_nesting /* 0: computed */;
	uint32_t max_errors, max_skipped, max_trylock, trylock_delay_us, min_stack;
	uint32_t hist_width;
	uint32_t procfs_size; /* of reads without .maxsize; 0: as max_string */
	int32_t hist_elision;
	uint64_t overload_interval, overload_threshold;
};

/* A file that the module carries a table of: the path of that (runtime/uapi/user_table.h). */
struct codegen_carried {
	const struct ir_object *object;
	const char *table;
};

/* Where code of a module is in its line tables. */
struct codegen_line_section {
	const struct ir_section *section;
	uint64_t addr;
};

/*
 * An object whose source lines, or inlined copies, the module carries: paths of tables
 * (runtime/uapi/line_table.h), NULL: none.
 */
struct codegen_lines {
	const struct ir_object *object;
	const char *lines, *inlines;
	VEC(struct codegen_line_section) sections; /* of a kernel module */
};

/* What the module has besides its program. */
struct codegen_carries {
	VEC(struct codegen_carried) files;
	VEC(struct codegen_lines) lines;
	struct ir_anchor anchor; /* for the lines, when the program needs none itself */
};

/* All of it is borrowed for the call; sources may be NULL, then no positions are written. */
struct codegen_input {
	struct arena *arena;
	const struct ir_program *program;
	const struct stp_regex *const *regexes; /* by index: codegen_check() */
	struct codegen_carries carries;         /* none: zeroed */
	const struct source_map *sources;       /* for positions in comments and errors */
	struct codegen_limits limits;
	uint32_t flags;     /* STP_SCRIPT_* */
	const char *remote; /* where the session will run; NULL: here */
	bool skip_badvars;  /* target variables that cannot be read are 0 */
	const char *script_name;
	const char *const *defines; /* -D NAME[=V] for guru.c */
	size_t n_defines;
};

/*
 * An error: the program calls a builtin that no function of the runtime serves. A pattern whose
 * tables would be too large, and a loop whose array would, are reported to SINK. After either it is
 * not translated. *regexes gets what codegen_program() needs of the patterns, in the arena.
 */
struct error *codegen_check(struct arena *arena, struct diag_sink *sink,
			    const struct ir_program *program, const struct codegen_limits *limits,
			    const struct stp_regex *const **regexes) ERROR_MUST_CHECK;

/*
 * In guru.c each line has the name and number that messages of the compiler shall tell: of the
 * script where its text stands, else CODEGEN_MADE_FOR and FILE:LINE:COLUMN of the block that the
 * line was made for. Behind top-level text there is a declaration that begins with
 * CODEGEN_BLOCK_END, where the compiler finds missing what the text lacks.
 */
#define CODEGEN_MADE_FOR "generated for "
#define CODEGEN_BLOCK_END "_Static_assert"

/*
 * Appends to both buffers, which the caller has initialised; guru stays as it is when no
 * embedded C is used. The module name stays out of the text: it is patched in by module/.
 */
void codegen_program(const struct codegen_input *input, struct strbuf *script, struct strbuf *guru);

#endif
