/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D NAME=VALUE for the limits of language.md section 14; other names are C macros for embedded
 * code. */
#ifndef SPILE_DRIVER_LIMITS_H
#define SPILE_DRIVER_LIMITS_H

#include "base/error.h"
#include "codegen/codegen.h"

struct options;

struct limits {
	struct codegen_limits codegen;
	uint32_t max_map_entries;
};

struct error *limits_from_options(const struct options *options,
				  struct limits *ret) ERROR_MUST_CHECK;

#endif
