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

#undef __DECLARE_TRACE
#undef __DECLARE_TRACE_SYSCALL
#define __DECLARE_TRACE(name, proto, ...)                                                          \
	void __traceiter_##name(void *__data, proto)                                               \
	{                                                                                          \
	}
#define __DECLARE_TRACE_SYSCALL(name, proto, ...) __DECLARE_TRACE(name, PARAMS(proto))
