/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For kernels that do not describe the parameters of their tracepoints (no BTF): behind this, what
 * <trace/events/SYSTEM.h> declares becomes a function for each of its tracepoints, with the
 * parameters of the kernel's own __traceiter_NAME. Compiled for its types alone
 * (src/target/headers.c); no part of any module.
 *
 * __DECLARE_TRACE is what all macros for tracepoints come to, in every version; the words behind
 * the parameters differ. __DECLARE_TRACE_SYSCALL came with 6.13.
 */
#include <linux/tracepoint.h>
#include <linux/types.h>
#include <linux/uuid.h>

/*
 * Integers that a system's own sources name, outside the headers of the kernel: fs/ext4/ext4.h,
 * fs/f2fs/f2fs.h, net/rxrpc/protocol.h, fs/afs/afs.h. Where they mean another integer the headers
 * do not compile, and parameters of the system stay unknown.
 */
typedef __u32 ext4_lblk_t;
typedef unsigned long long ext4_fsblk_t;
typedef int ext4_grpblk_t;
typedef unsigned int ext4_group_t;
typedef u32 block_t;
typedef u32 nid_t;
typedef u32 rxrpc_seq_t;
typedef u32 rxrpc_serial_t;
typedef u64 afs_volid_t;

#undef __DECLARE_TRACE
#undef __DECLARE_TRACE_SYSCALL
#define __DECLARE_TRACE(name, proto, ...)                                                          \
	void __traceiter_##name(void *__data, proto)                                               \
	{                                                                                          \
	}
#define __DECLARE_TRACE_SYSCALL(name, proto, ...) __DECLARE_TRACE(name, PARAMS(proto))
