/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is probed: one kernel (a release installed here, an unpacked tree, or the running one by
 * what it tells) as a set of objects, vmlinux and its modules, and the programs and shared
 * libraries that are asked for: their functions, tracepoints, types and variables. Who asks about
 * files alone has the kernel's left closed. The only folder that knows ELF, DWARF, BTF and
 * kallsyms; the rest sees names, addresses in objects, types by handle, and fetch programs
 * (ir/fetch.h).
 *
 * Sources, opened lazily and the same for each object: its DWARF when installed (an index per
 * build-id in the cache); else its BTF and symbols (vmlinux: kallsyms inside the unpacked
 * /boot/vmlinuz; a module: its .ko; a file itself; an index of each in the cache), and the calling
 * convention for parameters. Answers never depend on which was used, except that BTF knows no
 * inlines, locals or @file.
 *
 * Everything returned lives in the target's arena until target_close. Results are sorted by name,
 * then address. Not found is not an error: empty results. struct error is for broken or unreadable
 * files.
 */
#ifndef SPILE_TARGET_TARGET_H
#define SPILE_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"
#include "base/error.h"
#include "base/vec.h"
#include "diag/diag.h"
#include "ir/fetch.h"
#include "ir/object.h"

struct machine;
/*
 * A kernel that is looked into; one owner, who closes it. Not safe for use by several threads:
 * answers are found on first use and kept.
 */
struct target;
/* vmlinux, one module, or a file that processes run; lives as long as the target. */
struct target_object;
/* A type (handle): see "types" below. */
struct target_type;
/* An object and a pc whose variables can be named: see "variables" below. */
struct target_scope;

/* Strings are copied; the callbacks and their argument must live as long as the target. */
struct target_options {
	const char *release; /* uname -r form; NULL with root: the only one there */
	const char *root;    /* unpacked packages (-r /DIR) or NULL: this machine */
	const char *cache_dir;
	/* SYSTEMTAP_DEBUGINFO_PATH: instead of the usual folders; NULL: those */
	const char *debuginfo_path;
	bool ask_servers; /* of debug information (DEBUGINFOD_URLS), when it is not installed */
	bool no_dwarf;    /* tests and comparison: pretend none is installed */
	/* or NULL: told what takes long, once per kernel */
	void (*progress)(void *arg, const char *text);
	void (*notice)(
		void *arg,
		const char *text); /* or NULL: told what was left out of an answer, and why */
	/* or NULL: the same where the user will want to mend it; each text once */
	void (*warning)(void *arg, const char *text);
	/*
	 * or NULL: headers of the kernel are not read. The command that compiles a unit with them,
	 * up to what is about the unit; NULL-terminated, in ARENA
	 */
	struct error *(*header_command)(void *arg, struct arena *arena, const char *const **ret);
	void *progress_arg; /* of them all */
};

/*
 * Finds the kernel's files; opens nothing big yet. Fails when the release has no kernel image
 * anywhere (hint names the package). *ret is set on success only; target_close() it.
 */
struct error *target_open(const struct target_options *options,
			  struct target **ret) ERROR_MUST_CHECK;
/* Frees the target and all that it returned. NULL: nothing. */
void target_close(struct target *t);
/* NULL until something was asked that needs the kernel's files, or a program's. */
const struct machine *target_machine(const struct target *t);
/*
 * The same before anything was asked: then the running one's, as for T NULL. NULL: Spile knows no
 * such machine.
 */
const struct machine *target_system_machine(struct target *t);
/*
 * Is usable debug information of vmlinux installed, or of a module when MODULE is not NULL? Looks
 * for it, and may index it, when first asked. A pattern has what vmlinux has: the package is the
 * same.
 */
bool target_has_dwarf(struct target *t, const char *module);
/*
 * Of the files that functions of the kernel and their variables are known from: another one after
 * any change. 0: there is no such file, no usable and whole debug information, or no build-id.
 * Looks for it as target_has_dwarf() does.
 */
uint64_t target_kernel_identity(struct target *t);
/*
 * The same of those that functions of modules are known from, and their variables, for the module
 * of that name or all that the pattern means. Debug information is not needed, but what there is
 * must be whole: when it is found not to be, the answer becomes 0.
 */
