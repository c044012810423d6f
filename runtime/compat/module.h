/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a loaded module, and its read-only data, notes included. One layout until 6.3;
 * since 6.4 (commit ac3b43283923, "module: replace module_layout with module_memory") each kind of
 * memory is by itself.
 */
#ifndef STP_COMPAT_MODULE_H
#define STP_COMPAT_MODULE_H

#include <linux/module.h>
#include "stp_features.h"

/*
 * The read-only data of a module that is loaded or being loaded, *len bytes. The caller sees to it
 * that it does not go.
 */
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

/* Bytes of a loaded module, without what was freed after its init function. */
struct stp_module_sizes {
	u32 text, rodata, data;
};

static inline struct stp_module_sizes stp_module_sizes(const struct module *mod)
{
#ifdef STP_HAVE_MODULE_MEMORY
	return (struct stp_module_sizes){
		.text = mod->mem[MOD_TEXT].size,
		.rodata = mod->mem[MOD_RODATA].size + mod->mem[MOD_RO_AFTER_INIT].size,
		.data = mod->mem[MOD_DATA].size,
	};
#else
	return (struct stp_module_sizes){
		.text = mod->core_layout.text_size,
		.rodata = mod->core_layout.ro_after_init_size - mod->core_layout.text_size,
		.data = mod->core_layout.size - mod->core_layout.ro_after_init_size,
	};
#endif
}

#endif
