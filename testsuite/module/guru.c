/* SPDX-License-Identifier: GPL-2.0-or-later */
/* a unit as embedded C makes it: kernel headers, and a symbol the runtime does not use itself */
#include <linux/string_helpers.h>
#include <linux/sched.h>
#include "script.h"

stp_long stp_test_embedded(struct stp_ctx *c);

stp_long stp_test_embedded(struct stp_ctx *c)
{
	char *quoted = kstrdup_quotable_cmdline(current, GFP_KERNEL);
	stp_long len = quoted ? (stp_long)strlen(quoted) : 0;

	kfree(quoted);
	return len;
}