uint64_t target_modules_identity(struct target *t, const char *module);
/* Package that would add debuginfo, for hints: "linux-image-6.1.0-56-amd64-dbg". */
const char *target_debuginfo_package(struct target *t);
/*
 * Is NAME ("ext4", '-' and '_' alike) a module of the kernel, built in, loaded or installed? Looks
 * through its directory.
 */
bool target_has_module(struct target *t, const char *name);

/* ---- objects ---- */
/*
 * Where something is: SECTION is NULL for vmlinux, whose OFFSET is a link-time address; else a
 * section of the module, and the offset in it. A file is one section, and OFFSET again a link-time
 * address.
 */
struct target_address {
	const struct target_object *object;
	const struct ir_section *section;
	uint64_t offset;
};
/* ADDR: an address in OBJECT, as below. */
struct target_address target_address_in(const struct target_object *object, uint64_t addr);
/* vmlinux as a row of a script's table; NULL when it cannot be loaded. */
const struct ir_object *target_kernel_row(struct target *t);

/*
 * The executable or shared library in the file PATH, which is absolute; the same one each time. An
 * error: it is not there, no ELF file of that kind, damaged, or for another machine than the one
 * that is probed.
 */
struct error *target_open_file(struct target *t, const char *path,
			       const struct target_object **ret) ERROR_MUST_CHECK;
/*
 * The build-id of an executable or library; false: it is none, has none, or cannot be read. Nothing
 * of the file is kept.
 */
bool target_build_id_of(const char *path, unsigned char ret[BUILD_ID_SIZE]);
/* An open file, or a loaded module, as a row of a script's table. */
const struct ir_object *target_object_row(const struct target_object *o);
/* The machine whose code is in it: of a program not always the kernel's. */
const struct machine *target_object_machine(const struct target_object *o);
/* Where in an open file the byte of that link-time address is; false: nowhere. */
bool target_file_offset(const struct target_object *o, uint64_t addr, uint64_t *ret);
/* The reverse, of code. */
bool target_file_address(const struct target_object *o, uint64_t offset, uint64_t *ret);

/* What the dynamic linker is told by an open file. */
struct target_dynamic {
	VEC(const char *) needed; /* names of libraries, in order */
	const char *path; /* directories to look in first, with colons between them; NULL: none */
	bool is_program;  /* it is no library, but what processes are started with */
};
void target_file_dynamic(const struct target_object *o, struct target_dynamic *ret);

/* Is there a thread-local variable of that name among the symbols of an open file? */
bool target_file_has_thread_local(const struct target_object *o, const char *name);

/* An entry of the procedure linkage table: where the program calls a function of a library. */
struct target_plt_entry {
	const char *name; /* the function's */
	uint64_t addr;
};
struct target_plt {
	struct target_plt_entry *data;
	size_t n, cap;
};
/* The entries of an open file for functions that the glob NAME matches, in order of their names. */
void target_find_plt(const struct target_object *o, const char *name, struct target_plt *ret);

/*
 * What a module carries of an open file so that stacks through it can be walked and its addresses
 * named (runtime/uapi/user_table.h): the path of a file in the cache, made when it is not there.
 * NULL: *why says why not. Both are the target's.
 */
const char *target_user_table(const struct target_object *o, const char **why);

/*
 * Files with what a module carries of an object's debug information (runtime/uapi/line_table.h):
 * its lines, or the copies inlined into its functions. NULL: there is none, and *why says what is
 * missing, to follow a name and a colon. The path lives as long as the target.
 */
const char *target_line_table(const struct target_object *o, bool inlines, const char **why);
/* Is there a file with its debug information, whether or not it can be read? */
bool target_has_debug_file(const struct target_object *o);
/* Is NAME what scripts call vmlinux where a module could be named: "kernel"? */
bool target_names_kernel(const char *name);
/*
 * vmlinux (target_names_kernel()) or a module by its name, loaded; NULL: there is none of that
 * name.
 */
const struct target_object *target_find_object(struct target *t, const char *name);
/*
 * Sections of a module with code that can be found in a running kernel, and their addresses in its
 * layout.
 */
struct target_code {
	const struct ir_section *section;
	uint64_t addr;
};
struct target_codes {
	struct target_code *data;
	size_t n, cap;
};
void target_code_sections(const struct target_object *o, struct target_codes *ret);

