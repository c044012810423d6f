// SPDX-License-Identifier: GPL-2.0-or-later
/* Until 6.16 __trace_puts() was told the size of its string. */
#include <linux/kernel.h>
#if __has_include(<linux/trace_printk.h>)
#include <linux/trace_printk.h>
#endif

int test(const char *s);
int test(const char *s)
{
	return __trace_puts(_THIS_IP_, s, 1);
}
