/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The DWARF index as a file: where it is kept, that it is whole, and look-ups in it. Making it is
 * dwarf_build.c's work, in a child process. A kept file counts only when its seal holds
 * (base/seal.h) and it is of this build-id and file size.
 */
#include "target/dwarf_index.h"

#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/file.h"
#include "base/seal.h"
#include "target/kept_file.h"

/* Bytes of one element of each part. */
static const size_t element_size[DWARF_PARTS] = {
	[DWARF_STRINGS] = 1,
	[DWARF_FUNCTIONS] = sizeof(struct dwarf_function),
	[DWARF_COPIES] = sizeof(struct dwarf_copy),
	[DWARF_BY_PC] = sizeof(uint32_t),
	[DWARF_VARIABLES] = sizeof(struct dwarf_variable),
	[DWARF_TYPES] = sizeof(struct dwarf_type),
};

/*
 * Points the tables into the mapping; false when the file is of another version or of something
 * else, or damaged. Indexes within tables are checked where they are used.
 */
static bool attach(struct dwarf_index *ix, uint64_t image_size,
		   const unsigned char build_id[BUILD_ID_SIZE])
{
	const struct dwarf_index_header *h = (const void *)ix->map.data;
	const void *parts[DWARF_PARTS];

	if (ix->map.len < sizeof(*h) || memcmp(h->magic, DWARF_INDEX_MAGIC, sizeof(h->magic)) ||
	    h->version != DWARF_INDEX_VERSION || h->header_size != sizeof(*h) ||
	    h->file_size != ix->map.len || h->image_size != image_size ||
	    memcmp(h->build_id, build_id, BUILD_ID_SIZE))
		return false;
	if (!parts_attach(ix->map.data, ix->map.len, h->parts, element_size, DWARF_PARTS,
			  DWARF_STRINGS, parts))
		return false;
	ix->strings = parts[DWARF_STRINGS];
	ix->strings_len = h->parts[DWARF_STRINGS].n;
	ix->functions = parts[DWARF_FUNCTIONS];
	ix->n_functions = h->parts[DWARF_FUNCTIONS].n;
	ix->copies = parts[DWARF_COPIES];
	ix->n_copies = h->parts[DWARF_COPIES].n;
	ix->by_pc = parts[DWARF_BY_PC];
	ix->n_by_pc = h->parts[DWARF_BY_PC].n;
	ix->variables = parts[DWARF_VARIABLES];
	ix->n_variables = h->parts[DWARF_VARIABLES].n;
	ix->types = parts[DWARF_TYPES];
	ix->n_types = h->parts[DWARF_TYPES].n;
	return true;
}

const char *dwarf_index_missing(const struct dwarf_index *ix)
{
	const struct dwarf_index_header *h = (const void *)ix->map.data;

	return dwarf_index_string(ix, h->missing);
}

const char *dwarf_index_missing_id(const struct dwarf_index *ix)
{
	const struct dwarf_index_header *h = (const void *)ix->map.data;

	return dwarf_index_string(ix, h->missing_id);
}

/* Has the file that the index at PATH lacks come since it was made? */
static bool has_come(const struct dwarf_index *ix, const char *path)
{
	const char *missing = dwarf_index_missing(ix);
	struct stat it, index;

	return *missing && !stat(missing, &it) && !stat(path, &index) &&
	       it.st_ctime >= index.st_mtime;
}

/* The seal has been checked by the caller. */
static bool open_kept(const char *path, uint64_t image_size,
		      const unsigned char build_id[BUILD_ID_SIZE], struct dwarf_index *ret)
{
	struct dwarf_index ix = { 0 };
	struct error *err = file_map_open(path, &ix.map);

	if (err) {
		error_destroy(err); /* not made yet */
		return false;
	}
	if (!ix.map.data || !attach(&ix, image_size, build_id) || has_come(&ix, path)) {
		file_map_close(&ix.map);
		return false;
	}
	*ret = ix;
	return true;
}

