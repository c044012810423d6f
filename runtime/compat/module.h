/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The read-only data of a loaded module, notes included. One layout until 6.3; since 6.4 (commit ac3b43283923,
 * "module: replace module_layout with module_memory") each kind of memory is by itself.
 */
#ifndef STP_COMPAT_MODULE_H
#define STP_COMPAT_MODULE_H

#include <linux/module.h>
#include "stp_features.h"

static inline const char *stp_module_rodata(const struct module *mod, size_t *len)
{
#ifdef STP_HAVE_MODULE_MEMORY
	*len = mod->mem[MOD_RODATA].size;
	return mod->mem[MOD_RODATA].base;
#else
	*len = mod->core_layout.ro_size - mod->core_layout.text_size;
	return (const char *)mod->core_layout.base + mod->core_layout.text_size;
#endif
}

#endif
