// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module the kernel may call into for ever: what it was attached to is not given back.
 */
#include <linux/module.h>
#include "compat/portable.h"
#include "core/internal.h"

/**
 * stp_keep_loaded - something may call into the module for ever: it is not removed
 * @why: for the kernel's log
 *
 * Its removal fails from now on, and what the caller still has registered must stay as it is.
 * Context: process, before the module goes.
 */
void stp_keep_loaded(const char *why)
{
	if (try_module_get(THIS_MODULE))
		stp_log("stays loaded until the machine is started again: %s", why);
	else
		stp_log("goes although it may still be called: %s", why);
}
