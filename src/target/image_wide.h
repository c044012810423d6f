/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF files of 32 bits in the form of 64, so that nothing behind image.h knows two forms. Widened
 * are the headers, and the first symbol table, dynamic symbol table and dynamic section; all else
 * is bytes, and stays in the file. Structures are those of the System V gABI, chapters 4 and 5.
 */
#ifndef SPILE_TARGET_IMAGE_WIDE_H
#define SPILE_TARGET_IMAGE_WIDE_H

#include "target/image.h"

/*
 * Sets ehdr, sections, segments and wide of an image whose bytes are an ELF file of 32 bits,
 * little-endian. What its header says of tables that are not in the file leaves them NULL; of a
 * file that is neither executable nor library nothing is set. image_wide_destroy() is for every
 * outcome.
 */
struct error *image_widen(struct image *img) ERROR_MUST_CHECK;
void image_wide_destroy(struct image_wide *wide);
/*
 * The bytes of a section that is widened; its header has their size. NULL: they are in the file, or
 * WIDE is NULL.
 */
const unsigned char *image_wide_section(const struct image_wide *wide, size_t index);

#endif
