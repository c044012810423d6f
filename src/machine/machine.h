/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the machines that Spile can probe: one row of data each, in a file of its
 * own (x86_64.c, aarch64.c, i386.c). What is code and not data is in target/decode.c and
 * target/uprobe_insn.c (instructions of x86) and target/mark_argument.c (operands as an assembler
 * writes them); nothing else that looks into kernels and programs knows a register, an address or
 * an instruction of a machine. How modules are built is in struct module_arch (module/kernel.h),
 * how kernels are packed and started in unpack/kernel_image.c and remote/qemu.c, the kernel side in
 * runtime/arch.
 *
 * Registers go by their DWARF numbers everywhere; those of the calling convention and of system
 * calls are such numbers too. A register's value at a probe is a member of struct stp_regs
 * (runtime/uapi/regs_MACHINE.h), which is the kernel's struct pt_regs. All rows are constant and
 * live for ever. How to add one: src/HACKING.
 */
#ifndef SPILE_MACHINE_MACHINE_H
#define SPILE_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One DWARF register number. A number that the ABI reserves has a row without a name. */
struct machine_register {
	const char *name; /* as the ABI document spells it: "rax", "xmm0", "x19" */
	/* the member of struct stp_regs that holds it; NULL: it has no value at a probe */
	const char *field;
	uint16_t offset; /* of that member, in bytes */
	bool at_entry;   /* ftrace saves it at a function's entry without saving all registers */
};

/*
 * A register, or a part of one, as assembler code names it: "eax" is the low 4 bytes of register 0.
 */
struct machine_operand {
	const char *name;
	uint16_t number; /* DWARF */
	uint8_t size;    /* bytes */
	uint8_t shift;   /* bits of the register below it */
};

/* How the kernel's C passes arguments and results: integers, pointers and aggregates of them. */
struct machine_convention {
	const uint16_t *arguments; /* registers in which they come, one word each */
	uint8_t n_arguments;
	/* more registers in which a function may ask for arguments (regparm of GCC) */
	const uint16_t *asked;
	uint8_t n_asked;
	uint16_t results[2];  /* first and second word */
	uint16_t first_float; /* the first register in which floating-point values come and go */
	uint8_t n_floats;
	/* at the return: holds the address of a result in memory; -1: none does */
	int16_t result_address;
	bool result_is_argument; /* that address is passed as a hidden first argument */
	/* an aggregate over two words: the address of a copy is passed in its place */
	bool large_by_reference;
	/*
	 * a word of a structure of up to two that is all floating point goes to such a register, of
	 * x86-64 (System V ABI, AMD64 supplement, 3.2.3, "Classification")
	 */
	bool words_have_classes;
	bool pairs_are_even; /* an integer of two words begins at an even register */
	/*
	 * registers that a function leaves as they were; none: what is done to registers is not
	 * followed
	 */
	const uint16_t *saved;
	uint8_t n_saved;
	uint16_t x87_result;   /* words have classes: where a number of the x87 is returned */
	bool stack_is_aligned; /* an argument of more than a word begins there at its alignment */
	/* registers of parameters in functions that keep to Microsoft's convention ("ms_abi") */
	const uint16_t *microsoft;
	uint8_t n_microsoft;
	bool stack_is_final; /* once one is on the stack, all that follow are */
	/* an aggregate of any size is returned in memory, as one over two words is elsewhere */
	bool aggregates_in_memory;
};

/*
 * In which registers Go passes arguments, and by the same list results, one word each
 * (cmd/compile/abi-internal.md).
 */
struct machine_go {
	const uint16_t *registers;
	uint8_t n_registers; /* 0: it does not */
	uint8_t n_floats;
	uint16_t first_float;
};

/*
 * One way to call the kernel, and its wrappers of system calls: each takes one argument, the struct
 * pt_regs of the caller.
 */
struct machine_syscalls {
	const char *prefix;    /* "__x64_" of "__x64_sys_openat" */
	uint16_t arguments[6]; /* registers */
	bool is_compat;        /* callers are 32-bit programs: a word of theirs has 4 bytes */
};

/*
 * A system call of a machine, as its users count them: a row of runtime/uapi/syscalls_MACHINE.def.
 */
struct machine_call {
	uint8_t abi; /* the wrappers it comes by: machine.syscalls[abi] */
	uint16_t number;
	const char *name;
	const char *entries; /* functions, separated by blanks, without the wrapper's prefix */
	/* has the first n_like parameters of that entry; NULL: of one by its own name */
	const char *like;
	uint8_t n_like;
};

/*
 * A type of relocation that debug sections have: it sets a field of so many bytes to symbol +
 * addend; of none, nothing.
 */
struct machine_relocation {
	uint32_t type; /* R_MACHINE_* */
	uint8_t width;
};

/*
 * Where programs have thread-local variables: ELF Handling For Thread-Local Storage. Those of the
 * program itself are in a block beside what the thread pointer leads to. Where a library's are,
 * words that the dynamic linker fills in tell: relocations of these types.
 */
struct machine_threads {
	bool known;  /* false: none is read */
	bool below;  /* the program's block ends where the thread pointer leads (variant II) */
	uint8_t gap; /* else: bytes from there to it, before it is aligned (variant I) */
	uint32_t
		/* the distance of a variable, or of the library's block, from the thread pointer */
		to_thread;
	uint32_t to_module; /* the number by which a thread's block of a library is found */
};

