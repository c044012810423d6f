// SPDX-License-Identifier: GPL-2.0-or-later
/* Gone with 5.11. */
#include <linux/ktime.h>
#include <linux/timekeeping.h>

unsigned long test(void);
unsigned long test(void)
{
	return get_seconds();
}
