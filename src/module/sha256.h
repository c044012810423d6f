/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 (FIPS 180-4), for names of cached files. */
#ifndef SPILE_MODULE_SHA256_H
#define SPILE_MODULE_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t h[8];
	uint64_t len;
	unsigned char block[64];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *data, size_t len);
/* hex digits (at most 64) of the digest, and a NUL; ends s */
void sha256_hex(struct sha256 *s, char *out, size_t digits);

#endif