/* What is to be scanned, for the maker of the file. */
struct scan {
	const char *path;
	const unsigned char *build_id;
	bool is_program;
};

static struct error *scan(void *arg, const char *out)
{
	const struct scan *s = arg;

	return dwarf_index_build(s->path, s->build_id, s->is_program, out);
}

/* CACHE_DIR/dwarf-BUILDID.VERSION */
static const char *kept_path(struct arena *arena, const unsigned char build_id[BUILD_ID_SIZE],
			     const char *cache_dir)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(build_id, hex);
	return path_join(arena, cache_dir,
			 arena_printf(arena, "dwarf-%s.%u", hex, DWARF_INDEX_VERSION));
}

bool dwarf_index_open_kept(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
			   const char *cache_dir, struct dwarf_index *ret)
{
	struct arena *scratch = arena_create();
	struct stat st;
	const char *kept = kept_path(scratch, build_id, cache_dir);
	bool ok = stat(path, &st) == 0 && seal_holds(kept) &&
		  open_kept(kept, st.st_size, build_id, ret);

	arena_destroy(scratch);
	return ok;
}

bool dwarf_index_is_from(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
			 const char *cache_dir)
{
	struct dwarf_index ix;
	bool ret;

	if (!dwarf_index_open_kept(path, build_id, cache_dir, &ix))
		return false;
	ret = ((const struct dwarf_index_header *)(const void *)ix.map.data)->image ==
	      file_identity(path);
	dwarf_index_close(&ix);
	return ret;
}

struct error *dwarf_index_make(const char *path, const unsigned char build_id[BUILD_ID_SIZE],
			       const char *cache_dir, bool is_program, struct dwarf_index *ret)
{
	struct arena *scratch = arena_create();
	const char *file = kept_path(scratch, build_id, cache_dir);
	struct scan what = { path, build_id, is_program };
	struct error *err = ret ? kept_file_make_apart(file, path, scan, &what)
				: kept_file_make(file, path, scan, &what);

	if (!err && ret && !dwarf_index_open_kept(path, build_id, cache_dir, ret))
		err = error_create("%s: the index just made is not readable", file);
	arena_destroy(scratch);
	return err;
}

void dwarf_index_close(struct dwarf_index *ix)
{
	file_map_close(&ix->map);
	*ix = (struct dwarf_index){ 0 };
}

const char *dwarf_index_string(const struct dwarf_index *ix, uint32_t off)
{
	return off < ix->strings_len ? ix->strings + off : "";
}

/* The first of N elements of SIZE bytes, sorted by the name at OFFSET, that is not before NAME. */
static size_t lower_bound(const struct dwarf_index *ix, const void *elements, size_t size,
			  size_t offset, size_t n, const char *name)
{
	const char *names = (const char *)elements + offset;

	return bisect(i, n,
		      strcmp(dwarf_index_string(ix, *(const uint32_t *)(names + i * size)), name) <
			      0);
}

size_t dwarf_index_lower_bound(const struct dwarf_index *ix, const char *name)
{
	return lower_bound(ix, ix->functions, sizeof(*ix->functions),
			   offsetof(struct dwarf_function, name), ix->n_functions, name);
}

size_t dwarf_index_lower_variable(const struct dwarf_index *ix, const char *name)
{
	return lower_bound(ix, ix->variables, sizeof(*ix->variables),
			   offsetof(struct dwarf_variable, name), ix->n_variables, name);
}

/*
 * The last function that begins at or before PC; its end is that of its first part (dwarf_build.c).
 */
const struct dwarf_function *dwarf_index_at(const struct dwarf_index *ix, uint64_t pc)
{
	size_t low = 0, high = ix->n_by_pc;
	const struct dwarf_function *f;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (ix->by_pc[mid] >= ix->n_functions)
			return NULL;
		if (ix->functions[ix->by_pc[mid]].pc <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	f = low ? &ix->functions[ix->by_pc[low - 1]] : NULL;
	return f && (pc == f->pc || pc < f->end) ? f : NULL;
}
