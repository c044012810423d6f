/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runtime must know of the machine; one header each, chosen here, and the only place where
 * its registers, instructions and address ranges are named. The compiler's counterpart is
 * src/machine. A header defines:
 *
 *	STP_ARCH_REGS_SAME(X)		X(member) of struct stp_regs and struct pt_regs that must lie alike
 *	STP_ARCH_ENTRY_MARK		bytes of the landing pad for indirect branches that a function may begin with, behind which kprobes go
 *	STP_ARCH_FTRACE_OFFSETS		what may lie between a function's address and that of ftrace's call, 0 included
 *	stp_arch_argument(r, n)		the nth argument register, from 0, or NULL when there are not so many
 *	stp_arch_result(r)		the register that a result comes in
 *	stp_arch_result_at(r)		where that is in the set
 *	STP_ARCH_REGISTER_PARTS(X)	X(name, member, bytes) for other names of registers than those of STP_REGISTERS, and of parts
 *	stp_arch_is_32bit(task)		whether its program has addresses of 32 bits
 *	stp_arch_pc(r), stp_arch_sp(r), stp_arch_fp(r)
 *	STP_ARCH_SIGNAL_CONTEXT		bytes from the stack pointer, when a signal handler has returned, to the registers of what it interrupted,
 *	STP_ARCH_SIGNAL_PC, _SP, _FP	and where those are in there
 *	stp_arch_syscall_abi()		of the current task's system call: 0 the machine's own, 1 that of 32-bit programs
 *	stp_arch_syscall_number(nr)	the number as the table of its kind of program has it
 *	stp_arch_syscall_of_uprobes(regs)	is it no call of the program's, but a uprobe's way in?
 *	STP_ARCH_SYSCALLS		the file with the names of system calls, for #include
 *	STP_ARCH_KPROBES_DECODE		1: the kernel decodes the function around a kprobe; padding.c
 *	STP_ARCH_TRAP			a byte that is a breakpoint, where that is so
 *	STP_ARCH_RETURN_WORDS		words that a return takes from the stack, and that lie below the arguments there: the return address, or 0
 *	stp_arch_user_word(r)		bytes of a word of the program that has these registers, all of which are saved; programs of less than 8
 *					have all arguments on the stack
 *	stp_arch_go_g(r)		where Go has the record of the goroutine that runs, when that is a register
 *	stp_arch_go_thread_g()		the address of where else the thread has it; 0: nowhere
 *	stp_arch_thread_pointer()	the thread pointer of the current task's program; the task is no kernel thread
 *	STP_ARCH_DTV			bytes from there to where GNU's C library has the address of the thread's blocks of thread-local storage
 *	stp_arch_link(r)		else the register that holds the return address at a function's entry
 *	STP_ARCH_SLEEPER_SP		where the struct task_struct of a task that does not run has its stack pointer,
 *	STP_ARCH_SLEEPER_PC, _FP	and at what offset its frame's other registers are: with STP_ARCH_SLEEPER_ON_STACK from that stack
 *	STP_ARCH_SLEEPER_SIZE		pointer, in so many bytes that are the frame's; else from the struct task_struct
 *	STP_ARCH_STACK_PADDING		bytes between a kernel stack's end and the registers there
 *	stp_arch_task_stack(sp)		whether an address of a stack that is not the interrupts' is of some task's, as far as the address tells
 *	stp_arch_kernel_range(addr, n)	whether n bytes there may be read as the kernel's, as far as the address tells
 *	stp_arch_ftrace_location(addr, code)	where ftrace's call is in the function at addr, which begins with code,
 *					STP_ARCH_FTRACE_CODE bytes
 *	stp_arch_ftrace_calls(code)	whether so many bytes of code there are the call: something is attached
 *
 * Registers are struct stp_regs, whose DWARF numbers are in uapi/regs_MACHINE.h. Context: any
 * handler.
 */
#ifndef STP_ARCH_ARCH_H
#define STP_ARCH_ARCH_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/types.h>
#include "uapi/script.h"

#if defined(__x86_64__)
#include "arch/x86_64.h"
#elif defined(__aarch64__)
#include "arch/aarch64.h"
#else
#error "no runtime/arch header for this machine"
#endif

#endif