/* Has it any symbols, or debug information, by which functions are known? */
bool target_file_has_symbols(const struct target_object *o);
/*
 * Is it a Go program? Its stacks are moved as they grow, with return addresses in them, so it
 * crashes where another one is left for the return (.gopclntab: cmd/link, the table by which it
 * walks its stacks). Returns are probed by target_function_exits() there.
 */
bool target_file_is_go(const struct target_object *o);
/*
 * Does it throw or catch C++ exceptions? One cannot be passed on through a function whose return
 * address has been
 * replaced: there is no unwind information for what stands there (Itanium C++ ABI: Exception
 * Handling, 1.3).
 */
bool target_file_throws(const struct target_object *o);
/* Is there debug information of it? Looks for it, and may index it, when first asked. */
bool target_file_has_dwarf(const struct target_object *o);

/* ---- functions ---- */
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
	/* of an inlined instance or a place: the symbol it is at, and how far behind that */
	const char *holder;
	uint32_t holder_offset;
	/*
	 * declaration, as DW_AT_name of the CU has it: "fs/read_write.c"; of a file's function
	 * absolute; NULL without DWARF
	 */
	const char *file;
	unsigned line;     /* of the declaration; of a statement its own */
	const char *label; /* the label at pc, or NULL */
	/*
	 * Of a callee: who calls it; and unless it is inlined there a program that is not 0 at its
	 * entry when it was called from there. Operand 0 of that, in the kernel: where the function
	 * returns to.
	 */
	const struct target_function *caller;
	struct fetch_program called_from;
	bool traceable; /* in __mcount_loc: ftrace reaches its entry */
	bool is_unique; /* one address in kallsyms has this name */
	bool exported;  /* by EXPORT_SYMBOL; of a file's: the dynamic linker finds it */
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
	struct target_lines lines;          /* functions whose body has one of them */
	bool inlines;                       /* also inlined instances (DWARF only) */
	uint64_t addr;                      /* != 0: the function containing it (name NULL) */
	bool exported;                      /* only functions that modules may call by name */
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

/* ---- places in functions (DWARF only) ---- */

/* Where code begins around lines that have none, in the first function asked for; 0: nowhere. */
struct target_near_lines {
	const char *file;
	unsigned before, after;
	uint64_t addr; /* with an address asked for: the statement before it, 0: none */
};
/*
 * Statements: where, by the compiler's line table, the lines of the query begin; for each function,
 * or inlined instance, the lowest address of a line. Without lines, the entries. NEAREST: of lines
 * that have none the one closest to what was asked for. With addr, the statement that begins there,
 * or with NEAREST the last that begins before. An empty answer fills *NEAR.
 */
struct error *target_find_statements(struct target *t, const struct target_function_query *q,
				     bool nearest, struct target_functions *ret,
				     struct target_near_lines *near) ERROR_MUST_CHECK;
/* Labels of C, of the functions of the query, whose name matches the glob LABEL. */
struct error *target_find_labels(struct target *t, const struct target_function_query *q,
				 const char *label, struct target_functions *ret) ERROR_MUST_CHECK;

/*
 * What the functions of the query, inlined copies too if it wants them, call by name: functions
 * whose name matches the glob CALLEE, and copies of such inlined there. What is inlined into a
 * function counts as its own code. With a DEPTH over 1 also what those call, and so on. Calls
 * through pointers are not found, nor tail calls. A callee stands there for each caller.
 */
