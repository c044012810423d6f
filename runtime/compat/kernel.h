/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What <linux/kernel.h> once declared and what has been split from it, for everybody alike:
 * 5.14 panic(); 6.4 hex_to_bin(), which it includes no longer since 7.0; 7.0 __trace_puts().
 */
#ifndef STP_COMPAT_KERNEL_H
#define STP_COMPAT_KERNEL_H

#include <linux/kernel.h>
#if __has_include(<linux/hex.h>)
#include <linux/hex.h>
#endif
#if __has_include(<linux/panic.h>)
#include <linux/panic.h>
#endif
#if __has_include(<linux/trace_printk.h>)
#include <linux/trace_printk.h>
#endif

#endif
