/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The identity of the symbol index's file: raise the version with every change of layout or
 * meaning.
 */
#ifndef SPILE_TARGET_INDEX_FORMAT_H
#define SPILE_TARGET_INDEX_FORMAT_H

#define INDEX_MAGIC "SPILESYM"
#define INDEX_VERSION 9u

#endif