struct error *target_find_callees(struct target *t, const struct target_function_query *q,
				  const char *callee, unsigned depth,
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

/* An exported function and its link-time address: the anchor of stp_kernel_address
 * (runtime/uapi/script.h). */
struct error *target_anchor(struct target *t, const char **symbol, uint64_t *addr) ERROR_MUST_CHECK;
/* Link-time address of a vmlinux symbol, 0 when absent. */
uint64_t target_symbol(struct target *t, const char *name);

/* ---- tracepoints ---- */

/* system: "" for a tracepoint that is no trace event. */
struct target_tracepoint {
	const char *system, *name;
	const struct target_object *object;
	const char *module; /* NULL: vmlinux */
};
/* A list in the target's arena. */
struct target_tracepoints {
	struct target_tracepoint *data;
	size_t n, cap;
};
/*
 * PATTERN: NAME or SYSTEM:NAME, globs in both. MODULE: a name or a glob, "kernel" vmlinux alone;
 * NULL: vmlinux and, when the pattern is a glob or vmlinux has none of that name, all modules of
 * the release, loaded or not. Those of vmlinux come first, then those of each module.
 */
struct error *target_find_tracepoints(struct target *t, const char *module, const char *pattern,
				      struct target_tracepoints *ret) ERROR_MUST_CHECK;
/* Names (without system) near to NAME or SYSTEM:NAME, best first, at most MAX; returns how many. */
size_t target_similar_tracepoints(struct target *t, const char *name, const char **ret, size_t max);

/* ---- system calls ---- */
/* A call by its number, as programs of one kind make it. */
struct target_syscall {
	const char *name;     /* __NR_name */
	const char *function; /* symbol that serves it: "__x64_sys_openat" */
	uint32_t abi, number; /* abi: 0: the machine's own programs; see struct machine */
	bool is_compat;       /* of 32-bit programs */
};
/* A list in the target's arena. */
struct target_syscalls {
	struct target_syscall *data;
	size_t n, cap;
	bool known; /* the machine's table has the name, served or not */
};
/* The calls of that name that this kernel serves, the machine's own first; no pattern. */
struct error *target_find_syscalls(struct target *t, const char *name,
				   struct target_syscalls *ret) ERROR_MUST_CHECK;
/* Names of calls near to NAME, best first, at most MAX; returns how many. */
size_t target_similar_syscalls(struct target *t, const char *name, const char **ret, size_t max);
/* ---- marks ---- */

/*
 * A mark that a program was built with: a note of type 3 and name "stapsdt" (the layout is in
 * <sys/sdt.h>). One place of several may have the same names.
 */
struct target_mark {
	const char *provider, *name;
	const char *arguments; /* as the assembler wrote them: "4@%eax -8@8(%rbp)" */
	uint64_t addr;         /* link-time address of its instruction */
	uint64_t semaphore;    /* of a counter of who looks; 0: there is none */
};
/* A list in the target's arena. */
struct target_marks {
	struct target_mark *data;
	size_t n, cap;
};
/*
 * All marks of a file whose names match the globs; PROVIDER NULL: any. A '-' in a pattern is "__"
 * in names. By provider, name, address.
 */
void target_find_marks(const struct target_object *o, const char *provider, const char *name,
		       struct target_marks *ret);
/* An argument of a mark. */
struct target_mark_argument {
	struct fetch_program load; /* n == 0: it cannot be read */
	const char *problem;       /* then: why */
	uint8_t size;              /* bytes */
	bool is_signed;
};
/* The arguments in their order; returns how many, at most MAX. */
size_t target_mark_arguments(const struct target_object *o, const struct target_mark *mark,
			     struct target_mark_argument *ret, size_t max);

/* ---- variables ---- */

/*
 * Scopes: where a probe stands, which decides what variables exist and how they are reached. Making
 * one opens nothing; F and TP are copied. Never NULL. This one: at a function's entry, at an
 * inlined instance, or at a place in either.
 */
const struct target_scope *target_scope_entry(struct target *t, const struct target_function *f);
/* At a function's return: the only variable is $return; of Go, each result by its name too. */
const struct target_scope *target_scope_return(struct target *t, const struct target_function *f);
/* Is NAME, not "return", a result of a scope of a return? */
bool target_scope_has_result(const struct target_scope *scope, const char *name);
/* At a tracepoint: the variables are its arguments. */
const struct target_scope *target_scope_tracepoint(struct target *t,
						   const struct target_tracepoint *tp);
/* Where a system call begins: its parameters. CALL is copied. */
const struct target_scope *target_scope_syscall(struct target *t,
						const struct target_syscall *call);
/*
 * Where it is over: $return, and with HAS_ENTRY the parameters too, for the caller's registers
 * still have them.
 */
const struct target_scope *
target_scope_syscall_return(struct target *t, const struct target_syscall *call, bool has_entry);
/* How many arguments a tracepoint has; 0 when the kernel does not describe them. */
uint32_t target_tracepoint_args(const struct target_scope *scope);
const struct target_scope *target_scope_none(struct target *t); /* @cast, @var, @enum only */

/* A variable of a scope, for lists; values come from target_resolve(). */
struct target_variable {
	const char *name;  /* without $ */
	const char *ctype; /* as -L prints it: "struct file*", "char const*", "long int" */
	bool is_param;
	bool readable; /* false: optimised out here */
	const struct target_type *type;
};
/* A list in the target's arena. */
struct target_variables {
	struct target_variable *data;
	size_t n, cap;
};
/* In declaration order: parameters, then locals; for a return scope only "return" (nothing when
 * void). */
struct error *target_variables(struct target *t, const struct target_scope *scope,
			       struct target_variables *ret) ERROR_MUST_CHECK;
/*
 * The same in ARENA, without looking where they are: readable is not said. For lists of many
 * scopes; nothing is kept of SCOPE.
 */
struct error *target_variable_names(const struct target_scope *scope, struct arena *arena,
				    struct target_variables *ret) ERROR_MUST_CHECK;

/* One step of a path: ->member or [subscript]. */
struct target_access {
	const char *member; /* NULL: subscript */
	int operand;        /* subscript: FETCH_OPERAND number, or -1 */
	int64_t literal;    /* subscript with operand -1 */
};
/*
 * What a path starts from: a variable of the scope, a global by @var, an operand by @cast, or
 * @errno.
 */
enum target_base { TARGET_LOCAL, TARGET_GLOBAL /* @var */, TARGET_CAST, TARGET_ERRNO };
/* One question to target_resolve(). Borrowed for the call. */
struct target_query {
	enum target_base base;
	/*
	 * LOCAL: "x", "return"; GLOBAL: "x" ; CAST: type text "task_struct", "struct foo", "char*"
	 */
	const char *name;
	const char *file;   /* GLOBAL: CU path suffix, or NULL */
	const char *module; /* GLOBAL, CAST: "kernel", module, or NULL: the scope's */
	/*
	 * ERRNO: the file with the thread-local int of that name; the probe is in it, or about
	 * processes that run it
	 */
	const struct target_object *object;
	bool is_here, is_run;
	const struct target_type *type;   /* CAST with a known type (autocast): name is NULL */
	const struct target_access *path; /* CAST: operand 0 is the pointer (or value) being cast */
	size_t n_path;
	bool address_of; /* & */
};
/*
 * How a resolution ended. Each but TARGET_OK comes with the row of diag/messages.def that says
 * more.
 */
enum target_status {
	TARGET_OK,
	TARGET_NO_VARIABLE,
	TARGET_NO_MEMBER,
	TARGET_NO_TYPE,
	TARGET_BAD_ACCESS, /* a struct as a value, subscript of a non-array, ... */
	TARGET_UNREADABLE, /* optimised out, or several candidates */
	TARGET_NO_RETURN,
};
/*
 * The answer. Unless status is TARGET_OK only status, message, hint and perhaps type mean
 * something.
 */
struct target_value {
	enum target_status status;
	enum diag_tag tag;   /* status != OK: the row that says why */
	const char *message; /* status != OK: its text */
	const char *hint;    /* which package would help, or NULL */
	const char *lost;    /* UNREADABLE: the variable that has no location here, or NULL */
	/* value: scalar sign- or zero-extended to 64 bits; address for & */
	struct fetch_program load;
	struct fetch_program address;   /* n == 0 when it has none (register) */
	const struct target_type *type; /* of the value */
	uint8_t size;                   /* of the scalar */
	/*
	 * bits != 0: a store changes so many, from bit `at` on, of SIZE bytes at address, or of the
	 * register
	 */
	struct fetch_part field;
	bool is_signed;
	bool full_regs; /* fetch_needs_full_regs(load) */
};
/*
 * The value, or the address, of what Q names. ret->message is never NULL when status is not
 * TARGET_OK; a struct error is for broken files only, and leaves *ret untouched.
 */
struct error *target_resolve(struct target *t, const struct target_scope *scope,
			     const struct target_query *q,
			     struct target_value *ret) ERROR_MUST_CHECK;

/*
 * The line nearest to where SCOPE stands at which its variable NAME can be read, as "f@file:line";
 * NULL: there is none, or no debug information. For messages: it looks at all lines of the
 * function.
 */
const char *target_readable_at(const struct target_scope *scope, const char *name);

/*
 * A register of the kernel's machine, by its DWARF number, to which a probe in SCOPE stores: when
 * nothing reads it before it is overwritten, what it is called there, and in *ADDR where the probe
 * is; NULL: something does, or that is not known. Asked of a scope that target_resolve() has
 * answered for.
 */
const char *target_store_is_lost(const struct target_scope *scope, unsigned reg, uint64_t *addr);

/* ---- types ---- */
/* What a type is to a script, in DWARF and BTF alike. */
enum target_type_kind {
	TARGET_TYPE_INT,
	TARGET_TYPE_BOOL,
	TARGET_TYPE_CHAR,
	TARGET_TYPE_ENUM,
	TARGET_TYPE_FLOAT,
	TARGET_TYPE_POINTER,
	TARGET_TYPE_STRUCT,
	TARGET_TYPE_UNION,
	TARGET_TYPE_ARRAY,
	TARGET_TYPE_FUNCTION,
	TARGET_TYPE_VOID,
};
/* Typedefs and qualifiers are looked through. */
enum target_type_kind target_type_kind(const struct target_type *type);
const char *target_type_name(const struct target_type *type); /* C spelling as -L prints */
/*
 * Bytes; a struct that is only declared here is looked up where it is defined. 0: void, a function,
 * or unknown.
 */
uint64_t target_type_size(const struct target_type *type);
/* Does a fetch of it extend the sign? */
bool target_type_signed(const struct target_type *type);
/* POINTER, ARRAY element; else NULL */
const struct target_type *target_type_pointee(const struct target_type *type);
/* A pointer: does it lead to memory of the process? */
bool target_type_is_user(const struct target_type *type);
uint64_t target_type_count(const struct target_type *type); /* ARRAY: elements; 0 when open */
/*
 * What a member is of a type of which one variant at a time is there (DWARF 5, 5.7.10), as an enum
 * of Rust: the number that tells which, or a variant, of which VALUE is that number; or the one
 * that all other numbers mean.
 */
enum target_member_role { MEMBER_PLAIN, MEMBER_DISCRIMINANT, MEMBER_VARIANT, MEMBER_OTHERWISE };
/* bit_offset: from the start of the struct or union that it is a direct member of. */
struct target_member {
	const char *name; /* "" for anonymous */
	const struct target_type *type;
	uint64_t bit_offset;
	unsigned bits; /* bit-field width or 0 */
	enum target_member_role role;
	int64_t value; /* VARIANT: as a fetch of the discriminant gives it */
};
/*
 * The direct members in the order of the declaration, of a struct or union; returns how many. *ret
 * is NULL and the answer 0 of other kinds.
 */
size_t target_type_members(struct target *t, const struct target_type *type,
			   const struct target_member **ret);
/* A name and value of an enumeration. */
struct target_enumerator {
	const char *name;
	int64_t value; /* as a fetch of the type gives it */
};
/* ENUM, in the order of the declaration; 0 of other kinds. */
size_t target_type_enumerators(const struct target_type *type,
			       const struct target_enumerator **ret);
/*
 * @enum("NAME"): true, with its value in *value, when found in the scope's file, the kernel or the
 * scope's module, in this order; else *value is untouched.
 */
bool target_enumerator(const struct target_scope *scope, const char *name, int64_t *value);
/* An answer about a type by name; text is in the target's arena. */
struct target_type_result {
	const struct target_type *type; /* NULL: not found */
	enum diag_tag tag;              /* then: the row that says why */
	const char *message;            /* then: its text */
	const char *hint;               /* or NULL */
};
/*
 * A type as @cast names it: "enum e", in MODULE ("kernel", "nfs:kernel", "kernel<linux/fs.h>":
 * objects tried in turn) or, when that is NULL, where the scope is. Not found is an answer, not an
 * error.
 */
struct error *target_find_type(const struct target_scope *scope, const char *text,
			       const char *module, struct target_type_result *ret) ERROR_MUST_CHECK;
/*
 * Are they the same type to C, whichever object or debug information describes each? Typedefs and
 * qualifiers do not matter; structs, unions and enums are compared by tag.
 */
bool target_type_same(const struct target_type *a, const struct target_type *b);

#endif
