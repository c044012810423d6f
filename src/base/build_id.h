/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids: the bytes by which a linker names what it linked (NT_GNU_BUILD_ID of the gABI's
 * notes). Those of kernels and modules are SHA-1 sums; others are taken for none.
 */
#ifndef SPILE_BASE_BUILD_ID_H
#define SPILE_BASE_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

#define BUILD_ID_SIZE 20
#define BUILD_ID_HEX (2 * BUILD_ID_SIZE + 1) /* as text, with its NUL */

/*
 * The first build-id among NOTES, the bytes of a note section of this machine's byte order, which
 * need not be aligned; false: there is none up to the first note that is damaged, *ret is
 * untouched.
 */
bool build_id_find(const void *notes, size_t len, unsigned char ret[BUILD_ID_SIZE]);
/* In lower-case hexadecimal, terminated. */
void build_id_hex(const unsigned char id[BUILD_ID_SIZE], char ret[BUILD_ID_HEX]);

#endif
