/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol index as a file: that it is whole, where it is kept, and look-ups in it. Making it is
 * done in index_build.c, index_module.c and live.c. Look-ups check what they read from tables, so
 * that a damaged file gives wrong answers at worst.
 */
#include "target/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/seal.h"
#include "target/index_format.h"

/* Bytes of one element of each part. */
static const size_t element_size[INDEX_PARTS] = {
	[INDEX_STRINGS] = 1,
	[INDEX_SYMBOLS] = sizeof(struct index_symbol),
	[INDEX_BY_ADDR] = sizeof(uint32_t),
	[INDEX_BTF_OFFSETS] = sizeof(uint32_t),
	[INDEX_BTF_NAMES] = sizeof(struct btf_name),
	[INDEX_TRACEPOINTS] = sizeof(struct index_tracepoint),
	[INDEX_SECTIONS] = sizeof(struct index_section),
	[INDEX_BTF] = 1,
};

/*
 * Points the tables into DATA; false when the file is not an index of what has that identity, or is
 * damaged.
 */
static bool attach(struct index *ix, const unsigned char *data, size_t len, uint64_t identity)
{
	const struct index_header *h = (const void *)data;
	const void *tables[INDEX_PARTS];

	if (len < sizeof(*h) || memcmp(h->magic, INDEX_MAGIC, sizeof(h->magic)) ||
	    h->version != INDEX_VERSION || h->header_size != sizeof(*h) || h->file_size != len ||
	    h->identity != identity)
		return false;
	if (!parts_attach(data, len, h->parts, element_size, INDEX_PARTS, INDEX_STRINGS, tables) ||
	    h->parts[INDEX_BY_ADDR].n != h->parts[INDEX_SYMBOLS].n)
		return false;
	ix->data = data;
	ix->strings = tables[INDEX_STRINGS];
	ix->strings_len = h->parts[INDEX_STRINGS].n;
	ix->symbols = tables[INDEX_SYMBOLS];
	ix->n_symbols = h->parts[INDEX_SYMBOLS].n;
	ix->by_addr = tables[INDEX_BY_ADDR];
	ix->btf_offsets = tables[INDEX_BTF_OFFSETS];
	ix->n_btf_offsets = h->parts[INDEX_BTF_OFFSETS].n;
	ix->btf_names = tables[INDEX_BTF_NAMES];
	ix->n_btf_names = h->parts[INDEX_BTF_NAMES].n;
	ix->tracepoints = tables[INDEX_TRACEPOINTS];
	ix->n_tracepoints = h->parts[INDEX_TRACEPOINTS].n;
	ix->sections = tables[INDEX_SECTIONS];
	ix->n_sections = h->parts[INDEX_SECTIONS].n;
	ix->btf = tables[INDEX_BTF];
	ix->btf_len = h->parts[INDEX_BTF].n;
	return true;
}

bool index_open_kept(const char *path, uint64_t identity, struct index *ret)
{
	struct file_map map = { 0 };
	struct index ix = { 0 };
	struct error *err;

	if (!seal_holds(path))
		return false;
	err = file_map_open(path, &map);

	if (err) {
		error_destroy(err); /* not made yet */
		return false;
	}
	if (!map.data || !attach(&ix, map.data, map.len, identity)) {
		file_map_close(&map);
		return false;
	}
	ix.map = map;
	*ret = ix;
	return true;
}

bool index_open_borrowed(const unsigned char *data, size_t len, uint64_t identity,
			 struct index *ret)
{
	struct index ix = { .is_borrowed = true };

	if (!attach(&ix, data, len, identity))
		return false;
	*ret = ix;
	return true;
}

struct error *index_open_bytes(char *bytes, size_t len, struct index *ret)
{
	const struct index_header *h = (const void *)bytes;
	struct index ix = { 0 };

	if (!attach(&ix, (unsigned char *)bytes, len, len < sizeof(*h) ? 0 : h->identity)) {
		free(bytes);
		return error_create("the symbol index just made is not readable");
	}
	*ret = ix;
	return NULL;
}

void index_keep(const struct index *ix, const char *path)
{
	struct error *unkept = seal_write_data(path, ix->data, index_header(ix)->file_size);

	error_destroy(unkept);
}

/* The build-id is in the name of the file; it is checked all the same. */
static bool open_kept_image(const char *path, const struct image *img, struct index *ret)
{
	if (!index_open_kept(path, img->map.len, ret))
		return false;
	if (!memcmp(index_header(ret)->build_id, img->build_id, BUILD_ID_SIZE))
		return true;
	index_close(ret);
	return false;
}

