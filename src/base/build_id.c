/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and descriptions of notes are padded to 4 bytes. */
#include "base/build_id.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* To the next multiple of 4, which a uint32_t would not hold. */
static uint64_t padded(uint32_t n)
{
	return ((uint64_t)n + 3) & ~3ull;
}

bool build_id_find(const void *notes, size_t len, unsigned char ret[BUILD_ID_SIZE])
{
	const char *bytes = notes;
	uint64_t at = 0;

	while (at <= len && len - at >= sizeof(Elf64_Nhdr)) {
		uint64_t name = at + sizeof(Elf64_Nhdr), desc;
		Elf64_Nhdr note;

		memcpy(&note, bytes + at, sizeof(note));
		desc = name + padded(note.n_namesz);
		if (desc > len || note.n_descsz > len - desc)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    note.n_descsz == BUILD_ID_SIZE && !memcmp(bytes + name, "GNU", 4)) {
			memcpy(ret, bytes + desc, BUILD_ID_SIZE);
			return true;
		}
		at = desc + padded(note.n_descsz);
	}
	return false;
}

void build_id_hex(const unsigned char id[BUILD_ID_SIZE], char ret[BUILD_ID_HEX])
{
	for (int i = 0; i < BUILD_ID_SIZE; i++) {
		ret[2 * i] = "0123456789abcdef"[id[i] >> 4];
		ret[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	ret[2 * BUILD_ID_SIZE] = '\0';
}
