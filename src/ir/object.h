/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a script's points and addresses are in, as rows of the module's tables: objects (vmlinux,
 * modules, programs and shared libraries) and, of modules, their sections, each of which has its
 * own slide at run time. A program has one section, which is not in a table: where it is, is each
 * process's own. Made by target/, one of each for every object and section, so that they are
 * compared by address; constant, and alive as long as the target.
 */
#ifndef SPILE_IR_OBJECT_H
#define SPILE_IR_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* vmlinux, a module, or a file that processes run. */
struct ir_object {
	const char *name; /* of the module; NULL: vmlinux, or a file */
	const char *path; /* of the file, absolute; NULL: it is the kernel's */
	unsigned char build_id[20];
	bool has_build_id;
	/*
	 * of a file: the offset of the build-id's bytes in it, its size, and when it was changed,
	 * in seconds
	 */
	uint64_t build_id_at, size;
	int64_t mtime;
};

/* A section of a module, with what the runtime needs to find where it was loaded. */
struct ir_section {
	const struct ir_object *object;
	const char *name;       /* ".text"; NULL: all of a file, by link-time addresses */
	const char *anchor;     /* a symbol in it whose name is unique in the module */
	uint64_t anchor_offset; /* from the section's start */
	uint64_t size;          /* bytes; of a module's */
	/*
	 * of a file: what the current process has mapped of it, wherever a probe was hit; else
	 * where it has the file that the point is in. Its code begins at anchor_offset in the file,
	 * and is linked at anchor_addr.
	 */
	bool is_mapped;
	uint64_t anchor_addr;
	/*
	 * its dynamic section, as struct stp_mapped has it, and where its build-id is linked; 0:
	 * nowhere
	 */
	uint64_t dynamic, dynamic_sum, build_id;
};

/* A piece of the kernel's code: SIZE bytes from ADDR, linked in vmlinux or an offset in SECTION. */
struct ir_text_range {
	const struct ir_section *section; /* NULL: vmlinux */
	uint64_t addr, size;
};

/* All of one function. */
struct ir_text_ranges {
	struct ir_text_range *data;
	size_t n, cap;
};

/*
 * Which record of a goroutine tells one call of a Go function from another: in a register, or the
 * thread's.
 */
enum ir_go { IR_GO_NONE, IR_GO_REGISTER, IR_GO_THREAD };

/* How an instruction leaves a function. */
enum ir_exit_kind {
	IR_EXIT_RETURN,
	IR_EXIT_JUMP, /* it may go to another function, whose return is then its own */
	IR_EXIT_LEAF, /* to one that calls nothing: its return address may be replaced */
};

/* An instruction that leaves a function, by its offset in the file. */
struct ir_exit {
	uint64_t offset;
	enum ir_exit_kind kind;
};

/* All of one function. */
struct ir_exits {
	struct ir_exit *data;
	size_t n, cap;
	enum ir_go go;
	bool is_partial; /* it may jump to a function that is not known, or not in the file */
};

#endif