/* Kept as symbols-BUILDID.VERSION; an image without build-id is indexed each time. */
struct error *index_open(const struct image *img, const char *system_map, const char *cache_dir,
			 struct index *ret)
{
	struct arena *scratch = arena_create();
	struct error *err = NULL;
	const char *path = NULL;
	char hex[BUILD_ID_HEX], *bytes;
	size_t len;

	build_id_hex(img->build_id, hex);
	if (cache_dir && img->has_build_id)
		path = path_join(scratch, cache_dir,
				 arena_printf(scratch, "symbols-%s.%u", hex, INDEX_VERSION));
	if (path && open_kept_image(path, img, ret))
		goto out;
	err = index_build(img, system_map, &bytes, &len);
	if (!err)
		err = index_open_bytes(bytes, len, ret);
	if (!err && path) {
		error_destroy(dir_create_all(cache_dir));
		index_keep(ret, path);
	}
out:
	arena_destroy(scratch);
	return err;
}

const struct index_header *index_header(const struct index *ix)
{
	return (const void *)ix->data;
}

void index_close(struct index *ix)
{
	if (ix->map.data)
		file_map_close(&ix->map);
	else if (!ix->is_borrowed)
		free((void *)ix->data);
	*ix = (struct index){ 0 };
}

const char *index_string(const struct index *ix, uint32_t off)
{
	return off < ix->strings_len ? ix->strings + off : "";
}

size_t index_lower_bound(const struct index *ix, const char *name)
{
	return bisect(i, ix->n_symbols, strcmp(index_string(ix, ix->symbols[i].name), name) < 0);
}

const struct index_symbol *index_find(const struct index *ix, const char *name)
{
	size_t i = index_lower_bound(ix, name);

	return i < ix->n_symbols && !strcmp(index_string(ix, ix->symbols[i].name), name)
		       ? &ix->symbols[i]
		       : NULL;
}

/* The symbol at place I of the order by address; NULL when the table is damaged. */
static const struct index_symbol *by_addr(const struct index *ix, size_t i)
{
	return ix->by_addr[i] < ix->n_symbols ? &ix->symbols[ix->by_addr[i]] : NULL;
}

/* *end is where the next symbol of any kind begins, UINT64_MAX behind the last. */
const struct index_symbol *index_at(const struct index *ix, uint64_t addr, uint64_t *end)
{
	size_t low = 0, high = ix->n_symbols;
	const struct index_symbol *best = NULL, *s, *last;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		s = by_addr(ix, mid);
		if (!s)
			return NULL;
		if (s->addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	s = low < ix->n_symbols ? by_addr(ix, low) : NULL;
	*end = s ? s->addr : UINT64_MAX;
	/* of several names prefer one that BTF knows, then any that is no alias */
	last = low ? by_addr(ix, low - 1) : NULL;
	for (size_t i = low; last && i > 0; i--) {
		s = by_addr(ix, i - 1);
		if (!s || s->addr != last->addr)
			break;
		if (s->flags & SYMBOL_TEXT &&
		    (!best || s->flags & SYMBOL_IN_BTF || best->flags & SYMBOL_ALIAS))
			best = s;
	}
	return best;
}

/*
 * The address behind a section's last byte is in it too: sections are a byte apart (image.c), and
 * end symbols point there.
 */
const struct index_section *index_section_at(const struct index *ix, uint64_t addr)
{
	size_t low = bisect(i, ix->n_sections, ix->sections[i].addr <= addr);
	const struct index_section *s = low ? &ix->sections[low - 1] : NULL;

	return s && addr - s->addr <= s->size ? s : NULL;
}

/* A name that begins with a dot has no base but itself. */
size_t symbol_base_length(const char *name)
{
	const char *dot = strchr(name, '.');

	return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

const char *symbol_clone_suffix(const char *name)
{
	static const char *const marks[] = { ".isra.", ".part.", ".constprop.", ".cold", ".llvm." };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (strstr(name, marks[i]))
			return strstr(name, marks[i]);
	return "";
}

bool symbol_is_split_rest(const char *name)
{
	return strstr(name, ".part.") != NULL;
}

bool symbol_is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R') && name[2];
}

bool symbol_is_hidden(const char *name)
{
	const char *cold;

	if (!strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6))
		return true;
	cold = strstr(name, ".cold");
	return cold && (!cold[5] || cold[5] == '.');
}
