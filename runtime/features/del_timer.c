// SPDX-License-Identifier: GPL-2.0-or-later
/* del_timer(), a function, then a wrapper of timer_delete(), and gone with 6.15. */
#include <linux/timer.h>

int test(struct timer_list *t);
int test(struct timer_list *t)
{
	return del_timer(t) + del_timer_sync(t);
}
