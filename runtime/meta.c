// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What modpost would write into NAME.mod.c: struct module, vermagic, the name. It is the same for
 * every script but for the name, a placeholder of the longest length that is overwritten in the
 * finished file. The version table (MODVERSIONS) is made from Module.symvers and linked beside
 * this.
 *
 * Compiled without the precompiled header, since vermagic.h wants a macro before it.
 */
#define INCLUDE_VERMAGIC
#include <linux/module.h>
#include <linux/vermagic.h>
#include <linux/compiler.h>
#if __has_include(<linux/build-salt.h>)
#include <linux/build-salt.h>
#endif
#if __has_include(<linux/elfnote-lto.h>)
#include <linux/elfnote-lto.h>
#endif
#if defined(CONFIG_UNWINDER_ORC) && __has_include(<asm/orc_header.h>)
#include <asm/orc_header.h>
#endif
#include "uapi/wire.h"

#define PLACEHOLDER "spile_module_name_placeholder_of_55_characters_________"
_Static_assert(sizeof(PLACEHOLDER) == STP_MODULE_NAME_MAX + 1 &&
		       sizeof(PLACEHOLDER) <= MODULE_NAME_LEN,
	       "name field");

#ifdef BUILD_SALT
BUILD_SALT;
#endif
#ifdef BUILD_LTO_INFO
BUILD_LTO_INFO;
#endif
#ifdef ORC_HEADER
ORC_HEADER;
#endif

MODULE_INFO(vermagic, VERMAGIC_STRING);
MODULE_INFO(name, PLACEHOLDER);
MODULE_INFO(depends, "");
#if defined(CONFIG_RETPOLINE) || defined(CONFIG_MITIGATION_RETPOLINE)
MODULE_INFO(retpoline, "Y");
#endif

__visible struct module __this_module __section(".gnu.linkonce.this_module") = {
	.name = PLACEHOLDER,
	.init = init_module,
#ifdef CONFIG_MODULE_UNLOAD
	.exit = cleanup_module,
#endif
	.arch = MODULE_ARCH_INIT,
};
