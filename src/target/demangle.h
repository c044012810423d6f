/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of C++ (Itanium C++ ABI, 5.1) and Rust (v0 and the older form) as the names of the source, by libiberty. */
#ifndef SPILE_TARGET_DEMANGLE_H
#define SPILE_TARGET_DEMANGLE_H

#include "base/arena.h"

/* "ns::shape::area", without parameters; NULL: SYMBOL is no such encoding. */
const char *demangle(struct arena *arena, const char *symbol);

#endif
