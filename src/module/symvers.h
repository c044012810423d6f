/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module.symvers: one line per exported symbol, "CRC \t NAME \t OWNER \t EXPORT_TYPE [\t
 * NAMESPACE]". Kernels without MODVERSIONS have zero CRCs. The map is read whole (25,000 lines in
 * 2-3 ms), so ask for it only when base.o cannot answer.
 */
#ifndef SPILE_MODULE_SYMVERS_H
#define SPILE_MODULE_SYMVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct symvers;

/* One export; the texts are in the mapped file and live as long as the symvers. */
struct symvers_entry {
	uint32_t crc;
	bool gpl_only;
	const char *owner; /* "vmlinux" or a module; not NUL-terminated */
	size_t owner_len;
	const char *space; /* namespace, not NUL-terminated */
	size_t space_len;  /* 0: none */
};

/* An unreadable or malformed file is an error naming file and line. */
struct error *symvers_open(const char *path, struct symvers **ret) ERROR_MUST_CHECK;
/* NULL is allowed. */
void symvers_close(struct symvers *sv);
/* False when NAME is not exported; *ret untouched. */
bool symvers_find(const struct symvers *sv, const char *name, struct symvers_entry *ret);
/* How many symbols are exported, for tests. */
size_t symvers_count(const struct symvers *sv);

#endif
