// SPDX-License-Identifier: GPL-2.0-or-later
/* Since 6.4 (commit ac3b43283923) each kind of memory of a module is a row of mem[]. */
#include <linux/module.h>

unsigned long test(struct module *mod);
unsigned long test(struct module *mod)
{
	return (unsigned long)mod->mem[MOD_RODATA].base;
}