/* How the machine's assembler writes operands; of UNKNOWN, marks have no arguments. */
enum machine_syntax { MACHINE_SYNTAX_UNKNOWN, MACHINE_SYNTAX_ATT, MACHINE_SYNTAX_ARM };

/* A machine. Sizes are in bytes. */
struct machine {
	const char *name; /* uname -m */
	/*
	 * of Debian's library directories (/usr/lib/TRIPLET), as dpkg-architecture -q
	 * DEB_HOST_MULTIARCH says it
	 */
	const char *triplet;
	uint16_t e_machine; /* ELF header */
	uint8_t word;       /* of an address, and of a register */
	/*
	 * Programs of this machine run on kernels of that one, whose struct pt_regs has their
	 * registers, the fields of which are wider; NULL: it has kernels of its own. Of a machine
	 * with a carrier, what follows from convention on is about programs alone.
	 */
	const struct machine *carrier;
	/*
	 * instructions are those of Intel 64 and IA-32, in the mode of its word; of others none is
	 * decoded
	 */
	bool is_x86;
	/*
	 * of its relocatable files (modules, separate debug information); without rows: these are
	 * not read
	 */
	const struct machine_relocation *relocations;
	uint8_t n_relocations;
	const struct machine_register *registers; /* by DWARF number */
	uint16_t n_registers;
	const struct machine_operand *operands; /* those that have a value at a probe */
	uint16_t n_operands;
	enum machine_syntax syntax; /* of the operands of marks */
	uint16_t stack_pointer, frame_pointer;
	/*
	 * the column of the return address in call frame information, which is in the word below
	 * the CFA; 0: it is not so
	 */
	uint16_t return_column;
	/* canonical frame address less stack pointer, before the first instruction */
	uint8_t cfa_at_entry;
	/*
	 * before the first instruction: holds where the function returns to; where cfa_at_entry is
	 * not 0, its address
	 */
	uint16_t return_address;
	struct machine_convention convention;
	struct machine_go go;
	struct machine_threads threads;
	const struct machine_syscalls *syscalls; /* the machine's own calls first */
	uint8_t n_syscalls;
	const struct machine_call *calls; /* in no order */
	uint16_t n_calls;
	/*
	 * Bytes at a function's entry: ftrace's patchable call, and the landing pad for indirect
	 * branches before it.
	 */
	uint8_t fentry_size, landing_size;
	uint8_t landing[4]; /* landing_size of them */
	/*
	 * Where the direct call leads that begins at ADDR with CODE, of which LEN bytes, one or
	 * more, can be read; 0: it is none. Calls begin at multiples of call_alignment. NULL: they
	 * are not recognized.
	 */
	uint64_t (*call_target)(const unsigned char *code, uint64_t len, uint64_t addr);
	uint8_t call_alignment;
	/*
	 * How names of functions begin that compilers call to branch without a prediction, and of
	 * those of them that return.
	 * NULL: there are none.
	 */
	const char *thunks, *return_thunks;
	/*
	 * The jump in an entry of a procedure linkage table: these bytes, then the distance from
	 * its end to the word that has the function's address (4 bytes, signed). Of 0 bytes:
	 * entries are not understood.
	 */
	uint8_t plt_jump[4], n_plt_jump;
	/*
	 * entries that bind lazily have so many bytes, a power of two, and push a word at one of
	 * them (frame_rules.c of target/); 0: such entries are not understood
	 */
	uint8_t lazy_plt_entry;
	/* the relocation of a word for what a function chooses (IFUNC); 0: it is not known */
	uint32_t to_chosen;
	/*
	 * Where the image is taken to be linked when there is no file of it: its lowest address,
	 * and its text.
	 */
	uint64_t kernel_base, kernel_text;
	/*
	 * places that a processor watches for its kernel at once; 0: the kernel cannot go on behind
	 * a watched access
	 */
	uint8_t n_watchpoints;
};

/* The rows, one file each; machine.c lists them for the two look-ups below. */
extern const struct machine machine_x86_64, machine_aarch64, machine_i386;

/*
 * The machine of an ELF header's e_machine (EM_*), of kernels or programs; NULL: Spile knows no
 * such machine.
 */
const struct machine *machine_by_elf(uint16_t e_machine);
/* The machine of kernels of that name, as uname -m spells it; NULL: Spile knows no such machine. */
const struct machine *machine_by_name(const char *name);

/* The row of a DWARF register number; NULL: the machine has no such register. */
const struct machine_register *machine_register(const struct machine *m, uint64_t number);

/* The machine whose kernel runs programs of M. */
const struct machine *machine_of_kernel(const struct machine *m);
/*
 * The number that a register with a value at a probe has on the machine of the kernel. NUMBER is
 * one of M.
 */
uint16_t machine_carried(const struct machine *m, uint16_t number);

/*
 * The row of a register as assembler code names it, LEN bytes without prefix; NULL: it has no value
 * at a probe.
 */
const struct machine_operand *machine_operand(const struct machine *m, const char *name,
					      size_t len);

/*
 * The wrapper that FUNCTION ("__x64_sys_openat", "__ia32_compat_sys_openat") is; *name is then
 * "sys_openat" or "compat_sys_openat" within FUNCTION.
 * NULL, with *name untouched: FUNCTION is no wrapper of a system call.
 */
const struct machine_syscalls *machine_syscall(const struct machine *m, const char *function,
					       const char **name);

#endif
