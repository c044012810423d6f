// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Thread-local storage of the current thread: its thread pointer, and the blocks that GNU's C
 * library has for it of modules that came with dlopen(3). They are found by a vector of two words
 * an entry, which glibc's libthread_db reads in the same way for debuggers: before the first entry
 * stands how many there are, and a block that has not been made yet is at -1
 * (sysdeps/generic/dl-dtv.h of glibc).
 */
#include <linux/sched.h>
#include "access/access.h"
#include "arch/arch.h"

#define ENTRY_SIZE 16
#define NO_BLOCK ((u64)-1)

/**
 * stp_thread_pointer - the thread pointer of the current task's program
 *
 * 0, which no read survives, of a kernel thread. Context: any handler.
 */
stp_u64 stp_thread_pointer(void)
{
	return current->mm && !(current->flags & PF_KTHREAD) ? stp_arch_thread_pointer() : 0;
}

static int read_word(u64 addr, u64 *ret)
{
	return stp_copy_from(STP_USER, ret, addr, sizeof(*ret));
}

/*
 * 0: there is none. The vector is as long as it was when the thread last grew it: a module beyond
 * that has not been used by it.
 */
static u64 block_of(u64 module)
{
	u64 thread = stp_thread_pointer(), vector, length, block;

	if (!thread || !module || read_word(thread + STP_ARCH_DTV, &vector) ||
	    read_word(vector - ENTRY_SIZE, &length) || module > length ||
	    read_word(vector + module * ENTRY_SIZE, &block) || block == NO_BLOCK)
		return 0;
	return block;
}

/**
 * stp_thread_block - where the current thread has the variables of a module
 *
 * Context: any handler.
 */
stp_u64 stp_thread_block(struct stp_ctx *c, stp_u64 module)
{
	u64 block = block_of(module);

	if (!block)
		stp_error(c, "this thread has not used the library's thread-local variables yet");
	return block;
}

/**
 * stp_peek_thread_block - the same without an error
 *
 * Context: any handler.
 */
stp_u64 stp_peek_thread_block(stp_u64 module)
{
	return block_of(module);
}
