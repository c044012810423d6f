/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections that are compressed with zstd (gABI: ELFCOMPRESS_ZSTD), as linkers and Linux' own build
 * make them when asked: libelf is often built without it, and then has no such section. Those of
 * zlib are left to libelf.
 */
#ifndef SPILE_TARGET_IMAGE_UNPACK_H
#define SPILE_TARGET_IMAGE_UNPACK_H

#include <stddef.h>

#include "base/error.h"

struct image;

/*
 * The file of the image with these sections as they are unpacked, *LEN bytes on the heap (caller
 * frees); NULL: it has none. An error when one is damaged, without the file's name.
 */
struct error *image_unpack(const struct image *img, char **ret, size_t *len) ERROR_MUST_CHECK;

#endif
