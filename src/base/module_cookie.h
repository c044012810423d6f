/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which one a loaded module is, by what whoever loaded it drew for it. */
#ifndef SPILE_BASE_MODULE_COOKIE_H
#define SPILE_BASE_MODULE_COOKIE_H

/*
 * The parameter _cookie (runtime/uapi/wire.h) of the loaded module, by which it is told from
 * another of its name; only root can read it. 0: nobody drew any, no such module is loaded, or /sys
 * is not mounted.
 */
unsigned long long module_cookie(const char *name);

#endif
