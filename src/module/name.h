/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's name in a finished file: base.o carries a placeholder of the longest length in
 * both places. module_rename() is declared in module.h.
 */
#ifndef SPILE_MODULE_NAME_H
#define SPILE_MODULE_NAME_H

#include <stdbool.h>

/* What a C identifier and a file name both allow, 1 to STP_MODULE_NAME_MAX characters. */
bool module_name_valid(const char *name);

#endif
