/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module whose only code is its init function, with as many bytes more as NOPS has: it is its
 * section's last.
 */
#include <linux/module.h>

static int padding_value = 42;

static int __init padding_init(void)
{
	int value = READ_ONCE(padding_value);

	asm volatile(NOPS);
	WRITE_ONCE(padding_value, value + 1);
	return 0;
}

module_init(padding_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("code up to the end of its section");
