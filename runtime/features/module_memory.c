// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/module.h>

unsigned long test(struct module *mod);
unsigned long test(struct module *mod)
{
	return (unsigned long)mod->mem[MOD_RODATA].base;
}
