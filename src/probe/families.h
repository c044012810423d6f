/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The objects of families.def: each file of this folder defines one, and match.c lists them. They
 * are constant. Nothing else in src/ includes it: driver/ sees probe_catalog only.
 */
#ifndef SPILE_PROBE_FAMILIES_H
#define SPILE_PROBE_FAMILIES_H

#include "probe/family.h"

#define FAMILY(name) extern const struct probe_family probe_family_##name;
#include "probe/families.def"
#undef FAMILY

#endif
