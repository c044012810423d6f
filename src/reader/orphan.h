/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun removes the module when we are done. When it was killed, we do. */
#ifndef SPILE_READER_ORPHAN_H
#define SPILE_READER_ORPHAN_H

#include "reader/messages.h"

/* The control channel is closed already. Waits a bounded time; failure is reported. */
void orphan_remove_module(struct messages *m, const char *module);

#endif
