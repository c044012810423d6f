/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many frames of a stack are shown, of the kernel, of a task and of a program alike:
 * MAXBACKTRACE of the reference, which is no option here.
 */
#ifndef STP_UAPI_DEPTH_H
#define STP_UAPI_DEPTH_H

#define STP_BACKTRACE_DEPTH 20

#endif
