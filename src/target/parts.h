/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of an index: a header, which has a row of this kind for each part, and the parts behind it,
 * arrays whose elements are in the file as they are in memory. Parts begin at multiples of 8.
 */
#ifndef SPILE_TARGET_PARTS_H
#define SPILE_TARGET_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* off: bytes from the file's start; n: elements. */
struct file_part {
	uint64_t off, n;
};

/* Reserves a part of N elements of SIZE bytes behind what has *FILE_SIZE, which grows. */
static inline struct file_part parts_reserve(uint64_t *file_size, size_t n, size_t size)
{
	struct file_part part = { *file_size, n };

	*file_size += (n * size + 7) & ~7ull;
	return part;
}

/*
 * Points RET[I] at each of N parts in LEN bytes at DATA, with elements of SIZES[I] bytes. The part
 * STRINGS must have some and end with a NUL. False: a part is not within the data, as in a damaged
 * file.
 */
static inline bool parts_attach(const unsigned char *data, size_t len,
				const struct file_part *parts, const size_t *sizes, size_t n,
				size_t strings, const void **ret)
{
	for (size_t i = 0; i < n; i++) {
		if (parts[i].off > len || parts[i].off % 8 ||
		    parts[i].n > (len - parts[i].off) / sizes[i])
			return false;
		ret[i] = data + parts[i].off;
	}
	return parts[strings].n && !((const char *)ret[strings])[parts[strings].n - 1];
}

#endif
