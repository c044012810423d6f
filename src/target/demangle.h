/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of C++ (Itanium C++ ABI, 5.1) and Rust (v0 and the older form) as the names of the
 * source, by libiberty.
 */
#ifndef SPILE_TARGET_DEMANGLE_H
#define SPILE_TARGET_DEMANGLE_H

#include "base/arena.h"

/* A symbol of 200 bytes can stand for one of 100 MB, each part of it for two of the one before. */
#define DEMANGLE_MAX 65536

/*
 * "ns::shape::area", without parameters; NULL: SYMBOL is no such encoding, or of a name of more
 * than DEMANGLE_MAX bytes.
 */
const char *demangle(struct arena *arena, const char *symbol);
/*
 * What stands behind that NAME of SYMBOL: "(int, char const*) const". NULL: it has no parameters,
 * as a name of Rust.
 */
const char *demangle_parameters(struct arena *arena, const char *symbol, const char *name);

#endif
