/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol table a kernel carries for itself (kernel/kallsyms.c, scripts/kallsyms.c), read out of
 * its image. No symbol says where its tables lie, so they are recognised by their structure; the
 * order of the tables changed in 6.4 and the meaning of the offsets with the configuration, and
 * both are found by trying which gives sense.
 */
#ifndef SPILE_TARGET_KALLSYMS_H
#define SPILE_TARGET_KALLSYMS_H

#include "target/image.h"

/*
 * What was recognised. Pointers are into the image; token_index is a copy, in the machine's byte
 * order.
 */
struct kallsyms_tables {
	const unsigned char *names, *end;
	const char *tokens;
	const unsigned char *tail; /* behind the token index */
	uint64_t align;
	uint16_t token_index[256];
	const unsigned char *offsets;
	uint64_t offsets_addr, base;
	uint32_t n;
	int encoding; /* how an offset becomes an address: kallsyms.c */
};

/* Error when the image has none. The tables point into the image. */
struct error *kallsyms_open(const struct image *img, struct kallsyms_tables *ret) ERROR_MUST_CHECK;

/* Every symbol in address order; name is valid during the call only. type as in /proc/kallsyms. */
void kallsyms_each(const struct kallsyms_tables *k,
		   void (*each)(void *arg, const char *name, char type, uint64_t addr), void *arg);

#endif
