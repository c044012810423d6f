// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fault-safe reads and writes. The kernel exports nofault copies for all but writes to its own
 * memory; for those its own fault-table macro is used, as copy_to_kernel_nofault() does.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include "access/access.h"
#include "arch/arch.h"

/**
 * stp_copy_from - read memory that may not be there
 * @space: STP_USER: the current task's; begin, end and error handlers have the reader's, or none
 *	when it has gone (core/session.c)
 *
 * Returns 0, or -EFAULT with @to written in part. A page that is not present is a fault: nothing is
 * brought in. Context: any handler; does not sleep.
 */
int stp_copy_from(enum stp_space space, void *to, u64 from, u32 n)
{
	if (space == STP_KERNEL && unlikely(!stp_arch_kernel_range(from, n)))
		return -EFAULT;
	if (space == STP_KERNEL)
		return copy_from_kernel_nofault(to, (void *)(unsigned long)from, n) ? -EFAULT : 0;
	if (unlikely(!current->mm))
		return -EFAULT; /* a kernel thread borrows the memory of whoever ran before */
	return copy_from_user_nofault(to, (void __user *)(unsigned long)from, n) ? -EFAULT : 0;
}

static int write_kernel(u64 to, const void *from, u32 n)
{
	char *at = (char *)(unsigned long)to;
	const char *bytes = from;

	if (!stp_arch_kernel_range(to, n))
		return -EFAULT;
	pagefault_disable();
	for (; n >= 8; n -= 8, at += 8, bytes += 8)
		__put_kernel_nofault(at, bytes, u64, fault);
	if (n >= 4) {
		__put_kernel_nofault(at, bytes, u32, fault);
		n -= 4;
		at += 4;
		bytes += 4;
	}
	if (n >= 2) {
		__put_kernel_nofault(at, bytes, u16, fault);
		n -= 2;
		at += 2;
		bytes += 2;
	}
	if (n)
		__put_kernel_nofault(at, bytes, u8, fault);
	pagefault_enable();
	return 0;
fault:
	pagefault_enable();
	return -EFAULT;
}

/**
 * stp_copy_to - write memory that may not be there, or not be writable
 *
 * Returns 0, or -EFAULT with a part written. Memory the kernel maps read-only faults: that mapping
 * is respected. Only guru mode gets here. Context: any handler; does not sleep.
 */
int stp_copy_to(enum stp_space space, u64 to, const void *from, u32 n)
{
	if (space == STP_KERNEL)
		return write_kernel(to, from, n);
	if (unlikely(!current->mm))
		return -EFAULT;
	return copy_to_user_nofault((void __user *)(unsigned long)to, from, n) ? -EFAULT : 0;
}

/**
 * stp_copy_string - read a string of at most @n bytes
 * @to: gets no NUL
 *
 * Returns the length, or -EFAULT when a byte before the NUL, and within @n, cannot be read. Steps
 * end at 64-byte boundaries, so none reads beyond the page of the string's own bytes.
 *
 * Context: any handler; does not sleep.
 */
int stp_copy_string(enum stp_space space, char *to, u64 from, u32 n)
{
	u32 done = 0;

	while (done < n) {
		u32 step = min_t(u32, 64 - ((from + done) & 63), n - done), len;

		if (stp_copy_from(space, to + done, from + done, step))
			return -EFAULT;
		len = strnlen(to + done, step);
		done += len;
		if (len < step)
			return done;
	}
	return done;
}

static void read_fault(struct stp_ctx *c, u64 addr)
{
	stp_errorf(c, "read fault [man error::fault] at 0x%llx", addr);
}

static stp_long extend(u64 v, u32 size, int is_signed)
{
	u32 shift = 64 - 8 * size;

	return is_signed ? (s64)(v << shift) >> shift : (s64)(v << shift >> shift);
}

static stp_long read_word(struct stp_ctx *c, enum stp_space space, u64 addr, u32 size,
			  int is_signed)
{
	u64 v = 0;

	if (stp_copy_from(space, &v, addr, size)) {
		read_fault(c, addr);
		return 0;
	}
	return extend(v, size, is_signed);
}

/**
 * stp_read_kernel - a number in kernel memory
 *
 * Context: any handler.
 */
stp_long stp_read_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)
{
	return read_word(c, STP_KERNEL, addr, size, is_signed);
}

/**
 * stp_read_user - a number in the current process's memory
 *
 * Context: any handler.
 */
stp_long stp_read_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, int is_signed)
{
	return read_word(c, STP_USER, addr, size, is_signed);
}

/**
 * stp_peek - a number in memory, 0 where it cannot be read
 *
 * Context: any handler.
 */
stp_long stp_peek(stp_u64 addr, stp_u32 size, int is_signed, int user)
{
	u64 v = 0;

	if (stp_copy_from(user ? STP_USER : STP_KERNEL, &v, addr, size))
		return 0;
	return extend(v, size, is_signed);
}

static void write_word(struct stp_ctx *c, enum stp_space space, u64 addr, u32 size, stp_long v)
{
	if (stp_copy_to(space, addr, &v, size))
		stp_errorf(c, "write fault [man error::fault] at 0x%llx", addr);
}

/**
 * stp_write_kernel - set a number in kernel memory
 *
 * Context: any handler.
 */
void stp_write_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v)
{
	write_word(c, STP_KERNEL, addr, size, v);
}

/**
 * stp_write_user - set a number in the current process's memory
 *
 * Context: any handler.
 */
void stp_write_user(struct stp_ctx *c, stp_u64 addr, stp_u32 size, stp_long v)
{
	write_word(c, STP_USER, addr, size, v);
}

/**
 * stp_write_bits - set a bit-field in memory of the kernel, or of the current process
 *
 * The word is read and written again: what others store to its other bits meanwhile is lost, as in
 * C. Context: any handler.
 */
void stp_write_bits(struct stp_ctx *c, int user, stp_u64 addr, struct stp_field field, stp_long v)
{
	enum stp_space space = user ? STP_USER : STP_KERNEL;
	u64 mask = (field.bits < 64 ? (1ULL << field.bits) - 1 : ~0ULL) << field.at, word = 0;

	if (stp_copy_from(space, &word, addr, field.size)) {
		stp_errorf(c, "write fault [man error::fault] at 0x%llx", addr);
		return;
	}
	write_word(c, space, addr, field.size, (word & ~mask) | (((u64)v << field.at) & mask));
}

/**
 * stp_access_size - a size that the script computed: 1, 2, 4 or 8, else the error is set
 *
 * Context: any handler.
 */
stp_u32 stp_access_size(struct stp_ctx *c, stp_long size)
{
	if (size == 1 || size == 2 || size == 4 || size == 8)
		return size;
	stp_errorf(c, "size of a memory access is %lld, not 1, 2, 4 or 8", size);
	return 1;
}

/**
 * stp_quote_kernel - quoted text of a kernel string, for $var$
 *
 * Context: any handler. 0xADDR when it cannot be read.
 */
struct stp_str stp_quote_kernel(struct stp_ctx *c, stp_u64 addr, stp_u32 max)
{
	return stp_quote_string(c, STP_KERNEL, addr, max, stp_script.max_string);
}
