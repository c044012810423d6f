/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is probed: one kernel (a release installed here, an unpacked tree, or the running one by
 * what it tells) as a set of objects, vmlinux and its modules, and the programs and shared
 * libraries that are asked for: their functions, tracepoints, types and variables. As long as only
 * programs and libraries are asked about, none of the kernel's files is opened. The only folder
 * that looks into DWARF, BTF and kallsyms, and into ELF for what is probed; whoever asks sees
 * names, addresses in objects, types by handle, and fetch programs (ir/fetch.h). ELF is known
 * besides to base/build_id.c, to those who handle the module (module/object.c, loader/image.c) and
 * boot kernels (remote/guest_kernel.c), and by its header alone to probe/process_files.c.
 *
 * This header opens and closes a target. What is asked of one is in a header for each subject:
 * objects.h, functions.h, tracepoints.h, syscalls.h, marks.h, variables.h and types.h.
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
#include <stdint.h>

#include "base/error.h"

struct arena;
struct machine;
/*
 * A kernel that is looked into; one owner, who closes it. Not safe for use by several threads:
 * answers are found on first use and kept.
 */
struct target;

/* Strings are copied; the callbacks and their argument must live as long as the target. */
struct target_options {
	const char *release; /* uname -r form; NULL with root: the only one there */
	const char *root;    /* unpacked packages (-r /DIR) or NULL: this machine */
	const char *cache_dir;
	/* SYSTEMTAP_DEBUGINFO_PATH: instead of the usual folders; NULL: those */
	const char *debuginfo_path;
	bool ask_servers; /* of debug information (DEBUGINFOD_URLS), when it is not installed */
	bool no_dwarf;    /* tests and comparison: pretend none is installed */
	bool files_only;  /* the kernel is not looked for: a machine need not have its image */
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
	const char *tracepoint_header; /* runtime/compat/tracepoint_prototypes.h, or NULL */
	void *progress_arg;            /* of them all */
};

/*
 * Finds the kernel's files; opens nothing big yet. Fails when the release has no kernel image
 * anywhere (hint names the package). *ret is set on success only; target_close() it.
 */
struct error *target_open(const struct target_options *options,
			  struct target **ret) ERROR_MUST_CHECK;
/* Frees the target and all that it returned. NULL: nothing. */
void target_close(struct target *t);
/*
 * The machine of the code that is probed. NULL as long as no kernel or program has been loaded,
 * since only its file says which machine it is for.
 */
const struct machine *target_machine(const struct target *t);
/*
 * The same for who cannot wait until something is loaded: then, and when T is NULL, the machine
 * that stap runs on. NULL: it has no row in machine/.
 */
const struct machine *target_system_machine(struct target *t);
/*
 * Is usable debug information of vmlinux installed, or of a module when MODULE is not NULL? The
 * first call looks for it, and may make its index, which takes a second. When MODULE is a pattern
 * the answer is that for vmlinux, since one package has the debug information of both.
 */
bool target_has_dwarf(struct target *t, const char *module);
/*
 * A number that changes whenever a file changes from which functions of vmlinux and their variables
 * are known: a key for answers that are kept. 0: nothing may be kept, because there is no such
 * file, no whole debug information, or no build-id. Looks for debug information as
 * target_has_dwarf() does.
 */
uint64_t target_kernel_identity(struct target *t);
/*
 * Such a number for functions and variables of modules: of the one that MODULE names, or of all
 * that match it as a pattern. It is not 0 without debug information, but becomes 0 when debug
 * information that is there turns out to be damaged or incomplete.
 */
uint64_t target_modules_identity(struct target *t, const char *module);
/*
 * A file that has the place of vmlinux's debug information, or of a module's when MODULE is not
 * NULL, and is not of this kernel: a text; NULL: none was met. After target_has_dwarf().
 */
const char *target_debuginfo_refused(struct target *t, const char *module);
/* Package that would add debuginfo, for hints: "linux-image-6.1.0-56-amd64-dbg". */
const char *target_debuginfo_package(struct target *t);
/*
 * Is NAME ("ext4", '-' and '_' alike) a module of the kernel, built in, loaded or installed? Looks
 * through its directory.
 */
bool target_has_module(struct target *t, const char *name);

#endif
