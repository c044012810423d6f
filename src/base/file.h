/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files, directories, atomic replacement, temporary directories, and paths. */
#ifndef SPILE_BASE_FILE_H
#define SPILE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arena;

/* Read all of PATH into the heap (caller frees); NUL added after len bytes. */
struct error *file_read(const char *path, char **ret, size_t *len) ERROR_MUST_CHECK;
/* Write through a temporary beside PATH, fsync-free, and rename: readers see the old or the new file, never a part.
 * On failure (a full disk included) nothing is left behind. */
struct error *file_write_atomic(const char *path, const void *data, size_t len,
				unsigned mode) ERROR_MUST_CHECK;
struct error *file_copy(const char *from,
			const char *to) ERROR_MUST_CHECK;        /* atomic in the same sense */
struct error *dir_create_all(const char *path) ERROR_MUST_CHECK; /* mkdir -p, 0755 */
struct error *dir_remove_all(const char *path) ERROR_MUST_CHECK; /* rm -r */
struct error *dir_create_temp(struct arena *arena, const char *prefix,
			      char **ret) ERROR_MUST_CHECK; /* $TMPDIR */
struct error *dir_create_temp_in(struct arena *arena, const char *dir, const char *prefix,
				 char **ret) ERROR_MUST_CHECK;
bool file_exists(const char *path);
/* Standard descriptors that the caller left closed become /dev/null, read-only: no file opened later takes their place,
 * and writing to them still fails. For the start of main(). */
void file_guard_standard(void);

/* Read-only mapping of a file; data NULL for an empty file. */
struct file_map {
	const unsigned char *data;
	size_t len;
};
struct error *file_map_open(const char *path, struct file_map *ret) ERROR_MUST_CHECK;
void file_map_close(struct file_map *map);

const char *path_join(struct arena *arena, const char *dir, const char *name);
const char *path_base(const char *path); /* after the last slash */
/* "SIZE[,N]" as in -S: a size in megabytes and a number of files (0 when not given); false for anything else. */
bool file_rotation_parse(const char *text, uint64_t *bytes, unsigned *files);
char *path_expand_time(
	const char *path); /* strftime sequences as of now; on the heap, NULL without memory */

#endif
