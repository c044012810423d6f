/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files, directories, atomic replacement, temporary directories, and paths.
 *
 * Functions that can fail for reasons of the world return a struct error that names the path;
 * what is in an arena or on the heap is said at each. Temporary files and directories are listed
 * for cleanup (base/cleanup.h), so a signal leaves none behind. Descriptors are close-on-exec.
 * Nothing here needs privileges or changes those it has.
 */
#ifndef SPILE_BASE_FILE_H
#define SPILE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct arena;

/*
 * Read all of PATH into the heap (caller frees); a NUL is added after len bytes. Works on files
 * without a size (/proc) and on pipes.
 */
struct error *file_read(const char *path, char **ret, size_t *len) ERROR_MUST_CHECK;
/* The same of what FD is open for, from where it stands; PATH is for messages. */
struct error *file_read_fd(int fd, const char *path, char **ret, size_t *len) ERROR_MUST_CHECK;
/* All of it to a descriptor that blocks; 0, or the errno of the write that failed. */
int file_write_all(int fd, const void *data, size_t len);
/*
 * Write through a temporary beside PATH, fsync-free, and rename: readers see the old or the new
 * file, never a part. On failure (a full disk included) nothing is left behind.
 */
struct error *file_write_atomic(const char *path, const void *data, size_t len,
				unsigned mode) ERROR_MUST_CHECK;
/*
 * The same in steps, for what is not all in memory: a descriptor of a fresh file beside PATH, and
 * its name on the heap, or -errno; and its end, which takes both over: the file becomes PATH, or
 * goes if ERRNUM is not 0.
 */
int file_replace_begin(const char *path, unsigned mode, char **temp);
struct error *file_replace_end(int fd, char *temp, const char *path, int errnum) ERROR_MUST_CHECK;
/*
 * Contents and permissions, atomic in the same sense as file_write_atomic(); an existing file at
 * TO is replaced.
 */
struct error *file_copy(const char *from, const char *to) ERROR_MUST_CHECK;
/* As mkdir -p does, with mode 0755. An existing directory is success. */
struct error *dir_create_all(const char *path) ERROR_MUST_CHECK;
/*
 * As rm -r does: links are removed, not followed; what is not there is no error. Stops at the
 * first entry that cannot be removed. The path is not listed for cleanup any more.
 */
struct error *dir_remove_all(const char *path) ERROR_MUST_CHECK;
/*
 * A fresh directory PREFIXxxxxxx of mode 0700, in $TMPDIR or /tmp, or in DIR. Its path is in the
 * arena. It is listed for cleanup until dir_remove_all() or cleanup_drop_path().
 */
struct error *dir_create_temp(struct arena *arena, const char *prefix, char **ret) ERROR_MUST_CHECK;
struct error *dir_create_temp_in(struct arena *arena, const char *dir, const char *prefix,
				 char **ret) ERROR_MUST_CHECK;
/*
 * Anything of that name, links to nothing excepted. An unreadable directory on the way counts as
 * absent.
 */
bool file_exists(const char *path);
/*
 * Standard descriptors that the caller left closed become /dev/null, read-only: no file opened
 * later takes their place, and writing to them still fails. For the start of main().
 */
void file_guard_standard(void);

/*
 * A descriptor of a regular file, to read; -1: errno says why, EINVAL that it is of another kind.
 * Nobody is waited for, as opening a FIFO would.
 */
int file_open_regular(const char *path);

/*
 * A read-only, private mapping of a regular file; data is NULL for an empty one. A file that is
 * truncated meanwhile raises SIGBUS on access: map only what is replaced by rename.
 */
struct file_map {
	const unsigned char *data;
	size_t len;
};
/* *ret is written on success only; file_map_close() gives it back. */
struct error *file_map_open(const char *path, struct file_map *ret) ERROR_MUST_CHECK;
/* Harmless on a zeroed map, and twice. */
void file_map_close(struct file_map *map);

/*
 * Another one for another file, and after any change of it: of path, inode, size and time of the
 * last change. 0: there is none.
 */
uint64_t file_identity(const char *path);

struct dirent;
/*
 * Whether the entry, which is at PATH, is a directory and no link to one; also where readdir() does
 * not know (DT_UNKNOWN).
 */
bool entry_is_directory(const struct dirent *entry, const char *path);

/* DIR/NAME with one slash between, in the arena. */
const char *path_join(struct arena *arena, const char *dir, const char *name);
/* What stands after the last slash, in the same text. */
const char *path_base(const char *path);
/* Whether PATH ends in SUFFIX, or is it. */
bool path_has_suffix(const char *path, const char *suffix);
/*
 * "SIZE[,N]" as in -S: a size in megabytes and a number of files. *bytes is the size in bytes,
 * *files is 0 when N is not given. False for anything else; then both are untouched.
 */
bool file_rotation_parse(const char *text, uint64_t *bytes, unsigned *files);
/*
 * PATH with its strftime sequences replaced, as of now in local time; PATH itself when the result
 * would be empty or too long. On the heap; NULL without memory.
 */
char *path_expand_time(const char *path);

#endif
