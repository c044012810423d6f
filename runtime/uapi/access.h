/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that may not be there: every fault is caught and raises "read fault [man error::fault] at
 * 0x...". Addresses of what the script was compiled for. Part of script.h.
 */
#ifndef STP_UAPI_ACCESS_H
#define STP_UAPI_ACCESS_H

#include "handler.h"

stp_long stp_read_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size,
			 int is_signed); /* size 1 2 4 8 */
stp_long stp_read_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed);
stp_long stp_peek(stp_u64 addr, stp_u32 size, int is_signed,
		  int user); /* --skip-badvars: 0 instead of the error */
void stp_write_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v); /* guru */
/* Bits of a word: so many, from bit at on, of size bytes. */
struct stp_field {
	stp_u8 bits, at, size;
};
void stp_write_bits(struct stp_ctx *c, int user, stp_u64 addr, struct stp_field field, stp_long v);
void stp_write_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v);
stp_u32 stp_access_size(
	struct stp_ctx *c,
	stp_long size); /* @kderef, @uderef of a computed size: 1, 2, 4, 8 or the error set */
/* @kregister, @uregister: the register with DWARF number n, or "register access fault" */
stp_long stp_register(struct stp_ctx *c, stp_long n, int user);
/* Quoted, escaped text of at most max bytes for $var$ of char* */
struct stp_str stp_quote_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 max);
/* run-time address of a link-time kernel address (KASLR) */
stp_u64 stp_kernel_address(stp_u64 link_addr);
/*
 * where the current process has what is linked at that address in the file of the point that was
 * hit
 */
stp_u64 stp_user_address(struct stp_ctx *c, stp_u64 link_addr);
/*
 * where it has what is linked at that address in the file of stp_script.mapped[n]; 0, which no read
 * survives: nowhere, or not known
 */
stp_u64 stp_mapped_address(struct stp_ctx *c, stp_u32 n, stp_u64 link_addr);
/* the thread pointer of the current task's program; 0: it is a kernel thread */
stp_u64 stp_thread_pointer(void);
/*
 * Where the current thread has its block of the variables of a module with thread-local storage,
 * which the C library has numbered. It has none yet, or there is no such module: an error, or 0.
 */
stp_u64 stp_thread_block(struct stp_ctx *c, stp_u64 module);
stp_u64 stp_peek_thread_block(stp_u64 module);
/*
 * run-time address of an offset in stp_script.sections[section - 1]; 0, which no read survives,
 * while it is not loaded
 */
stp_u64 stp_section_address(stp_u32 section, stp_u64 offset);
/*
 * address of this CPU's copy of the per-CPU object at addr; where a handler may sleep, of the CPU
 * it is on just now
 */
stp_u64 stp_percpu_address(stp_u64 addr);
/* the bits of an IEEE 754 binary32 as those of the same number in binary64 */
stp_u64 stp_float_widen(stp_u64 bits);

#endif
