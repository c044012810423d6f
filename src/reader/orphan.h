/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun removes the module when we are done. When it was killed, we do. */
#ifndef SPILE_READER_ORPHAN_H
#define SPILE_READER_ORPHAN_H

#include "reader/messages.h"

/*
 * The control channel is closed already. COOKIE: the module's (base/module_cookie.h), another of
 * its name is left alone; 0: not known. Waits a bounded time; failure is reported.
 */
void orphan_remove_module(struct messages *m, const char *module, unsigned long long cookie);

#endif
