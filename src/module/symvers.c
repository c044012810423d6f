/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file stays mapped; the table holds where each name stands. Fields behind the name are parsed
 * when asked for, since of 25,000 symbols a module uses thirty.
 */
#include "module/symvers.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/intern.h"

/* One symbol in the hash table. */
struct symbol {
	uint32_t off; /* of the name; 0 is free, since the CRC stands first */
	uint32_t hash;
	uint16_t len;
	uint32_t crc;
};

struct symvers {
	struct file_map map;
	struct symbol *buckets;
	size_t n_buckets; /* power of two */
	size_t n;
};

/* "0x" and hexadecimal digits, as modpost writes them. */
static bool parse_crc(const char *p, const char *end, uint32_t *ret)
{
	uint32_t crc = 0;

	if (end - p < 3 || p[0] != '0' || p[1] != 'x')
		return false;
	for (p += 2; p < end; p++) {
		unsigned digit;

		if (*p >= '0' && *p <= '9')
			digit = (unsigned)(*p - '0');
		else if ((*p | 32) >= 'a' && (*p | 32) <= 'f')
			digit = (unsigned)((*p | 32) - 'a' + 10);
		else
			return false;
		crc = crc << 4 | digit;
	}
	*ret = crc;
	return true;
}

static void insert(struct symvers *sv, struct symbol symbol)
{
	size_t i = symbol.hash & (sv->n_buckets - 1);

	while (sv->buckets[i].off)
		i = (i + 1) & (sv->n_buckets - 1);
	sv->buckets[i] = symbol;
	sv->n++;
}

/* One line, without its newline; false when it is none of Module.symvers. */
static bool parse_line(struct symvers *sv, const char *start, const char *p, const char *end)
{
	const char *name = memchr(p, '\t', (size_t)(end - p)), *tab;
	struct symbol symbol;

	if (!name || !parse_crc(p, name, &symbol.crc))
		return false;
	name++;
	tab = memchr(name, '\t', (size_t)(end - name));
	if (!tab || tab == name || tab - name > UINT16_MAX ||
	    !memchr(tab + 1, '\t', (size_t)(end - tab - 1)))
		return false;
	symbol.off = (uint32_t)(name - start);
	symbol.len = (uint16_t)(tab - name);
	symbol.hash = hash_bytes(name, symbol.len);
	insert(sv, symbol);
	return true;
}

/* Builds the table, at most half full. */
static struct error *parse(struct symvers *sv, const char *path)
{
	const char *start = (const char *)sv->map.data, *p = start, *end = start + sv->map.len;
	size_t lines = 0;

	for (const char *nl = p; nl && nl < end && (nl = memchr(nl, '\n', (size_t)(end - nl)));
	     nl++)
		lines++;
	for (sv->n_buckets = 64; sv->n_buckets < lines * 2;)
		sv->n_buckets *= 2;
	sv->buckets = calloc(sv->n_buckets, sizeof(*sv->buckets));
	if (!sv->buckets)
		return &error_no_memory;
	for (lines = 1; p < end; lines++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nl || !parse_line(sv, start, p, nl))
			return error_hint(
				error_create("%s:%zu: not a line of exported symbols", path, lines),
				"the kernel's build tree looks damaged; install its headers "
				"package again");
		p = nl + 1;
	}
	if (!sv->n)
		return error_hint(error_create("%s lists no exported symbols", path),
				  "the kernel's build tree looks incomplete; install its headers "
				  "package again");
	return NULL;
}

struct error *symvers_open(const char *path, struct symvers **ret)
{
	struct symvers *sv = calloc(1, sizeof(*sv));
	struct error *err;

	if (!sv)
		return &error_no_memory;
	err = file_map_open(path, &sv->map);
	if (!err && sv->map.len > UINT32_MAX)
		err = error_create("%s is too large", path);
	if (!err)
		err = parse(sv, path);
	if (err) {
		symvers_close(sv);
		return err;
	}
	*ret = sv;
	return NULL;
}

void symvers_close(struct symvers *sv)
{
	if (!sv)
		return;
	file_map_close(&sv->map);
	free(sv->buckets);
	free(sv);
}

/* The fields behind the name. parse_line() has checked that owner and type are there. */
static void split_rest(const char *p, const char *end, struct symvers_entry *ret)
{
	const char *tab = memchr(p, '\t', (size_t)(end - p));
	const char *type = tab + 1;

	ret->owner = p;
	ret->owner_len = (size_t)(tab - p);
	tab = memchr(type, '\t', (size_t)(end - type));
	if (!tab)
		tab = end;
	/* EXPORT_SYMBOL_GPL, and EXPORT_SYMBOL_GPL_FUTURE, EXPORT_UNUSED_SYMBOL_GPL of old */
	ret->gpl_only = memmem(type, (size_t)(tab - type), "_GPL", 4) != NULL;
	ret->space = tab < end ? tab + 1 : end;
	ret->space_len = (size_t)(end - ret->space);
}

bool symvers_find(const struct symvers *sv, const char *name, struct symvers_entry *ret)
{
	size_t len = strlen(name);
	uint32_t hash = hash_bytes(name, len);
	const char *start = (const char *)sv->map.data, *end = start + sv->map.len;

	for (size_t i = hash & (sv->n_buckets - 1); sv->buckets[i].off;
	     i = (i + 1) & (sv->n_buckets - 1)) {
		const struct symbol *symbol = &sv->buckets[i];
		const char *p = start + symbol->off;

		if (symbol->hash != hash || symbol->len != len || memcmp(p, name, len))
			continue;
		p += len + 1;
		ret->crc = symbol->crc;
		split_rest(p, memchr(p, '\n', (size_t)(end - p)), ret);
		return true;
	}
	return false;
}

size_t symvers_count(const struct symvers *sv)
{
	return sv->n;
}
